import { z } from 'zod'
import { invalid, type FieldErrors } from '../core/errors.ts'
import type { Operation } from '../operation/operation.ts'

/**
 * Parses input against an operation's contract, once. Every problem is reported under its path. Before that, three
 * kindnesses: `null` for an optional field counts as omitted, `id` or `ids` stand for the route's own id field, and ids
 * may be in upper case.
 */
export function validate(operation: Operation, raw: Record<string, unknown>): unknown {
  const given = normalise(operation.input, withAlias(operation, raw))
  const parsed = operation.input.safeParse(given)
  const fields: FieldErrors = {}
  for (const issue of parsed.error?.issues ?? []) addProblem(fields, issue, [])
  for (const { path, maxUnits } of longTexts(operation.input, given, []))
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
function normalise(schema: z.core.$ZodType, value: unknown): unknown {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodUUID && typeof value === 'string') return value.toLowerCase()
  if (inner instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => normalise(inner.element, item))
  if (inner instanceof z.ZodUnion) {
    const branch = inner.options.find(
      (option) => unwrap(option) instanceof (isPlainObject(value) ? z.ZodObject : z.ZodUUID),
    )
    return branch === undefined ? value : normalise(branch, value)
  }
  if (!(inner instanceof z.ZodObject) || !isPlainObject(value)) return value
  const known = Object.entries(inner.shape).flatMap(([name, field]): [string, unknown][] => {
    const given = Object.hasOwn(value, name) ? value[name] : undefined
    if (given === undefined || (given === null && !acceptsNull(field))) return []
    return [[name, normalise(field, given)]]
  })
  return Object.fromEntries(known)
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? unwrap(schema.def.innerType)
    : schema
}

const acceptsNull = (field: z.core.$ZodType) => z.safeParse(field, null).success

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
function longTexts(schema: z.core.$ZodType, value: unknown, path: PropertyKey[]): LongText[] {
  const inner = unwrap(schema)
  if (typeof value === 'string')
    return inner instanceof z.ZodString && inner.maxLength !== null && value.length > inner.maxLength
      ? [{ path, maxUnits: inner.maxLength }]
      : []
  if (inner instanceof z.ZodUnion) return inner.options.flatMap((option) => longTexts(option, value, path))
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item, at) => longTexts(inner.element, item, [...path, at]))
  if (!(inner instanceof z.ZodObject) || !isPlainObject(value)) return []
  return Object.entries(inner.shape).flatMap(([name, field]) => longTexts(field, value[name], [...path, name]))
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))
    return `required (${issue.expected})`
  return issue.message
}
