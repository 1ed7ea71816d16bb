import { displayName, oneLine } from './one-line.ts'

/** Prints answers without their own format as lines `name: value`, for the tools of single operations. */

const maxLines = 2_000
const valueChars = 2_000

/** Prints all fields except null and empty ones. In lists, each record starts with a dash. */
export function recordLines(value: object, indent = ''): string[] {
  const lines: string[] = []
  for (const [name, inner] of Object.entries(value)) {
    if (lines.length >= maxLines) break
    // Names in metadata are stored text too.
    lines.push(...fieldLines(oneLine(name, 80), inner, indent))
  }
  return lines
}

/** Fields that say who or where, next to which nothing may hide. */
const nameFields = /[aA]gentId$|[kK]eyLabel$|^(label|name|targetId|acknowledgedBy|folderPath|tags|entities)$/

function fieldLines(name: string, value: unknown, indent: string): string[] {
  if (value === null || isEmpty(value)) return []
  const shown = nameFields.test(name) ? displayName : oneLine
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== 'object'))
      return [`${indent}${name}: ${shown(value.join(', '), valueChars)}`]
    return [`${indent}${name}:`, ...value.flatMap((one) => listed(one, `${indent}  `))]
  }
  if (typeof value === 'object') return [`${indent}${name}:`, ...recordLines(value, `${indent}  `)]
  return [`${indent}${name}: ${shown(asText(value), valueChars)}`]
}

function listed(value: unknown, indent: string): string[] {
  if (typeof value !== 'object' || value === null) return [`${indent}- ${oneLine(asText(value), valueChars)}`]
  const [first = '', ...others] = recordLines(value, `${indent}  `)
  return [`${indent}- ${first.trimStart()}`, ...others]
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && !Array.isArray(value) && Object.keys(value ?? {}).length === 0)
