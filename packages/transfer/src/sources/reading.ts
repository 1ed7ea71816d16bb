import { sha256Hex } from '../sha256.ts'
import type { Kind, TransferRecord } from '../record.ts'
import type { Source } from '../source.ts'

/** What a reader makes of a source, and what it says of it besides. */

export interface Reader {
  name: string
  /** What it looks for, for people whose source it is not. */
  shape: string
  /** Whether the source looks like one of its own. */
  recognises(source: Source): Promise<boolean>
  /** In an order in which each record comes after those that it names. */
  read(source: Source, notices: Notices): AsyncGenerator<TransferRecord>
  /** The same as a document of the vault, where a source can be one. */
  readAsDocument?(source: Source, notices: Notices): AsyncGenerator<TransferRecord>
}

/** What a reader left out or changed: how often, and where first. And what it could not read as a record. */
export class Notices {
  readonly #found = new Map<string, { count: number; examples: string[] }>()
  readonly #refused: Refused[] = []

  add(what: string, where: string, count = 1): void {
    const found = this.#found.get(what) ?? { count: 0, examples: [] }
    found.count += count
    if (found.examples.length < examplesKept) found.examples.push(where)
    this.#found.set(what, found)
  }

  /** Counts as a record that was not imported. */
  refuse(kind: Kind, name: string, reason: string): void {
    this.#refused.push({ kind, name, reason })
  }

  /** What was refused since the last call. */
  takeRefused(): Refused[] {
    return this.#refused.splice(0)
  }

  list(): { what: string; count: number; examples: string[] }[] {
    return [...this.#found].map(([what, { count, examples }]) => ({ what, count, examples }))
  }
}

interface Refused {
  kind: Kind
  name: string
  reason: string
}

const examplesKept = 5

/** The same for the same text in every run, so that what was imported before is known again. */
export const keyOf = (source: string, text: string): string => `${source}:${sha256Hex(text).slice(0, 32)}`

/** Of a memory, and of a document. */
export const maxContentChars = 100_000

/** Undefined where it is no time. */
export function timeIn(value: unknown): string | undefined {
  const ms = value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return isSensible(ms) ? new Date(ms).toISOString() : undefined
}

/** From seconds since 1970, as many exports have them. */
export const timeOfSeconds = (value: unknown): string | undefined =>
  typeof value === 'number' && isSensible(value * 1000) ? new Date(value * 1000).toISOString() : undefined

const isSensible = (ms: number) => ms > 0 && ms < Date.UTC(2200, 0)
