import { z } from 'zod'

/**
 * What `parseInput` asks of a schema besides zod's own parse, read off it once: asking zod's classes again for each call took
 * 40 of the 800 µs of a durable write.
 */
export type Shape =
  | { kind: 'object'; fields: readonly Field[]; isStrict: boolean }
  | { kind: 'list'; element: Shape; maxItems: number }
  /** Names and values of the caller's own. */
  | { kind: 'map' }
  | { kind: 'choice'; options: readonly Shape[] }
  | { kind: 'id' }
  | { kind: 'text'; maxUnits: number }
  | { kind: 'number' }
  | { kind: 'flag' }
  | { kind: 'other' }

interface Field {
  name: string
  acceptsNull: boolean
  shape: Shape
}

const shapes = new WeakMap<z.core.$ZodType, Shape>()

export function shapeOf(schema: z.core.$ZodType): Shape {
  const known = shapes.get(schema)
  if (known !== undefined) return known
  const read = readShape(unwrap(schema))
  shapes.set(schema, read)
  return read
}

function readShape(schema: z.core.$ZodType): Shape {
  if (schema instanceof z.ZodUUID) return { kind: 'id' }
  if (schema instanceof z.ZodString && schema.maxLength !== null) return { kind: 'text', maxUnits: schema.maxLength }
  if (schema instanceof z.ZodArray)
    return { kind: 'list', element: shapeOf(schema.element), maxItems: maxItemsOf(schema) }
  if (schema instanceof z.ZodNumber) return { kind: 'number' }
  if (schema instanceof z.ZodBoolean) return { kind: 'flag' }
  if (schema instanceof z.ZodRecord) return { kind: 'map' }
  if (schema instanceof z.ZodUnion) return { kind: 'choice', options: schema.options.map((option) => shapeOf(option)) }
  if (!(schema instanceof z.ZodObject)) return { kind: 'other' }
  const fields = Object.entries(schema.shape).map(([name, field]: [string, z.core.$ZodType]) => ({
    name,
    acceptsNull: z.safeParse(field, null).success,
    shape: shapeOf(field),
  }))
  return { kind: 'object', fields, isStrict: schema.def.catchall instanceof z.ZodNever }
}

function maxItemsOf({ def: { checks = [] } }: z.ZodArray): number {
  // oxlint-disable-next-line no-underscore-dangle -- the name under which zod keeps what a check says
  const limits = checks.flatMap((check) => (check instanceof z.core.$ZodCheckMaxLength ? [check._zod.def.maximum] : []))
  return Math.min(Infinity, ...limits)
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? unwrap(schema.def.innerType)
    : schema
}
