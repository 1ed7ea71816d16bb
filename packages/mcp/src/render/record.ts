import { oneLine } from './one-line.ts'

/** An answer that has no form of its own, as lines `name: value`: for the tools of one operation each. */

const maxLines = 2_000
const valueChars = 2_000

/** Lists of records begin each record with a dash; nothing is left out but null and empty lists. */
export function recordLines(value: object, indent = ''): string[] {
  const lines: string[] = []
  for (const [name, inner] of Object.entries(value)) {
    if (lines.length >= maxLines) break
    // Names of metadata are somebody's text as well.
    lines.push(...fieldLines(oneLine(name, 80), inner, indent))
  }
  return lines
}

function fieldLines(name: string, value: unknown, indent: string): string[] {
  if (value === null || isNothing(value)) return []
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== 'object'))
      return [`${indent}${name}: ${oneLine(value.join(', '), valueChars)}`]
    return [`${indent}${name}:`, ...value.flatMap((one) => listed(one, `${indent}  `))]
  }
  if (typeof value === 'object') return [`${indent}${name}:`, ...recordLines(value, `${indent}  `)]
  return [`${indent}${name}: ${oneLine(textOf(value), valueChars)}`]
}

function listed(value: unknown, indent: string): string[] {
  if (typeof value !== 'object' || value === null) return [`${indent}- ${oneLine(textOf(value), valueChars)}`]
  const [first = '', ...others] = recordLines(value, `${indent}  `)
  return [`${indent}- ${first.trimStart()}`, ...others]
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const isNothing = (value: unknown) =>
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && !Array.isArray(value) && Object.keys(value ?? {}).length === 0)
