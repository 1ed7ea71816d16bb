import { closestTo } from './closest.ts'
import { displayName } from './render/one-line.ts'
import type { InputSchema, PropertySchema } from './schema.ts'
import { ToolProblem } from './tool-problem.ts'

type Given = Readonly<Record<string, unknown>>
type Properties = Readonly<Record<string, PropertySchema>>

interface Check {
  problems: string[]
  /** Whether the server checks the values, because it accepts more forms than a schema without unions can express. */
  leavesValues: boolean
}

/**
 * Checks arguments against a tool's schema. Models send numbers as text, single values instead of lists, null for missing
 * values, and REST field names; all of these are accepted. Otherwise it throws the first ten problems with the closest names.
 * The server checks lengths and ids.
 */
export function checkArguments(
  schema: InputSchema,
  given: Given,
  { leavesValues = false } = {},
): Record<string, unknown> {
  const check: Check = { problems: [], leavesValues }
  const args: Record<string, unknown> = {}
  for (const [asked, value] of Object.entries(given)) {
    if (hasEnoughProblems(check)) break
    const name = resolveArgument(schema, given, asked)
    const property = getProperty(schema.properties, name)
    if (property === undefined) check.problems.push(unknownArgument(schema, asked))
    else if (!isMissing(property, value)) args[name] = checkValue(property, value, name, check)
  }
  requireAll(schema, args, '', check)
  if (check.problems.length > 0) throw new ToolProblem('VALIDATION', check.problems.join('; ').replace(/(?<!\?)$/, '.'))
  return args
}

/** Ten problems are as many as a model can act on; a request may have thousands. */
const hasEnoughProblems = ({ problems }: Check) => problems.length >= 10

const getProperty = (properties: Properties, name: string) =>
  Object.hasOwn(properties, name) ? properties[name] : undefined

const isMissing = ({ nullable }: PropertySchema, value: unknown) =>
  value === undefined || (value === null && nullable !== true)

/** Tool arguments by REST field name. Applies only if the tool has the argument and the call does not use it. */
const toolNamesByField: Readonly<Record<string, string>> = {
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

function resolveArgument(schema: InputSchema, given: Given, asked: string): string {
  const name = toArgumentName(schema, asked)
  return Object.hasOwn(given, name) ? asked : name
}

/** Returns the argument of a tool for a REST field. */
export function toArgumentName({ properties }: { properties: Properties }, field: string): string {
  if (Object.hasOwn(properties, field)) return field
  const other = Object.hasOwn(toolNamesByField, field) ? toolNamesByField[field] : undefined
  return other !== undefined && Object.hasOwn(properties, other) ? other : field
}

function unknownArgument({ properties }: InputSchema, asked: string): string {
  const names = Object.keys(properties)
  const closest = closestTo(asked, names)
  const hint = closest === undefined ? `arguments: ${names.join(', ') || 'none'}` : `did you mean ${closest}?`
  return `${displayName(asked)}: no such argument; ${hint}`
}

function requireAll(
  { properties, required = [] }: { properties: Properties; required?: readonly string[] },
  values: Given,
  path: string,
  { problems }: Check,
): void {
  for (const name of required)
    if (!Object.hasOwn(values, name)) problems.push(`${path}${name}: required (${describeType(properties[name])})`)
}

function checkValue(schema: PropertySchema, given: unknown, path: string, check: Check): unknown {
  if (given === null || hasEnoughProblems(check)) return given
  const value = coerce(schema, given)
  if (!hasType(schema, value)) {
    if (!check.leavesValues) check.problems.push(`${path}: must be ${describeType(schema)}`)
    return value
  }
  if (!check.leavesValues) check.problems.push(...findProblems(schema, value, path))
  const { items, properties, required } = schema
  if (Array.isArray(value))
    return items === undefined ? value : value.map((item, at) => checkValue(items, item, `${path}.${at}`, check))
  if (properties === undefined) return value
  return checkObject({ properties, ...(required && { required }) }, value as Given, `${path}.`, check)
}

/** Passes unknown fields on, because the server knows more fields of records than the tools. */
function checkObject(
  schema: { properties: Properties; required?: readonly string[] },
  value: Given,
  path: string,
  check: Check,
): Given {
  const checked: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value)) {
    const property = getProperty(schema.properties, name)
    if (property === undefined) checked[name] = inner
    else if (!isMissing(property, inner)) checked[name] = checkValue(property, inner, `${path}${name}`, check)
  }
  if (!check.leavesValues) requireAll(schema, checked, path, check)
  return checked
}

function findProblems(schema: PropertySchema, value: unknown, path: string): string[] {
  const { minimum = -Infinity, maximum = Infinity, minItems = 0, maxItems = Infinity } = schema
  if (Array.isArray(value))
    return value.length < minItems || value.length > maxItems
      ? [`${path}: must have ${minItems} to ${maxItems} items (got ${value.length})`]
      : []
  if (schema.enum !== undefined && !schema.enum.includes(value as string))
    return [describeEnumProblem(schema.enum, value, path)]
  return typeof value === 'number' && (value < minimum || value > maximum)
    ? [`${path}: must be ${minimum} to ${maximum} (got ${value})`]
    : []
}

/** Converts a value of another type if its meaning is clear. */
function coerce({ type, items, enum: values }: PropertySchema, value: unknown): unknown {
  if (type === 'array') return coerceList(items, value)
  if (typeof value !== 'string') return type === 'string' && typeof value === 'number' ? String(value) : value
  const text = value.trim()
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  if (type === 'object' && text.startsWith('{')) return parseJson(text) ?? value
  return values === undefined || values.includes(value) ? value : (findEnumValue(values, text) ?? value)
}

function coerceList(items: PropertySchema | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value
  if (typeof value === 'string' && value.trim().startsWith('[')) return parseJson(value) ?? [value]
  return items?.type === 'string' && typeof value !== 'string' ? value : [value]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Accepts `In Progress` for `in_progress`. */
const findEnumValue = (values: readonly unknown[], text: string) =>
  values.find((value) => value === text.toLowerCase().replaceAll(/[\s-]+/g, '_'))

function hasType({ type }: PropertySchema, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

function describeEnumProblem(values: readonly unknown[], value: unknown, path: string): string {
  const closest = closestTo(String(value), values.map(String))
  const hint = closest === undefined ? '' : ` (did you mean ${closest}?)`
  return `${path}: must be one of ${values.join(', ')}${hint}`
}

const typeDescriptions = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
} as const

const describeType = (schema: PropertySchema | undefined): string =>
  schema === undefined ? 'a value' : typeDescriptions[schema.type]
