import { isDeepStrictEqual } from 'node:util'
import type { AgentClient, Json, JsonObject } from '@holdfast/hosts/clients'
import { applyEdits, modify, parse, type ParseError, parseTree } from 'jsonc-parser'
import { parseDocument } from 'yaml'
import { printSnippet } from '../integrations/connect.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { editText } from './rewrite-file.ts'
import { cutTomlTable, readToml, setTomlTable, tableOf } from './toml-file.ts'

/** Changes one entry in somebody else's settings. What else stands there, comments included, stays as it is. */

type Path = readonly (string | number)[]
type Shape = Record<string, unknown>

/**
 * The text with our fields in the entry; the same text where it says so already. Throws a CommandError for a file that cannot
 * be read, or that has something of others under our name.
 */
export function withEntry(text: string, client: AgentClient, entry: JsonObject): string {
  return editText(text, (plain, isMixed) => {
    refuseForeign(readEntry(plain, client), client, entry)
    if (client.format === 'toml') return setTomlTable(plain, tomlPath(client), entry) ?? refuseForm(client, entry)
    if (client.format === 'yaml') return setInYaml(plain, client, entry, isMixed)
    return withListed(setInJson(plain, client.at, entry), client)
  })
}

/** The text without it; the same text where it is not there. What the list holds is left: something else may ask for it. */
export function withoutEntry(text: string, client: AgentClient, entry: JsonObject): string {
  return editText(text, (plain, isMixed) => {
    const present = readEntry(plain, client)
    if (present === undefined) return plain
    refuseForeign(present, client, entry)
    if (client.format === 'toml')
      return cutTomlTable(plain, tomlPath(client)) ?? refuse(`Take ${client.at.join('.')} out by hand.`)
    if (client.format === 'yaml')
      return changeYaml(plain, client.at, isMixed, (document) => document.deleteIn(client.at))
    const without = setInJson(plain, client.at, undefined)
    return saysNothing(without, client.at) ? '' : without
  })
}

/** Whether nothing is left, not even a comment, but what the entry stood in. */
function saysNothing(text: string, at: Path): boolean {
  const rest = at.slice(0, -1).reduceRight<Json>((inner, name) => ({ [name]: inner }), {})
  return [rest, {}].some((left) => text.replaceAll(/\s+/g, '') === JSON.stringify(left))
}

/** How the entry looks by itself, as a file of its own. */
export const snippetOf = (client: AgentClient, entry: JsonObject): string => `${printSnippet(client, entry)}\n`

/** Of what stands under our name the fields that are ours, as they look by themselves; empty where there are none. */
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

/** What is there under our name. Throws a CommandError where the file, or what is above the entry, is of another shape. */
function readEntry(text: string, client: AgentClient): unknown {
  let inner: unknown = readFile(text, client.format)
  for (const [depth, name] of client.at.entries()) {
    if (inner === undefined) return undefined
    if (!isShape(inner)) {
      const place = depth === 0 ? 'the file' : client.at.slice(0, depth).join('.')
      refuse(`It is left as it is: ${place} must hold names and values, and holds something else.`)
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
    `${client.at.join('.')} is there already and is not Holdfast's; it is left as it is.`,
    `Rename it there, or put in a name of your choice what \`connect ${client.id}\` prints.`,
  )
}

const leniently = { allowTrailingComma: true, disallowComments: false }

function readJson(text: string): Shape {
  const errors: ParseError[] = []
  const found: unknown = parse(text, errors, leniently)
  if (errors.length > 0 || parseTree(text, [], leniently)?.type !== 'object') refuseUnreadable('JSON')
  return found as Shape
}

/** A value of a JSON file, set or taken away. */
export const withJson = (text: string, at: Path, value: Json | undefined): string =>
  editText(text, (plain) => setJsonValue(plain, at, value))

function setJsonValue(text: string, at: Path, value: Json | undefined): string {
  const whole = text.trim() === '' ? '{}\n' : text
  const before = readJson(whole)
  if (isDeepStrictEqual(valueAt(before, at), value)) return text
  const edits = modify(whole, [...at], value, { formattingOptions: formattingOf(whole) })
  const after = applyEdits(whole, edits)
  // A name that stands there twice would be changed where it does not count.
  if (!isDeepStrictEqual(valueAt(readJson(after), at), value))
    refuse(`It is left as it is: ${at.join('.')} stands there in a form that is not changed by this command.`)
  return after
}

const valueAt = (whole: unknown, at: Path) =>
  at.reduce<unknown>((inner, name) => (inner as Record<string | number, unknown> | undefined)?.[name], whole)

/** Field by field where there is something already, so that what others added to it stays. */
function setInJson(text: string, at: Path, value: Json | undefined): string {
  const present = text.trim() === '' ? undefined : valueAt(readJson(text), at)
  if (!isShape(present) || !isShape(value)) return setJsonValue(text, at, value)
  return Object.entries(value).reduce((changed, [name, inner]) => setInJson(changed, [...at, name], inner), text)
}

function withListed(text: string, { listed }: AgentClient): string {
  if (listed === undefined) return text
  const [list] = listed.at
  const present = readJson(text)[list] ?? []
  if (!Array.isArray(present)) return refuse(`It is left as it is: ${list} must be a list, and is not.`)
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
  if (isMixed) refuse('Its line ends are of two kinds; it is left as it is. Save it with one kind, and try again.')
  const document = parseDocument(text)
  try {
    change(document)
    const after = document.toString({ lineWidth: 0 })
    // What is anchored in one place and named in another would change in both.
    if (isDeepStrictEqual(withoutAt(parseDocument(after).toJS(), at), withoutAt(parseDocument(text).toJS(), at)))
      return after
  } catch {
    // As below.
  }
  return refuse(`It is left as it is: ${at.join('.')} stands there in a form that is not changed by this command.`)
}

/** What is not ours; folders of ours that are left empty are not, either. */
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
    `${client.at.join('.')} cannot be set in the form that the file has; it is not changed by this command.`,
    `Put this there by hand:\n${tableOf(tomlPath(client), entry)}`,
  )
}

function refuse(message: string): never {
  throw new CommandError(exitCodes.failure, message)
}

function refuseUnreadable(format: string): never {
  throw new CommandError(
    exitCodes.failure,
    `The file is no valid ${format}, and is left as it is.`,
    'Mend it, and try again.',
  )
}

/** Whether an entry of a client's settings is one that was made here: `memory` is what other servers are called, too. */
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

// As the clients of our table call it.
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
