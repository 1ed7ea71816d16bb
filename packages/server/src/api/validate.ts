import type { z } from 'zod'
import { invalid, type FieldErrors } from '../core/errors.ts'
import type { Operation } from '../operation/operation.ts'
import { shapeOf, type Shape } from './shape.ts'

/**
 * Parses input against an operation's contract, once. Every problem is reported under its path. Before that, three
 * kindnesses: `null` for an optional field counts as omitted, `id` or `ids` stand for the route's own id field, and ids
 * may be in upper case.
 */
export function validate(operation: Operation, raw: Record<string, unknown>): unknown {
  const shape = shapeOf(operation.input)
  const given = normalise(shape, withAlias(operation, raw))
  const parsed = operation.input.safeParse(given)
  const fields: FieldErrors = {}
  for (const issue of parsed.error?.issues ?? []) addProblem(fields, issue, [])
  for (const { path, maxUnits } of longTexts(shape, given))
    fields[path.join('.')] ??= `at most ${maxUnits} UTF-16 units`
  if (!parsed.success || Object.keys(fields).length > 0) throw invalid(fields)
  return parsed.data
}

function withAlias({ alias }: Operation, raw: Record<string, unknown>): Record<string, unknown> {
  if (alias === undefined || (raw[alias] ?? undefined) !== undefined) return raw
  const short = alias.endsWith('s') ? raw.ids : raw.id
  return short === undefined ? raw : { ...raw, [alias]: short }
}

/**
 * Drops nulls where the schema has no null of its own, and writes ids in lower case, as they are stored and compared;
 * down through objects and arrays that the schema knows.
 */
function normalise(shape: Shape, value: unknown): unknown {
  if (shape.kind === 'id') return typeof value === 'string' ? value.toLowerCase() : value
  if (shape.kind === 'list') return Array.isArray(value) ? value.map((item) => normalise(shape.element, item)) : value
  if (shape.kind === 'choice') {
    const meant = isPlainObject(value) ? 'object' : 'id'
    const branch = shape.options.find(({ kind }) => kind === meant)
    return branch === undefined ? value : normalise(branch, value)
  }
  if (shape.kind !== 'object' || !isPlainObject(value)) return value
  const known: Record<string, unknown> = {}
  for (const { name, acceptsNull, shape: inner } of shape.fields) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined
    if (given !== undefined && (given !== null || acceptsNull)) known[name] = normalise(inner, given)
  }
  return known
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function addProblem(fields: FieldErrors, issue: z.core.$ZodIssue, parent: readonly PropertyKey[]): void {
  const path = [...parent, ...issue.path]
  // Of a union, what is wrong in the branch that was meant: the one that does not fail by the kind of value alone.
  const meant = issue.code === 'invalid_union' ? issue.errors.find((branch) => !branch.some(isWrongKind)) : undefined
  if (meant === undefined) fields[path.join('.')] ??= describe(issue)
  else for (const inner of meant) addProblem(fields, inner, path)
}

const isWrongKind = ({ code, path }: z.core.$ZodIssue) => code === 'invalid_type' && path.length === 0

interface LongText {
  path: PropertyKey[]
  maxUnits: number
}

/** Limits of texts count UTF-16 units, as JavaScript does; the schemas, like JSON Schema, count code points. */
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

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))
    return `required (${issue.expected})`
  return issue.message
}
