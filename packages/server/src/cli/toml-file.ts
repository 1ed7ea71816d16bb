import type { JsonObject } from '@holdfast/hosts/clients'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'smol-toml'

/**
 * Changes one table in somebody else's TOML, by its text, so that comments and order stay. Patterns cannot read TOML, so every
 * result is parsed: it counts only where it says what was said before and our table, nothing else.
 */

type Path = readonly [string, string]
type Table = Record<string, unknown>

/** The values; undefined for a text that is no TOML. */
export function readToml(text: string): Table | undefined {
  try {
    return toPlain(parse(text, { integersAsBigInt: 'asNeeded' })) as Table
  } catch {
    return undefined
  }
}

/** With the fields set in the table `at`, others in it left; undefined where that cannot be done in the text as it is. */
export function setTomlTable(text: string, at: Path, entry: JsonObject): string | undefined {
  const expected = readToml(text)
  if (expected === undefined) return undefined
  const parent = expected[at[0]] ?? {}
  if (!isTable(parent)) return undefined
  const present = parent[at[1]]
  const merged = { ...(isTable(present) ? present : {}), ...entry }
  if (isDeepStrictEqual(present, merged)) return text
  const edited = present === undefined ? append(text, tableOf(at, entry)) : setFields(text, at, entry)
  return says(edited, { ...expected, [at[0]]: { ...parent, [at[1]]: merged } }) ? edited : undefined
}

/** Without the table and its sub-tables; undefined where that cannot be done in the text as it is. */
export function cutTomlTable(text: string, at: Path): string | undefined {
  const expected = readToml(text)
  const parent = expected?.[at[0]]
  if (expected === undefined || !isTable(parent)) return undefined
  const place = findTable(text, at)
  if (place === undefined) return undefined
  const edited = `${text.slice(0, place.from).replace(/\n\n$/, '\n')}${text.slice(place.to).replace(/^\n/, '')}`
  const { [at[1]]: _ours, ...others } = parent
  const { [at[0]]: _parent, ...rest } = expected
  const isSame = says(edited, { ...expected, [at[0]]: others })
  return isSame || (Object.keys(others).length === 0 && says(edited, rest)) ? edited : undefined
}

export const tableOf = (at: Path, entry: JsonObject): string =>
  [`[${at.join('.')}]`, ...Object.entries(entry).map(([name, value]) => `${name} = ${JSON.stringify(value)}`), ''].join(
    '\n',
  )

function append(text: string, table: string): string {
  const gap = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  return `${text}${gap}${table}`
}

const says = (text: string, expected: Table) => isDeepStrictEqual(readToml(text), expected)

// A comment behind a value stays.
function setFields(text: string, at: Path, entry: JsonObject): string {
  const place = findTable(text, at)
  if (place === undefined) return text
  const own = text.slice(place.head, place.to)
  const nested = /^[ \t]*\[/m.exec(own)?.index ?? own.length
  let fields = own.slice(0, nested)
  for (const [name, value] of Object.entries(entry)) {
    const field = new RegExp(`^([ \\t]*"?${name}"?[ \\t]*=[ \\t]*)("(?:[^"\\\\\\n]|\\\\.)*"|'[^'\\n]*')`, 'm')
    const written = JSON.stringify(value)
    fields = field.test(fields)
      ? fields.replace(field, (_all, before: string) => before + written)
      : `\n${name} = ${written}${fields.startsWith('\n') ? '' : '\n'}${fields}`
  }
  return text.slice(0, place.head) + fields + own.slice(nested) + text.slice(place.to)
}

/** From its first bracket (`head`: behind the last of that line) to its last value: what is said below is about what follows. */
function findTable(text: string, at: Path): { from: number; head: number; to: number } | undefined {
  const name = at.map((part) => `["']?${part}["']?`).join('[ \\t]*\\.[ \\t]*')
  const begin = new RegExp(`^[ \\t]*\\[[ \\t]*${name}[ \\t]*\\][^\\n]*`, 'm').exec(text)
  if (begin === null) return undefined
  const head = begin.index + begin[0].length
  const rest = text.slice(head)
  const next = new RegExp(`^[ \\t]*\\[(?!\\[?[ \\t]*${name}[ \\t]*\\.)`, 'm').exec(rest)
  const own = (next === null ? rest : rest.slice(0, next.index)).replace(/(?:^|\n)(?:[ \t]*(?:#[^\n]*)?(?:\n|$))*$/, '')
  const end = head + own.length
  return { from: begin.index, head, to: text[end] === '\n' ? end + 1 : end }
}

const isTable = (value: unknown): value is Table => typeof value === 'object' && value !== null && !Array.isArray(value)

// Dates as they read, whole numbers beyond 2^53 as well.
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain)
  if (value instanceof Date) return `date ${value.toISOString()}`
  if (isTable(value)) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toPlain(inner)]))
  return value
}
