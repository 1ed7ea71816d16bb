import { applyEdits, modify, parse, parseTree, type ParseError } from 'jsonc-parser'
import { isDeepStrictEqual } from 'node:util'
import { parseDocument } from 'yaml'
import type { AgentClient, Json, JsonObject } from '@holdfast/hosts/clients'
import { CommandError, exitCodes } from './exit-codes.ts'

/** Changes one entry in somebody else's settings. What else stands there, comments included, stays as it is. */

type Path = readonly string[]

/** The text with the entry; the same text where it says so already. Throws a CommandError for a file that cannot be read. */
export function withEntry(text: string, client: AgentClient, entry: JsonObject): string {
  if (client.format === 'toml') return withTomlTable(text, client.at, entry)
  if (client.format === 'yaml') return withYaml(text, client.at, entry)
  const changed = withJson(text, client.at, entry)
  if (client.listed === undefined) return changed
  const { at, item } = client.listed
  const [list] = at
  const parsed: unknown = (parse(changed, [], leniently) as JsonObject)[list]
  const present: { id?: unknown }[] = Array.isArray(parsed) ? parsed : []
  const index = present.findIndex((other) => other.id === item.id)
  return withJson(changed, [list, index < 0 ? present.length : index], item)
}

/** The text without it; the same text where it is not there. What the list holds is left: something else may ask for it. */
export function withoutEntry(text: string, client: AgentClient): string {
  if (client.format === 'toml') return withoutTomlTable(text, client.at)
  if (client.format === 'yaml') return withYaml(text, client.at, undefined)
  return withJson(text, client.at, undefined)
}

/** How the entry looks by itself. */
export const snippetOf = (client: AgentClient, entry: JsonObject): string => withEntry('', client, entry)

const leniently = { allowTrailingComma: true, disallowComments: false }

export function withJson(text: string, at: readonly (string | number)[], value: Json | undefined): string {
  const whole = text.trim() === '' ? '{}\n' : text
  const errors: ParseError[] = []
  const found: unknown = parse(whole, errors, leniently)
  if (errors.length > 0 || parseTree(whole, [], leniently)?.type !== 'object') throw unreadable('JSON')
  const present = at.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], found)
  if (isDeepStrictEqual(present, value)) return text
  const edits = modify(whole, [...at], value, { formattingOptions: formattingOf(whole) })
  return applyEdits(whole, edits)
}

function formattingOf(text: string) {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? []
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol: text.includes('\r\n') ? '\r\n' : '\n' }
}

function withYaml(text: string, at: Path, value: JsonObject | undefined): string {
  const document = parseDocument(text)
  if (document.errors.length > 0) throw unreadable('YAML')
  if (isDeepStrictEqual(toPlain(document.getIn(at)), value)) return text
  if (value === undefined) document.deleteIn(at)
  else document.setIn(at, document.createNode(value))
  return document.toString({ lineWidth: 0 })
}

const toPlain = (node: unknown): unknown =>
  typeof node === 'object' && node !== null && 'toJSON' in node ? (node as { toJSON(): unknown }).toJSON() : node

// TOML is only ever added to and cut from, by whole tables: that keeps what others wrote without a parser that keeps comments.
function withTomlTable(text: string, at: Path, entry: JsonObject): string {
  const table = [
    `[${at.join('.')}]`,
    ...Object.entries(entry).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
  ]
  const present = findTable(text, at)
  if (present !== undefined && text.slice(present.from, present.to).trim() === table.join('\n')) return text
  if (present === undefined && mentions(text, at))
    throw new CommandError(
      exitCodes.failure,
      `${at.join('.')} is there already, in a form that is not changed by this command.`,
      `Put this in its place by hand:\n${table.join('\n')}`,
    )
  const [before, after] = present === undefined ? [text, ''] : [text.slice(0, present.from), text.slice(present.to)]
  const gap = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
  return `${before}${gap}${table.join('\n')}\n${after === '' ? '' : `\n${after}`}`
}

function withoutTomlTable(text: string, at: Path): string {
  const present = findTable(text, at)
  if (present === undefined) return text
  return `${text.slice(0, present.from).replace(/\n\n$/, '\n')}${text.slice(present.to)}`
}

/** The table and its sub-tables, up to the next other table or the comment above that. */
function findTable(text: string, at: Path): { from: number; to: number } | undefined {
  const name = at.map((part) => `"?${part}"?`).join('\\s*\\.\\s*')
  const begin = new RegExp(`^[ \\t]*\\[\\s*${name}\\s*\\]`, 'm').exec(text)
  if (begin === null) return undefined
  const rest = text.slice(begin.index + begin[0].length)
  const others = new RegExp(`^(?:[ \\t]*#.*\\n)*[ \\t]*\\[(?!\\s*${name}\\s*\\.)`, 'm').exec(rest)
  return { from: begin.index, to: others === null ? text.length : begin.index + begin[0].length + others.index }
}

const mentions = (text: string, at: Path) =>
  new RegExp(`^[ \\t]*(?:\\[\\s*)?${at.map((part) => `"?${part}"?`).join('\\s*\\.\\s*')}\\s*[\\].=]`, 'm').test(text) ||
  new RegExp(`^\\[\\s*${at[0]}\\s*\\][^[]*^\\s*"?${at[1] ?? ''}"?\\s*[.=]`, 'm').test(text)

const unreadable = (format: string) =>
  new CommandError(
    exitCodes.failure,
    `The file is no valid ${format}, and is left as it is.`,
    'Mend it, and try again.',
  )
