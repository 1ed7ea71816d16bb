import type { z } from 'zod'

/** What is wrong with a value, in words for whoever sent it. Undefined: zod's own words do. A schema's own message goes before both. */
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

/** Where a value is of no kind that a union takes. */
function describeUnion(branches: readonly (readonly z.core.$ZodIssue[])[]): string | undefined {
  const wanted = branches.flatMap(([first]) => (first?.code === 'invalid_type' ? kindOf(first.expected) : []))
  return wanted.length === 0 ? undefined : `must be ${[...new Set(wanted)].join(' or ')}`
}
