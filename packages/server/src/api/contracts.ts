import { z } from 'zod'
import type { Route } from '../operation/operation.ts'

/**
 * The contracts of all operations as JSON Schema (draft 2020-12, as in OpenAPI 3.1), from which OpenAPI, documentation and client types
 * are generated. Schemas with an id become named components.
 */
export interface ContractSchemas {
  contracts: readonly Contract[]
  components: Readonly<Record<string, JsonSchema>>
}

export interface Contract {
  operation: Route
  /** As sent: fields with a default are optional. */
  input: JsonSchema
  output: JsonSchema
}

/** The part of JSON Schema that contracts use. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  description?: string
  default?: unknown
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema
  propertyNames?: JsonSchema
  not?: JsonSchema
  if?: JsonSchema
  else?: JsonSchema
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  /** Not a part of it, but generators of clients read it. */
  'x-enum-varnames'?: string[]
}

type Components = Record<string, JsonSchema>

const componentPath = '#/components/schemas/'

export const nameOfReference = (reference: string) => reference.slice(componentPath.length)

export function describeContracts(routes: readonly Route[]): ContractSchemas {
  const components: Components = {}
  const contracts = routes.map((operation) => ({
    operation,
    input: printSchema(operation.input, 'input', components),
    output: printSchema(operation.output, 'output', components),
  }))
  const sorted = Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { contracts, components: Object.fromEntries(sorted) }
}

type Printed = z.core.JSONSchema.BaseSchema
type Definitions = Readonly<Record<string, Printed>>

function printSchema(schema: z.ZodType, io: 'input' | 'output', components: Components): JsonSchema {
  const { $defs: definitions = {}, ...printed } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
  for (const [name, definition] of Object.entries(definitions)) {
    if (isAnyJson(definition)) continue
    if (name.startsWith('__')) throw new Error('A recursive schema needs an id')
    addComponent(components, name, simplify(definition, definitions))
  }
  return simplify(printed, definitions)
}

function addComponent(components: Components, name: string, schema: JsonSchema): void {
  const known = components[name]
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`Two different schemas have the id "${name}"`)
  components[name] = schema
}

// z.json() prints as an unnamed recursive definition; `{}` means the same: any JSON value.
const withoutNumbers = (definition: Printed) => JSON.stringify(definition).replaceAll(/__schema\d+/g, '__schema')
const [anyJson] = Object.values(z.toJSONSchema(z.object({ value: z.json() })).$defs ?? {}).map(withoutNumbers)
const isAnyJson = (definition: Printed) => withoutNumbers(definition) === anyJson

/** Points references to components and drops redundant parts. */
function simplify(printed: Printed, definitions: Definitions): JsonSchema {
  const node = withNamedProperties(asWanted(printed))
  const { $ref, pattern, minimum, maximum, properties, propertyNames, additionalProperties, items } = node
  const inner = (child: Printed | boolean) => simplify(child as Printed, definitions)
  return dropUndefined({
    ...node,
    $schema: undefined,
    description: node.description ?? descriptionOfNullable(node),
    $ref: $ref === undefined ? undefined : relocate($ref, definitions),
    pattern: node.format === undefined ? pattern : undefined,
    // The bounds of safe integers, which z.int() prints.
    minimum: minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum,
    maximum: maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum,
    propertyNames: isObject(propertyNames) && propertyNames.enum !== undefined ? propertyNames : undefined,
    properties:
      properties && Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, inner(child)])),
    // Answers may gain fields, and unknown input fields are ignored. Only records describe additional fields.
    additionalProperties:
      properties === undefined && isObject(additionalProperties) ? inner(additionalProperties) : undefined,
    items: isObject(items) ? inner(items) : undefined,
    anyOf: node.anyOf?.map(inner),
    oneOf: node.oneOf?.map(inner),
    allOf: node.allOf?.map(inner),
  })
}

/** For "this or anything else", shows only what callers should send; the operation itself validates the rest. */
function asWanted(node: Printed): Printed {
  const { anyOf = [], ...rest } = node
  const [wanted, ...others] = anyOf.filter((alternative) => Object.keys(alternative).length > 0)
  return wanted === undefined || others.length > 0 || anyOf.length === 1 ? node : { ...wanted, ...rest }
}

/** A record with a fixed set of names is an object with these properties, since a required property must be defined. */
function withNamedProperties(node: Printed): Printed {
  const { properties, required = [], additionalProperties, propertyNames: _names, ...rest } = node
  if (properties !== undefined || required.length === 0 || !isObject(additionalProperties)) return node
  return { ...rest, required, properties: Object.fromEntries(required.map((name) => [name, additionalProperties])) }
}

/** z.nullable() keeps the description with the value; it belongs to the field. */
const descriptionOfNullable = ({ anyOf = [] }: Printed) =>
  anyOf.some(({ type }) => type === 'null') ? anyOf.find(({ description }) => description)?.description : undefined

function relocate(reference: string, definitions: Definitions): string | undefined {
  const name = reference.replace('#/$defs/', '')
  const definition = definitions[name]
  return definition !== undefined && isAnyJson(definition) ? undefined : componentPath + name
}

const isObject = (node: Printed['items']): node is Printed => typeof node === 'object' && !Array.isArray(node)

const dropUndefined = (schema: Record<string, unknown>): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))

/** A field as documentation shows it; `path` leads through objects (`a.b`) and arrays (`a[].b`). */
export interface Field {
  path: string
  /** For readers, with a separate part for each record name, so that it can be linked. */
  type: TypePart[]
  limits: string
  preset: string
  isRequired: boolean
  description: string
}

type TypePart = string | { record: string }

/** The fields of an object, each followed by its inner fields. Named components are linked, not repeated. */
export function listFields(schema: JsonSchema, prefix = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix + name
    const own: Field = {
      path,
      type: describeType(field),
      limits: describeLimits(field),
      preset: field.default === undefined ? '' : `\`${JSON.stringify(field.default)}\``,
      isRequired: schema.required?.includes(name) ?? false,
      description: field.description ?? '',
    }
    return [own, ...listInnerFields(field, path)]
  })
}

function listInnerFields(field: JsonSchema, path: string): Field[] {
  const inArray = field.items === undefined ? [] : listInnerFields(field.items, `${path}[]`)
  const inUnion = alternativesOf(field).flatMap((one) => listInnerFields(one, path))
  return [...listFields(field, `${path}.`), ...inArray, ...inUnion]
}

const alternativesOf = ({ anyOf, oneOf, allOf }: JsonSchema) => [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])]

function describeType(schema: JsonSchema): TypePart[] {
  const { $ref, type, format } = schema
  if ($ref !== undefined) return [{ record: nameOfReference($ref) }]
  if ('const' in schema) return [`\`${JSON.stringify(schema.const)}\``]
  if (schema.enum !== undefined) return [schema.enum.map((value) => `\`${String(value)}\``).join(', ')]
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0)
    return alternatives.flatMap((one, at) => [...(at === 0 ? [] : [' or ']), ...describeType(one)])
  if (Array.isArray(type)) return [type.join(' or ')]
  if (type === 'array')
    return ['array of ', ...(schema.items === undefined ? ['anything'] : describeType(schema.items))]
  if (type === undefined) return ['any JSON']
  return [format === undefined ? type : `${type} (${format})`]
}

function describeLimits(schema: JsonSchema): string {
  const limits = [
    describeRange(schema.minLength, schema.maxLength, ' characters'),
    describeRange(schema.minItems, schema.maxItems, ' items'),
    describeRange(schema.minimum, schema.maximum, ''),
    ...(schema.anyOf ?? []).map(describeLimits),
  ]
  return limits.filter((limit) => limit !== '').join(', ')
}

function describeRange(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return ''
  if (most === undefined) return `at least ${count(least ?? 0)}${unit}`
  return least === undefined ? `at most ${count(most)}${unit}` : `${count(least)} to ${count(most)}${unit}`
}

const count = (value: number) => value.toLocaleString('en')
