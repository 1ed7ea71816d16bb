import { closestTo } from './closest.ts'
import { nameOf } from './render/one-line.ts'
import type { InputSchema, PropertySchema } from './schema.ts'
import { ToolProblem } from './tool-problem.ts'

type Given = Readonly<Record<string, unknown>>
type Properties = Readonly<Record<string, PropertySchema>>

interface Check {
  problems: string[]
  /** Whether wrong values are left to the service, which knows more forms than a schema without unions can say. */
  leavesValues: boolean
}

/**
 * Arguments as a tool's schema has them. Models send numbers as text, one value for a list, null for nothing, and the names
 * of the REST fields: all that is taken as meant. What cannot be meant is refused with its first ten problems and the nearest names.
 * Lengths and ids are left to the service, which says what is wrong with them.
 */
export function checkArguments(
  schema: InputSchema,
  given: Given,
  { leavesValues = false } = {},
): Record<string, unknown> {
  const check: Check = { problems: [], leavesValues }
  const args: Record<string, unknown> = {}
  for (const [asked, value] of Object.entries(given)) {
    if (isEnough(check)) break
    const name = argumentMeant(schema, given, asked)
    const property = propertyOf(schema.properties, name)
    if (property === undefined) check.problems.push(unknownArgument(schema, asked))
    else if (!isNothing(property, value)) args[name] = checkValue(property, value, name, check)
  }
  requireAll(schema, args, '', check)
  if (check.problems.length > 0) throw new ToolProblem('VALIDATION', check.problems.join('; ').replace(/(?<!\?)$/, '.'))
  return args
}

/** As many as a model can act on; a request may hold a hundred thousand. */
const isEnough = ({ problems }: Check) => problems.length >= 10

const propertyOf = (properties: Properties, name: string) =>
  Object.hasOwn(properties, name) ? properties[name] : undefined

const isNothing = ({ nullable }: PropertySchema, value: unknown) =>
  value === undefined || (value === null && nullable !== true)

/** What the REST fields are called in tools; only where the tool has that argument and the call does not use it. */
const otherNames: Readonly<Record<string, string>> = {
  vaultId: 'vault',
  agentRunId: 'run',
  memoryId: 'id',
  noteId: 'id',
  taskId: 'id',
  nodeId: 'id',
  id: 'ids',
  messageId: 'ids',
  memoryIds: 'ids',
  noteIds: 'ids',
  messageIds: 'ids',
  topK: 'limit',
  supersededById: 'supersedes',
  folderPath: 'folder',
  maxResponseChars: 'maxChars',
}

function argumentMeant(schema: InputSchema, given: Given, asked: string): string {
  const name = argumentNameOf(schema, asked)
  return Object.hasOwn(given, name) ? asked : name
}

/** What a tool calls a REST field; the same where it has no other name for it. */
export function argumentNameOf({ properties }: { properties: Properties }, field: string): string {
  if (Object.hasOwn(properties, field)) return field
  const other = Object.hasOwn(otherNames, field) ? otherNames[field] : undefined
  return other !== undefined && Object.hasOwn(properties, other) ? other : field
}

function unknownArgument({ properties }: InputSchema, asked: string): string {
  const names = Object.keys(properties)
  const closest = closestTo(asked, names)
  const hint = closest === undefined ? `this tool takes ${names.join(', ') || 'none'}` : `did you mean ${closest}?`
  return `${nameOf(asked)}: no such argument; ${hint}`
}

function requireAll(
  { properties, required = [] }: { properties: Properties; required?: readonly string[] },
  values: Given,
  path: string,
  { problems }: Check,
): void {
  for (const name of required)
    if (!Object.hasOwn(values, name)) problems.push(`${path}${name}: required (${kindOf(properties[name])})`)
}

function checkValue(schema: PropertySchema, given: unknown, path: string, check: Check): unknown {
  if (given === null || isEnough(check)) return given
  const value = coerce(schema, given)
  if (!isOfKind(schema, value)) {
    if (!check.leavesValues) check.problems.push(`${path}: must be ${kindOf(schema)}`)
    return value
  }
  if (!check.leavesValues) check.problems.push(...problemsWith(schema, value, path))
  const { items, properties, required } = schema
  if (Array.isArray(value))
    return items === undefined ? value : value.map((item, at) => checkValue(items, item, `${path}.${at}`, check))
  if (properties === undefined) return value
  return checkObject({ properties, ...(required && { required }) }, value as Given, `${path}.`, check)
}

/** The service knows more fields of records than the tools name, and judges those. */
function checkObject(
  schema: { properties: Properties; required?: readonly string[] },
  value: Given,
  path: string,
  check: Check,
): Given {
  const checked: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value)) {
    const property = propertyOf(schema.properties, name)
    if (property === undefined) checked[name] = inner
    else if (!isNothing(property, inner)) checked[name] = checkValue(property, inner, `${path}${name}`, check)
  }
  if (!check.leavesValues) requireAll(schema, checked, path, check)
  return checked
}

function problemsWith(schema: PropertySchema, value: unknown, path: string): string[] {
  const { minimum = -Infinity, maximum = Infinity, minItems = 0, maxItems = Infinity } = schema
  if (Array.isArray(value))
    return value.length < minItems || value.length > maxItems
      ? [`${path}: must have ${minItems} to ${maxItems} items (got ${value.length})`]
      : []
  if (schema.enum !== undefined && !schema.enum.includes(value as string)) return [notOneOf(schema.enum, value, path)]
  return typeof value === 'number' && (value < minimum || value > maximum)
    ? [`${path}: must be ${minimum} to ${maximum} (got ${value})`]
    : []
}

/** What was surely meant, where the kind is another one. */
function coerce({ type, items, enum: values }: PropertySchema, value: unknown): unknown {
  if (type === 'array') return coerceList(items, value)
  if (typeof value !== 'string') return type === 'string' && typeof value === 'number' ? String(value) : value
  const text = value.trim()
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  if (type === 'object' && text.startsWith('{')) return parsed(text) ?? value
  return values === undefined || values.includes(value) ? value : (meantValue(values, text) ?? value)
}

function coerceList(items: PropertySchema | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value
  if (typeof value === 'string' && value.trim().startsWith('[')) return parsed(value) ?? [value]
  return items?.type === 'string' && typeof value !== 'string' ? value : [value]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `In Progress` for `in_progress`. */
const meantValue = (values: readonly unknown[], text: string) =>
  values.find((value) => value === text.toLowerCase().replaceAll(/[\s-]+/g, '_'))

function isOfKind({ type }: PropertySchema, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

function notOneOf(values: readonly unknown[], value: unknown, path: string): string {
  const closest = closestTo(String(value), values.map(String))
  const hint = closest === undefined ? '' : ` (did you mean ${closest}?)`
  return `${path}: must be one of ${values.join(', ')}${hint}`
}

const kinds = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
} as const

const kindOf = (schema: PropertySchema | undefined): string => (schema === undefined ? 'a value' : kinds[schema.type])
