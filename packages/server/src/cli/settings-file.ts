import { isDeepStrictEqual } from 'node:util'
import type { AgentClient, Json, JsonObject } from '@holdfast/hosts/clients'
import { applyEdits, modify, parse, type ParseError, parseTree } from 'jsonc-parser'
import { parseDocument } from 'yaml'
import { printSnippet } from '../integrations/connect.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { editText } from './rewrite-file.ts'
import { cutTomlTable, readToml, setTomlTable, tableOf } from './toml-file.ts'

/** Changes one entry in another program's settings. Everything else stays unchanged, including comments. */

type Path = readonly (string | number)[]
type Shape = Record<string, unknown>

/**
 * Sets our fields in the entry, and returns the same text if they are set already. Throws a CommandError if the file can't be
 * parsed or has another server under our name.
 */
export function withEntry(text: string, client: AgentClient, entry: JsonObject): string {
  return editText(text, (plain, isMixed) => {
    refuseForeign(readEntry(plain, client), client, entry)
    if (client.format === 'toml') return setTomlTable(plain, tomlPath(client), entry) ?? refuseForm(client, entry)
    if (client.format === 'yaml') return setInYaml(plain, client, entry, isMixed)
    return withListed(setInJson(plain, client.at, entry), client)
  })
}

/** Removes the entry. Keeps the item in `listed`, because another entry may use it. */
export function withoutEntry(text: string, client: AgentClient, entry: JsonObject): string {
  return editText(text, (plain, isMixed) => {
    const present = readEntry(plain, client)
    if (present === undefined) return plain
    refuseForeign(present, client, entry)
    if (client.format === 'toml')
      return cutTomlTable(plain, tomlPath(client)) ?? refuse(`Remove ${client.at.join('.')} by hand.`)
    if (client.format === 'yaml')
      return changeYaml(plain, client.at, isMixed, (document) => document.deleteIn(client.at))
    const without = setInJson(plain, client.at, undefined)
    return saysNothing(without, client.at) ? '' : without
  })
}

/** Whether only the objects that contained the entry are left, without even a comment. */
function saysNothing(text: string, at: Path): boolean {
  const rest = at.slice(0, -1).reduceRight<Json>((inner, name) => ({ [name]: inner }), {})
  return [rest, {}].some((left) => text.replaceAll(/\s+/g, '') === JSON.stringify(left))
}

/** The entry as a file that contains nothing else. */
export const snippetOf = (client: AgentClient, entry: JsonObject): string => `${printSnippet(client, entry)}\n`

/** Our fields of the present entry, as a file that contains nothing else. Empty if there is no entry. */
export function ownFieldsOf(text: string, client: AgentClient, entry: JsonObject): string {
  const present = editedEntry(text, client)
  return isShape(present) ? snippetOf(client, pick(present, entry) as JsonObject) : ''
}

function editedEntry(text: string, client: AgentClient): unknown {
  let found: unknown
  editText(text, (plain) => {
    found = readEntry(plain, client)
    return plain
  })
  return found
}

const pick = (present: Shape, wanted: object): Shape =>
  Object.fromEntries(
    Object.entries(wanted).flatMap(([name, value]) => {
      const found = present[name]
      if (found === undefined) return []
      return [[name, isShape(found) && isShape(value) ? pick(found, value) : found]]
    }),
  )

/** The entry under our name. Throws a CommandError if the file or a parent of the entry has another shape. */
function readEntry(text: string, client: AgentClient): unknown {
  let inner: unknown = readFile(text, client.format)
  for (const [depth, name] of client.at.entries()) {
    if (inner === undefined) return undefined
    if (!isShape(inner)) {
      const place = depth === 0 ? 'the file' : client.at.slice(0, depth).join('.')
      refuse(`The file was not changed: ${place} must contain names and values.`)
    }
    inner = Object.hasOwn(inner, name) ? inner[name] : undefined
  }
  return inner
}

function readFile(text: string, format: AgentClient['format']): unknown {
  if (text.trim() === '') return {}
  if (format === 'toml') return readToml(text) ?? refuseUnreadable('TOML')
  if (format === 'json') return readJson(text)
  const document = parseDocument(text)
  if (document.errors.length > 0) refuseUnreadable('YAML')
  return valueOf(document) ?? {}
}

/** Aliases of aliases can stand for billions of values. */
function valueOf(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS() as unknown
  } catch {
    return refuseUnreadable('YAML')
  }
}

function refuseForeign(present: unknown, client: AgentClient, entry: JsonObject): void {
  if (present === undefined || isOurs(present, entry)) return
  throw new CommandError(
    exitCodes.failure,
    `${client.at.join('.')} already exists and is not Holdfast's. It was not changed.`,
    `Rename it, or add the output of \`connect ${client.id}\` under another name.`,
  )
}

const leniently = { allowTrailingComma: true, disallowComments: false }

function readJson(text: string): Shape {
  const errors: ParseError[] = []
  const found: unknown = parse(text, errors, leniently)
  if (errors.length > 0 || parseTree(text, [], leniently)?.type !== 'object') refuseUnreadable('JSON')
  return found as Shape
}

/** Sets or removes a value in JSON. */
export const withJson = (text: string, at: Path, value: Json | undefined): string =>
  editText(text, (plain) => setJsonValue(plain, at, value))

function setJsonValue(text: string, at: Path, value: Json | undefined): string {
  const whole = text.trim() === '' ? '{}\n' : text
  const before = readJson(whole)
  if (isDeepStrictEqual(valueAt(before, at), value)) return text
  const edits = modify(whole, [...at], value, { formattingOptions: formattingOf(whole) })
  const after = applyEdits(whole, edits)
  // With a duplicate name, the edit may change the one that doesn't count.
  if (!isDeepStrictEqual(valueAt(readJson(after), at), value))
    refuse(`The file was not changed: this command cannot edit ${at.join('.')} in its present form.`)
  return after
}

const valueAt = (whole: unknown, at: Path) =>
  at.reduce<unknown>((inner, name) => (inner as Record<string | number, unknown> | undefined)?.[name], whole)

/** Sets the fields one by one if the entry exists, so that other fields stay. */
function setInJson(text: string, at: Path, value: Json | undefined): string {
  const present = text.trim() === '' ? undefined : valueAt(readJson(text), at)
  if (!isShape(present) || !isShape(value)) return setJsonValue(text, at, value)
  return Object.entries(value).reduce((changed, [name, inner]) => setInJson(changed, [...at, name], inner), text)
}

function withListed(text: string, { listed }: AgentClient): string {
  if (listed === undefined) return text
  const [list] = listed.at
  const present = readJson(text)[list] ?? []
  if (!Array.isArray(present)) return refuse(`The file was not changed: ${list} must be a list.`)
  if (present.some((other: unknown) => isShape(other) && other.id === listed.item.id)) return text
  return setJsonValue(text, [list, present.length], listed.item)
}

function formattingOf(text: string) {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? []
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol: text.includes('\r\n') ? '\r\n' : '\n' }
}

function setInYaml(text: string, client: AgentClient, entry: JsonObject, isMixed: boolean): string {
  const present = readEntry(text, client)
  if (isShape(present) && isDeepStrictEqual(pick(present, entry), entry)) return text
  return changeYaml(text, client.at, isMixed, (document) => {
    const set = (at: Path, value: Json, former: unknown): void => {
      if (isShape(former) && isShape(value))
        for (const [name, inner] of Object.entries(value)) set([...at, name], inner, former[name])
      else document.setIn(at, document.createNode(value))
    }
    set(client.at, entry, present)
  })
}

function changeYaml(
  text: string,
  at: Path,
  isMixed: boolean,
  change: (document: ReturnType<typeof parseDocument>) => void,
): string {
  if (isMixed) refuse('The file was not changed: it has two kinds of line ends. Save it with one kind, then try again.')
  const document = parseDocument(text)
  try {
    change(document)
    const after = document.toString({ lineWidth: 0 })
    // A value with an anchor would also change where it is referenced.
    if (isDeepStrictEqual(withoutAt(parseDocument(after).toJS(), at), withoutAt(parseDocument(text).toJS(), at)))
      return after
  } catch {
    // As below.
  }
  return refuse(`The file was not changed: this command cannot edit ${at.join('.')} in its present form.`)
}

/** Everything except our entry and parents that are empty without it. */
function withoutAt(value: unknown, [name, ...rest]: Path): unknown {
  if (!isShape(value) || name === undefined) return value ?? {}
  const { [name]: inner, ...others } = value
  const left = rest.length === 0 ? undefined : withoutAt(inner, rest)
  return isShape(left) && Object.keys(left).length > 0 ? { ...others, [name]: left } : others
}

const tomlPath = ({ at: [first, second = ''] }: AgentClient): [string, string] => [first, second]

const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null && !Array.isArray(value)

function refuseForm(client: AgentClient, entry: JsonObject): never {
  throw new CommandError(
    exitCodes.failure,
    `The file was not changed: this command cannot set ${client.at.join('.')} in its present form.`,
    `Add this by hand:\n${tableOf(tomlPath(client), entry)}`,
  )
}

function refuse(message: string): never {
  throw new CommandError(exitCodes.failure, message)
}

function refuseUnreadable(format: string): never {
  throw new CommandError(
    exitCodes.failure,
    `The file is not valid ${format}. It was not changed.`,
    'Fix it, then try again.',
  )
}

/** Whether Holdfast wrote this entry: other servers are also named `memory`. */
function isOurs(present: unknown, entry: JsonObject): boolean {
  if (typeof present !== 'object' || present === null) return false
  const found = present as Record<string, unknown>
  const address = addressOf(found)
  if (address !== undefined) {
    const isTools = /\/mcp\/?$/.test(address.pathname)
    return isTools && (address.host === addressOf(entry)?.host || hasOurKey(found))
  }
  const { args } = found
  return Array.isArray(args) && args.includes('mcp') && (hasOurKey(found) || args.some(isOurProgram))
}

// Under the names that our clients use.
function addressOf(entry: Readonly<Record<string, unknown>>): URL | undefined {
  const text = ['url', 'httpUrl', 'serverUrl', 'uri'].map((name) => entry[name]).find((value) => value !== undefined)
  return typeof text === 'string' ? (URL.parse(text) ?? undefined) : undefined
}

const isOurProgram = (text: unknown) =>
  typeof text === 'string' && /holdfast|packages[\\/]server[\\/]src[\\/]main\.ts$/.test(text)

function hasOurKey({ headers, env, bearer_token_env_var: variable }: Record<string, unknown>): boolean {
  const header = (headers as { Authorization?: unknown } | null | undefined)?.Authorization
  const isBearer =
    typeof header === 'string' && /^Bearer (?:svc_|\$?\{(?:env:)?HOLDFAST_KEY\}|\$\{input:holdfastKey\})/.test(header)
  const hasVariable = typeof env === 'object' && env !== null && ('HOLDFAST_KEY' in env || 'HOLDFAST_URL' in env)
  return isBearer || hasVariable || variable === 'HOLDFAST_KEY'
}
