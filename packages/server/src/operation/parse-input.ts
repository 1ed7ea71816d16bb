import { z } from 'zod'
import { invalid, type FieldErrors } from '../core/errors.ts'
import { common } from './fields.ts'
import type { Route } from './operation.ts'

/** The parsed input, or each problem by its path. */
export type Parsed<T> = { data: T; fields?: undefined } | { data?: undefined; fields: FieldErrors }

/** Parses input against a contract. `null` for an optional field counts as omitted, and ids may be in upper case. */
export function parseInput<S extends z.ZodObject>(schema: S, raw: unknown): Parsed<z.output<S>> {
  const shape = shapeOf(schema)
  const excess = excessIn(shape, raw)
  if (excess.length > 0)
    return { fields: Object.fromEntries(excess.map(({ path, problem }) => [path.join('.'), problem])) }
  const given = normalize(shape, raw)
  const parsed = schema.safeParse(given, { error: describeProblem })
  const fields: FieldErrors = {}
  for (const issue of parsed.error?.issues ?? []) addProblem(fields, issue, [])
  for (const { path, maxUnits } of longTexts(shape, given))
    fields[path.join('.')] ??= `must be at most ${maxUnits} characters (counted in UTF-16 units)`
  return parsed.success && Object.keys(fields).length === 0 ? { data: parsed.data } : { fields }
}

interface Excess {
  path: PropertyKey[]
  problem: string
}

/** More values than any map within its limit of characters can have. */
const maxParts = 32_768

/** Finds lists and maps with too many items by their length, because checking millions of items takes seconds, and keys that no map may have. */
function excessIn(shape: Shape, value: unknown): Excess[] {
  if (shape.kind === 'list' && Array.isArray(value)) {
    if (value.length > shape.maxItems) return [{ path: [], problem: `must have at most ${shape.maxItems} items` }]
    return value.flatMap((item, at) => within(at, excessIn(shape.element, item)))
  }
  if (shape.kind === 'map') return problemsOfMap(value)
  if (shape.kind === 'choice') return shape.options.flatMap((option) => excessIn(option, value))
  if (shape.kind !== 'object' || !isPlainObject(value)) return []
  return shape.fields.flatMap(({ name, shape: inner }) => within(name, excessIn(inner, value[name])))
}

const within = (step: PropertyKey, found: Excess[]): Excess[] =>
  found.map(({ path, problem }) => ({ path: [step, ...path], problem }))

function problemsOfMap(value: unknown): Excess[] {
  if (countParts(value, maxParts) > maxParts) return [{ path: [], problem: `contains more than ${maxParts} values` }]
  // Copies of objects would leave this key out, so it would be lost without notice.
  return hasKey(value, '__proto__') ? [{ path: [], problem: 'must not contain the key __proto__' }] : []
}

/** Whether an object at any depth has it. Request bodies are at most 32 levels deep. */
const hasKey = (value: unknown, name: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, name) || Object.values(value).some((part) => hasKey(part, name)))

/** The number of values including itself. Stops counting above `limit`. */
function countParts(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1
  if (Array.isArray(value) && value.length > limit) return value.length
  let count = 1
  for (const name in value) {
    count += countParts((value as Record<string, unknown>)[name], limit - count)
    if (count > limit) break
  }
  return count
}

/** Drops nulls that the schema doesn't accept, and converts ids to lower case, as they are stored. Recurses into objects and arrays. */
function normalize(shape: Shape, value: unknown): unknown {
  if (shape.kind === 'id') return typeof value === 'string' ? value.toLowerCase() : value
  if (shape.kind === 'list') return Array.isArray(value) ? value.map((item) => normalize(shape.element, item)) : value
  if (shape.kind === 'choice') {
    const meant = isPlainObject(value) ? 'object' : 'id'
    const branch = shape.options.find(({ kind }) => kind === meant)
    return branch === undefined ? value : normalize(branch, value)
  }
  if (shape.kind !== 'object' || !isPlainObject(value)) return value
  // Strict objects refuse unknown fields; others ignore them.
  const known: Record<string, unknown> = shape.isStrict ? withoutFields(value, shape.fields) : {}
  for (const { name, acceptsNull, shape: inner } of shape.fields) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined
    if (given !== undefined && (given !== null || acceptsNull)) known[name] = normalize(inner, given)
  }
  return known
}

const withoutFields = (value: Record<string, unknown>, fields: readonly { name: string }[]) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !fields.some((field) => field.name === name)))

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function addProblem(fields: FieldErrors, issue: z.core.$ZodIssue, parent: readonly PropertyKey[]): void {
  const path = [...parent, ...issue.path]
  // For a union, report the problems of the intended branch: the one that doesn't fail only by the kind of value.
  const meant = issue.code === 'invalid_union' ? issue.errors.find((branch) => !branch.some(isWrongKind)) : undefined
  if (meant === undefined) fields[path.join('.')] ??= issue.message
  else for (const inner of meant) addProblem(fields, inner, path)
}

const isWrongKind = ({ code, path }: z.core.$ZodIssue) => code === 'invalid_type' && path.length === 0

interface LongText {
  path: PropertyKey[]
  maxUnits: number
}

/** Length limits count UTF-16 units, like JavaScript; the schemas, like JSON Schema, count code points. */
function longTexts(shape: Shape, value: unknown): LongText[] {
  if (shape.kind === 'text' && typeof value === 'string')
    return value.length > shape.maxUnits ? [{ path: [], maxUnits: shape.maxUnits }] : []
  if (shape.kind === 'choice') return shape.options.flatMap((option) => longTexts(option, value))
  if (shape.kind === 'list' && Array.isArray(value))
    return value.flatMap((item, at) => behind(at, longTexts(shape.element, item)))
  if (shape.kind !== 'object' || !isPlainObject(value)) return []
  return shape.fields.flatMap(({ name, shape: inner }) => behind(name, longTexts(inner, value[name])))
}

const behind = (step: PropertyKey, found: LongText[]) =>
  found.map(({ path, maxUnits }) => ({ path: [step, ...path], maxUnits }))

/**
 * Parses input against a route's contract. `id` and `ids` are aliases of the route's id field, and the singular name of a list of ids is
 * an alias of the list.
 */
export function validate(route: Route, raw: Record<string, unknown>): unknown {
  const { data, fields } = parseInput(route.input, withAlias(route, raw))
  if (fields !== undefined) throw invalid(fields)
  return data
}

function withAlias({ alias, input }: Route, raw: Record<string, unknown>): Record<string, unknown> {
  if (alias === undefined) return raw
  const given = aliasesOf(alias).filter(
    ({ short, name }) =>
      (raw[short] ?? undefined) !== undefined &&
      Object.hasOwn(input.shape, name) &&
      (raw[name] ?? undefined) === undefined,
  )
  const renamed = given.map(({ short, name, isOne }) => [name, isOne ? [raw[short]] : raw[short]])
  if (given.length === 0) return raw
  const others = Object.entries(raw).filter(([name]) => !given.some(({ short }) => short === name))
  return Object.fromEntries([...others, ...renamed]) as Record<string, unknown>
}

// Agents may send these with every call. Outside of vaults, no operation needs them.
const everywhere = new Set([...Object.keys(common), 'vaultId'])

/** The fields of an input that this operation doesn't have, mostly misspelled ones. */
export function ignoredFields({ alias, input }: Pick<Route, 'alias' | 'input'>, raw: object): string[] {
  const unknown = Object.keys(raw).filter((name) => !Object.hasOwn(input.shape, name) && !everywhere.has(name))
  if (unknown.length === 0 || alias === undefined) return unknown
  const aliases = aliasesOf(alias).filter(({ name }) => Object.hasOwn(input.shape, name))
  return unknown.filter((name) => !aliases.some(({ short }) => short === name))
}

interface Alias {
  short: string
  name: string
  /** Whether the value is a single item of a list. */
  isOne: boolean
}

/** Later aliases take precedence. */
const aliasesOf = (alias: string): Alias[] =>
  alias.endsWith('s')
    ? [
        { short: alias.slice(0, -1), name: alias, isOne: true },
        { short: 'ids', name: alias, isOne: false },
      ]
    : [
        { short: 'id', name: alias, isOne: false },
        { short: 'ids', name: `${alias}s`, isOne: false },
      ]

/**
 * What `parseInput` needs to know of a schema besides zod's own parse. Computed once, because inspecting zod's classes for each call took
 * 40 of the 800 µs of a durable write.
 */
type Shape =
  | { kind: 'object'; fields: readonly Field[]; isStrict: boolean }
  | { kind: 'list'; element: Shape; maxItems: number }
  /** Arbitrary names and values. */
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

function shapeOf(schema: z.core.$ZodType): Shape {
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
  // oxlint-disable-next-line no-underscore-dangle -- zod's name for the definition of a check
  const limits = checks.flatMap((check) => (check instanceof z.core.$ZodCheckMaxLength ? [check._zod.def.maximum] : []))
  return Math.min(Infinity, ...limits)
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? unwrap(schema.def.innerType)
    : schema
}

type Query = Readonly<Record<string, string | string[] | undefined>>

/**
 * Converts a query string to the JSON that a contract expects: texts become numbers and booleans, and a single value becomes a list if the
 * contract has a list. Other values stay text, so that the contract refuses them.
 */
export function readQuery(schema: z.ZodObject, query: Query): Record<string, string | number | boolean | unknown[]> {
  const shape = shapeOf(schema)
  const fields =
    shape.kind === 'object' ? new Map(shape.fields.map((field) => [field.name, field.shape])) : new Map<string, Shape>()
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, given]) =>
      given === undefined ? [] : [[name, readField(fields.get(name), given)]],
    ),
  )
}

function readField(shape: Shape | undefined, given: string | string[]) {
  if (shape?.kind !== 'list') return typeof given === 'string' ? readValue(shape, given) : given
  return [given].flat().map((one) => readValue(shape.element, one))
}

const number = /^-?\d+(\.\d+)?$/

function readValue(shape: Shape | undefined, text: string): string | number | boolean {
  if (shape?.kind === 'number' && number.test(text)) return Number(text)
  if (shape?.kind === 'flag' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** The error message for a value; undefined uses zod's message. A schema's own message takes precedence over both. */
export function describeProblem(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type')
    return issue.input === undefined ? `required (${issue.expected})` : `must be ${kindOf(issue.expected)}`
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_small') return `must ${boundOf(issue.origin, 'at least', issue.minimum)}`
  if (issue.code === 'too_big') return `must ${boundOf(issue.origin, 'at most', issue.maximum)}`
  if (issue.code === 'invalid_format') return formats[issue.format]
  return issue.code === 'invalid_union' ? describeUnion(issue.errors) : undefined
}

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

const kindOf = (expected: string) => kinds[expected] ?? expected

const formats: Record<string, string> = {
  uuid: 'must be a UUID, such as 0198c5f0-0000-7000-8000-000000000001',
  datetime: 'must be a time in ISO 8601 with its zone, such as 2026-11-21T09:00:00Z',
}

function boundOf(origin: string, bound: string, value: number | bigint): string {
  if (origin === 'string') return `be ${bound} ${counted(value, 'character')}`
  if (origin === 'array') return `have ${bound} ${counted(value, 'item')}`
  return `be ${bound} ${value}`
}

const counted = (count: number | bigint, noun: string) => `${count} ${noun}${Number(count) === 1 ? '' : 's'}`

/** The message if a value has none of the kinds that a union accepts. */
function describeUnion(branches: readonly (readonly z.core.$ZodIssue[])[]): string | undefined {
  const wanted = branches.flatMap(([first]) => (first?.code === 'invalid_type' ? kindOf(first.expected) : []))
  return wanted.length === 0 ? undefined : `must be ${[...new Set(wanted)].join(' or ')}`
}
