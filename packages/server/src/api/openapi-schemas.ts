import type { JsonSchema } from './contracts.ts'

/**
 * Schemas in the form that generators of clients understand best. It means the same as the contracts: `null` is written out where the
 * server takes it, bounds of integers are complete, and what occurs again has a name.
 */

/** `sent`: what callers send, where `null` for an optional field counts as omitted. */
export function writeOut(schema: JsonSchema, { sent }: { sent: boolean }): JsonSchema {
  const inner = (child: JsonSchema) => writeOut(child, { sent })
  const { properties, required = [], items, additionalProperties, anyOf, oneOf, allOf } = schema
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    const written = inner(field)
    return [name, sent && !required.includes(name) ? orNull(written) : written] as const
  })
  return {
    ...withPlainDefault(withBounds(withType(schema))),
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(items && { items: inner(items) }),
    ...(additionalProperties && { additionalProperties: inner(additionalProperties) }),
    ...(anyOf && joinNull(anyOf.map(inner))),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
    ...(allOf && { allOf: allOf.map(inner) }),
  }
}

/** Generators drop a constant without a type, and some print code that doesn't compile for one that is true or false. */
function withType(schema: JsonSchema): JsonSchema {
  const { const: constant, ...rest } = schema
  if (constant === undefined) return schema
  if (typeof constant !== 'boolean') return { type: typeof constant, ...schema }
  return {
    ...rest,
    type: 'boolean',
    not: { enum: [!constant] },
    description: rest.description ?? `Always ${constant}.`,
  }
}

/** Java's generator takes a list of named values for a list of constants, under names that it gives to none. */
function withPlainDefault(schema: JsonSchema): JsonSchema {
  const { default: preset, description = '', ...rest } = schema
  if (!Array.isArray(preset) || preset.length === 0 || schema.items?.enum === undefined) return schema
  const isSaid = description.includes('Default: ')
  return { ...rest, description: isSaid ? description : `${description} Default: ${preset.join(', ')}.`.trimStart() }
}

/** JSON numbers are exact up to this, and the server takes no others. `int64` tells languages with several integer types. */
function withBounds(schema: JsonSchema): JsonSchema {
  if (schema.type !== 'integer') return schema
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema
  const isLong = maximum > maxInt32 || minimum < -maxInt32
  return { ...schema, ...(isLong && { format: 'int64' }), minimum, maximum }
}

const maxInt32 = 2 ** 31 - 1

const nothing: JsonSchema = { type: 'null' }
const isNothing = ({ type }: JsonSchema) => type === 'null'

function orNull(schema: JsonSchema): JsonSchema {
  const { description, default: preset, ...value } = schema
  const isAnything = Object.keys(value).length === 0
  const allowsNull = value.anyOf?.some(isNothing) === true || (Array.isArray(value.type) && value.type.includes('null'))
  if (isAnything || allowsNull) return schema
  return {
    ...joinNull([...(value.anyOf ?? [value]), nothing]),
    ...(description !== undefined && { description }),
    ...(preset !== undefined && { default: preset }),
  }
}

/** Of a plain value and null: one schema with two types. */
function joinNull(anyOf: JsonSchema[]): JsonSchema {
  const [value, ...others] = anyOf.filter((one) => !isNothing(one))
  const isSimple = typeof value?.type === 'string' && value.enum === undefined && value.properties === undefined
  if (value === undefined || others.length > 0 || anyOf.length === 1 || !isSimple) return { anyOf }
  return { ...value, type: [String(value.type), 'null'] }
}
