import type { JsonObject } from '@holdfast/hosts/clients'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'smol-toml'

/**
 * Changes one table in another program's TOML by editing the text, so comments and order stay. Patterns can't parse TOML, so
 * every result is parsed: it is used only if it contains the previous values and our table, nothing else.
 */

type Path = readonly [string, string]
type Table = Record<string, unknown>

/** The values; undefined if the text isn't TOML. */
export function readToml(text: string): Table | undefined {
  try {
    return toPlain(parse(text, { integersAsBigInt: 'asNeeded' })) as Table
  } catch {
    return undefined
  }
}

/** Sets fields in the table `at` and keeps its other fields. Undefined if the text can't be edited so. */
export function setTomlTable(text: string, at: Path, entry: JsonObject): string | undefined {
  const expected = readToml(text)
  if (expected === undefined) return undefined
  const parent = expected[at[0]] ?? {}
  if (!isTable(parent)) return undefined
  const present = parent[at[1]]
  const merged = { ...(isTable(present) ? present : {}), ...entry }
  if (isDeepStrictEqual(present, merged)) return text
  const wanted = { ...expected, [at[0]]: { ...parent, [at[1]]: merged } }
  const edits =
    present === undefined
      ? [append(text, tableOf(at, entry))]
      : findTables(text, at).map((place) => setFields(text, place, entry))
  return edits.find((edited) => says(edited, wanted))
}

/** Removes the table and its sub-tables. Undefined if the text can't be edited so. */
export function cutTomlTable(text: string, at: Path): string | undefined {
  const expected = readToml(text)
  const parent = expected?.[at[0]]
  if (expected === undefined || !isTable(parent)) return undefined
  const { [at[1]]: _ours, ...others } = parent
  const { [at[0]]: _parent, ...rest } = expected
  const isEmpty = Object.keys(others).length === 0
  return findTables(text, at)
    .map(({ from, to }) => `${text.slice(0, from).replace(/\n\n$/, '\n')}${text.slice(to).replace(/^\n/, '')}`)
    .find((edited) => says(edited, { ...expected, [at[0]]: others }) || (isEmpty && says(edited, rest)))
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

// Keeps comments after values.
function setFields(text: string, place: Place, entry: JsonObject): string {
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

/** From the table's first bracket to its last value; comments below that belong to what follows. `head`: the end of its first line. */
interface Place {
  from: number
  head: number
  to: number
}

/** Places where the table may begin: a multi-line string can contain a line that looks like its header. */
function findTables(text: string, at: Path): Place[] {
  const name = at.map((part) => `["']?${part}["']?`).join('[ \\t]*\\.[ \\t]*')
  const begins = text.matchAll(new RegExp(`^[ \\t]*\\[[ \\t]*${name}[ \\t]*\\][^\\n]*`, 'gm'))
  return [...begins].slice(-maxPlaces).map((begin) => placeFrom(text, name, begin.index, begin[0].length))
}

/** Each place costs a parse of the whole text. */
const maxPlaces = 20

function placeFrom(text: string, name: string, from: number, headChars: number): Place {
  const head = from + headChars
  const rest = text.slice(head)
  const next = new RegExp(`^[ \\t]*\\[(?!\\[?[ \\t]*${name}[ \\t]*\\.)`, 'm').exec(rest)
  const own = (next === null ? rest : rest.slice(0, next.index)).replace(/(?:^|\n)(?:[ \t]*(?:#[^\n]*)?(?:\n|$))*$/, '')
  const end = head + own.length
  return { from, head, to: text[end] === '\n' ? end + 1 : end }
}

const isTable = (value: unknown): value is Table => typeof value === 'object' && value !== null && !Array.isArray(value)

// Makes dates comparable; integers beyond 2^53 are already bigints.
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain)
  if (value instanceof Date) return `date ${value.toISOString()}`
  if (isTable(value)) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toPlain(inner)]))
  return value
}
