/**
 * The properties in a note's front matter. Reads the YAML that people write there: texts, true and false, and lists of texts. Other
 * values are shown as written. A change rewrites only the lines of its own property, so comments and order stay.
 */

export interface Property {
  key: string
  value: PropertyValue
}

export type PropertyValue =
  | { kind: 'text'; text: string }
  | { kind: 'flag'; isOn: boolean }
  | { kind: 'list'; items: readonly string[] }
  /** Anything else, such as nested values. */
  | { kind: 'other'; source: string }

interface Entry extends Property {
  /** Its lines: the first, and the one after the last. */
  from: number
  to: number
  isFlow: boolean
}

/** The patterns need quadratic time for lines of spaces. */
const maxLineLength = 2_000
const keyLine = /^("(?:[^"\\]|\\.)*"|[^\s#"'[\]{}&*!|>%@`,?:-][^:]*?)[ \t]*:(?:[ \t]+(.*))?$/

/** Undefined if the block isn't a list of properties. */
export const readProperties = (block: string): Property[] | undefined =>
  readEntries(linesOf(block))?.map(({ key, value }) => ({ key, value }))

const linesOf = (block: string) => block.split(/\r?\n/)

function readEntries(lines: readonly string[]): Entry[] | undefined {
  const entries: Entry[] = []
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    const from = at++
    if (/^\s*(?:#.*)?$/.test(line)) continue
    const [, written, raw = ''] = line.length > maxLineLength ? [] : (keyLine.exec(line) ?? [])
    const key = written === undefined ? undefined : scalarIn(written)
    if (key === undefined) return undefined
    while (at < lines.length && /^(?:[ \t]|-(?:[ \t]|$))/.test(lines[at] ?? '')) at++
    const more = lines.slice(from + 1, at)
    entries.push({ key, value: readValue(raw.trim(), more), from, to: at, isFlow: raw.startsWith('[') })
  }
  return entries.length === 0 ? undefined : entries
}

function readValue(raw: string, more: readonly string[]): PropertyValue {
  const other: PropertyValue = { kind: 'other', source: [...(raw === '' ? [] : [raw]), ...more].join('\n') }
  if (more.length > 0) {
    const items = more.map((line) => scalarIn(/^[ \t]*-[ \t]+(.*)$/.exec(line)?.[1] ?? '|'))
    return raw === '' && items.every((item) => item !== undefined) ? { kind: 'list', items } : other
  }
  if (raw === 'true' || raw === 'false') return { kind: 'flag', isOn: raw === 'true' }
  if (raw.startsWith('[')) {
    const items = flowItems(raw)
    return items === undefined ? other : { kind: 'list', items }
  }
  const text = scalarIn(raw)
  return text === undefined ? other : { kind: 'text', text }
}

const flowItem = /[ \t]*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,'"[\]{}]*)[ \t]*(,|$)/y

function flowItems(raw: string): string[] | undefined {
  const inner = /^\[(.*)\]$/.exec(raw)?.[1]
  if (inner === undefined) return undefined
  if (inner.trim() === '') return []
  const items: string[] = []
  for (let at = 0; ;) {
    flowItem.lastIndex = at
    const found = flowItem.exec(inner)
    const item = found === null ? undefined : scalarIn((found[1] ?? '').trim())
    if (found === null || item === undefined) return undefined
    items.push(item)
    at = flowItem.lastIndex
    if (found[2] === '') return items
  }
}

/** The text of a plain or quoted value on one line; undefined for anything else. */
function scalarIn(raw: string): string | undefined {
  if (raw.startsWith('"')) return fromJson(raw)
  if (raw.startsWith("'")) return /^'(?:[^']|'')*'$/.test(raw) ? raw.slice(1, -1).replaceAll("''", "'") : undefined
  return isPlain(raw) || raw === '' ? raw : undefined
}

/** YAML's double quotes accept what JSON's do. */
function fromJson(raw: string): string | undefined {
  try {
    const value: unknown = JSON.parse(raw)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether a text means itself in YAML without quotes. */
const isPlain = (text: string) =>
  /^(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|[-?:](?=\S))/.test(text) && !/[\n\r]|:(?:\s|$)|\s#|\s$/.test(text)

const print = (text: string) => (text === '' || isPlain(text) ? text : JSON.stringify(text))

function printEntry(key: string, value: PropertyValue, isFlow: boolean): string[] {
  const name = keyLine.test(`${key}:`) && scalarIn(key) === key ? key : JSON.stringify(key)
  switch (value.kind) {
    case 'text':
      return [`${name}: ${print(value.text)}`.trimEnd()]
    case 'flag':
      return [`${name}: ${value.isOn}`]
    case 'list':
      if (isFlow || value.items.length === 0) return [`${name}: [${value.items.map(printItem).join(', ')}]`]
      return [`${name}:`, ...value.items.map((item) => `  - ${item === '' ? '""' : print(item)}`)]
    case 'other':
      return [`${name}: ${value.source}`]
  }
}

const printItem = (item: string) => (item === '' || /[,[\]{}'"]/.test(item) ? JSON.stringify(item) : print(item))

/** The block with a new value of a property that it has. */
export function setProperty(block: string, key: string, value: PropertyValue): string {
  return replaceEntry(block, key, ({ isFlow }) => printEntry(key, value, isFlow))
}

export const removeProperty = (block: string, key: string): string => replaceEntry(block, key, () => []).trim()

function replaceEntry(block: string, key: string, linesFor: (entry: Entry) => string[]): string {
  const lines = linesOf(block)
  const entry = readEntries(lines)?.find((one) => one.key === key)
  if (entry === undefined) return block
  return lines.toSpliced(entry.from, entry.to - entry.from, ...linesFor(entry)).join('\n')
}

/** The block with one more property, without a value. */
export const addProperty = (block: string, key: string): string =>
  [...(block === '' ? [] : [block]), ...printEntry(key, { kind: 'text', text: '' }, false)].join('\n')
