import { z } from 'zod'
import { invalid, type FieldErrors } from '../core/errors.ts'
import type { Operation } from '../operation/operation.ts'

/**
 * Parses input against an operation's contract, once. Every problem is reported under its path. Before that, two
 * kindnesses of the interface: `null` for an optional field counts as omitted, and `id` or `ids` stand for the route's
 * own id field.
 */
export function validate(operation: Operation, raw: Record<string, unknown>): unknown {
  const parsed = operation.input.safeParse(omitNulls(operation.input, withAlias(operation, raw)))
  if (parsed.success) return parsed.data
  throw invalid(fieldErrors(parsed.error))
}

function withAlias({ alias }: Operation, raw: Record<string, unknown>): Record<string, unknown> {
  if (alias === undefined || raw[alias] !== undefined) return raw
  const short = alias.endsWith('s') ? raw.ids : raw.id
  return short === undefined ? raw : { ...raw, [alias]: short }
}

/** Drops nulls where the schema has no null of its own, down through objects and arrays that the schema knows. */
function omitNulls(schema: z.core.$ZodType, value: unknown): unknown {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => omitNulls(inner.element, item))
  if (!(inner instanceof z.ZodObject) || !isPlainObject(value)) return value
  const known = Object.entries(inner.shape).flatMap(([name, field]): [string, unknown][] => {
    const given = Object.hasOwn(value, name) ? value[name] : undefined
    if (given === undefined || (given === null && !acceptsNull(field))) return []
    return [[name, omitNulls(field, given)]]
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

function fieldErrors(error: z.ZodError): FieldErrors {
  const fields: FieldErrors = {}
  for (const issue of error.issues) fields[issue.path.join('.')] ??= describe(issue)
  return fields
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))
    return `required (${issue.expected})`
  return issue.message
}
