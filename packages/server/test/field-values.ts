import type { JsonSchema } from '../src/api/contracts.ts'
import { newId } from '../src/core/ids.ts'

/** Values at and just beyond the limits of a contract, for tests of all fields of all operations. */

export interface Wrong {
  /** Where the answer must locate the problem: here or in a parent. */
  path: string
  value: unknown
}

const aTime = '2999-12-31T23:59:59.999Z'
const samples: Record<string, string> = {
  'date-time': aTime,
  date: aTime.slice(0, 10),
  email: 'x@example.org',
  uri: 'https://example.org',
}
const wrongSamples: Record<string, string[]> = {
  uuid: ['x', `${newId()}0`, newId().replace('-', '')],
  'date-time': ['yesterday', '2026-13-01T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00'],
  date: ['yesterday', '2026-13-01', '2026-02-30'],
  email: ['x', 'x@', '@example.org'],
  uri: ['x', 'http//x'],
}

/** If no number is stated. */
const fallbackMax = 1_000_000

/** The smallest value that the schema accepts. */
function sampleOf(schema: JsonSchema): unknown {
  const [branch] = branchesOf(schema)
  if (branch !== undefined) return sampleOf(branch)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  switch (String(schema.type)) {
    case 'string':
      return sampleText(schema)
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items ?? {}))
    case 'object':
      return sampleObject(schema)
    default:
      return 'x'
  }
}

function sampleText({ format, pattern, minLength = 0 }: JsonSchema): string {
  // A different one each time: some lists accept no id twice.
  if (format === 'uuid') return newId()
  if (format !== undefined) return samples[format] ?? `teach field-values.ts the format ${format}`
  const plain = 'x'.repeat(Math.max(minLength, 1))
  if (pattern !== undefined && !new RegExp(pattern).test(plain))
    throw new Error(`teach field-values.ts a text like ${pattern}`)
  return plain
}

const sampleObject = ({ properties = {}, required = [] }: JsonSchema) =>
  Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]))

const branchesOf = ({ anyOf, oneOf }: JsonSchema): JsonSchema[] => anyOf ?? oneOf ?? []

/** Values exactly at the limits, all of which must be accepted. */
export function edgesOf(schema: JsonSchema): unknown[] {
  const branches = branchesOf(schema)
  if (branches.length > 0) return branches.flatMap(edgesOf)
  if (schema.enum !== undefined) return schema.enum
  switch (String(schema.type)) {
    case 'string':
      if (schema.format !== undefined) return [sampleOf(schema)]
      return ['x'.repeat(schema.minLength ?? 0), 'x'.repeat(schema.maxLength ?? 10_000)]
    case 'integer':
    case 'number':
      return [schema.minimum ?? 0, schema.maximum ?? fallbackMax]
    case 'boolean':
      return schema.const === undefined ? [true, false] : [schema.const]
    case 'array':
      return [schema.minItems ?? 0, schema.maxItems ?? 10].map((length) =>
        Array.from({ length }, () => sampleOf(schema.items ?? {})),
      )
    default:
      return [sampleOf(schema)]
  }
}

/** Values just beyond the limits and of wrong types, none of which may be accepted. */
export function wrongValuesOf(schema: JsonSchema, path: string): Wrong[] {
  const branches = branchesOf(schema)
  if (branches.length > 0) return ofNoBranch(branches, path)
  const here = (values: unknown[]) => values.map((value) => ({ path, value }))
  if (schema.enum !== undefined) return here(['none of these', '', 7, [], {}])
  if (schema.const !== undefined) return here(['none of these', !schema.const, 7])
  switch (String(schema.type)) {
    case 'string':
      return here([...wrongTexts(schema), 7, true, ['x'], { x: 1 }])
    case 'integer':
      return here([...wrongNumbers(schema), 1.5, '1', true, [1], {}])
    case 'number':
      return here([...wrongNumbers(schema), '0.5', true, [1], {}])
    case 'boolean':
      return here(['true', 1, 0, [], {}])
    case 'array':
      return [...here([...wrongLengths(schema), 'x', 7, true, { 0: 'x' }]), ...inItems(schema, path)]
    case 'object':
      return [...here(['x', 7, true, []]), ...inProperties(schema, path)]
    default:
      return []
  }
}

function wrongTexts({ format, pattern, minLength = 0, maxLength }: JsonSchema): string[] {
  if (format !== undefined) return wrongSamples[format] ?? []
  const short = minLength > 0 ? ['x'.repeat(minLength - 1)] : []
  const long = maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]
  return [...short, ...long, ...(pattern === undefined ? [] : awkwardTexts.filter(breaks(pattern)))]
}

const breaks = (pattern: string) => (text: string) => !new RegExp(pattern).test(text)

/** Texts that some databases or protocols cannot hold. */
const awkwardTexts = ['a\u0000b', 'a\nb', '\u007f']

/** Values of the schema, each with such a text in one place. */
export function withAwkwardTexts(schema: JsonSchema): unknown[] {
  const branches = branchesOf(schema)
  if (branches.length > 0) return branches.flatMap(withAwkwardTexts)
  const { type, items = {}, properties = {} } = schema
  if (type === 'array') return withAwkwardTexts(items).map((item) => [item])
  if (type === 'string') return awkwardTexts
  return Object.entries(properties).flatMap(([name, property]) =>
    withAwkwardTexts(property).map((value) => ({ ...sampleObject(schema), [name]: value })),
  )
}

const wrongNumbers = ({ minimum, maximum }: JsonSchema): number[] => [
  ...(minimum === undefined ? [] : [minimum - 1, minimum - 0.001]),
  ...(maximum === undefined ? [] : [maximum + 1, maximum + 0.001]),
]

function wrongLengths({ minItems = 0, maxItems, items = {} }: JsonSchema): unknown[][] {
  const lengths = [...(minItems > 0 ? [minItems - 1] : []), ...(maxItems === undefined ? [] : [maxItems + 1])]
  return lengths.map((length) => Array.from({ length }, () => sampleOf(items)))
}

const inItems = ({ items = {} }: JsonSchema, path: string): Wrong[] =>
  wrongValuesOf(items, `${path}.0`).map((wrong) => ({ ...wrong, value: [wrong.value] }))

const inProperties = (schema: JsonSchema, path: string): Wrong[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    wrongValuesOf(property, `${path}.${name}`).map((wrong) => ({
      ...wrong,
      value: { ...sampleObject(schema), [name]: wrong.value },
    })),
  )

const takesAnything = ({ type, enum: values, const: value }: JsonSchema) =>
  type === undefined && values === undefined && value === undefined

/** Values that are wrong in one branch, except those of a type that another branch accepts. */
const ofNoBranch = (branches: JsonSchema[], path: string): Wrong[] =>
  (branches.some(takesAnything) ? [] : branches).flatMap((branch) => {
    const taken = new Set(branches.filter((other) => other !== branch).map(({ type }) => type))
    return wrongValuesOf(branch, path).filter(({ value }) => !taken.has(jsonType(value)))
  })

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Every place in a contract that accepts an id, as the name of its field. */
export function idFieldsOf(schema: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => (takesUuid(field) ? [name] : []))
}

const takesUuid = (schema: JsonSchema): boolean =>
  schema.format === 'uuid' ||
  branchesOf(schema).some(takesUuid) ||
  (schema.items !== undefined && takesUuid(schema.items)) ||
  Object.values(schema.properties ?? {}).some(takesUuid)

/** The value of a field with one id in every place that accepts one. */
export function withId(schema: JsonSchema, id: string): unknown {
  const branch = branchesOf(schema).find(takesUuid)
  if (branch !== undefined) return withId(branch, id)
  if (schema.format === 'uuid') return id
  if (schema.items !== undefined) return [withId(schema.items, id)]
  const { properties = {} } = schema
  const own = Object.entries(properties).filter(([, property]) => takesUuid(property))
  return { ...sampleObject(schema), ...Object.fromEntries(own.map(([name, property]) => [name, withId(property, id)])) }
}
