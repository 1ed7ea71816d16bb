// Written by `npm run generate` from the registry of operations; do not edit.

export interface Thing {
  thingId: string
  colour: string | null
}

/** Input of paint-thing. */
export interface PaintThingInput {
  /** Which. */
  thingId: string
  /** Which * / colour | shade. Default: "red". */
  colour?: 'red' | 'painter\'s blue' | undefined
  /** How many. */
  coats?: number | undefined
  /** Where. */
  spots?: (string | {
    size: number
  })[] | undefined
  /** More. */
  extra?: Record<string, unknown> | undefined
  /** Idempotency key. */
  externalWriteId?: string | undefined
}

/** Output of paint-thing. */
export interface PaintThingOutput {
  thing: Thing
  isWet: true
  layers?: Record<'base' | 'top', number>
}

/** What each operation takes and answers. */
export interface Operations {
  /** Paint a thing. */
  paintThing: { input: PaintThingInput; output: PaintThingOutput }
}

export interface Route {
  method: 'GET' | 'POST'
  path: string
  /** Whether a second call does no more than the first: never, always, or where it carries an externalWriteId. */
  repeatable: 'never' | 'always' | 'withWriteId'
}

export const routes: Readonly<Record<keyof Operations, Route>> = {
  paintThing: { method: 'POST', path: '/api/agent/paint-thing', repeatable: 'withWriteId' },
}
