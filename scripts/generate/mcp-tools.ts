import { idempotentOperations } from '../../packages/mcp/src/toolsets.ts'
import type { OperationTool } from '../../packages/mcp/src/operation-tool.ts'
import type { InputSchema, PropertySchema } from '../../packages/mcp/src/schema.ts'
import { describeContracts, type Contract, type JsonSchema } from '../../packages/server/src/api/contracts.ts'
import type { Route } from '../../packages/server/src/operation/operation.ts'

/** Prints the MCP server's list of tools, one per operation. */
export function printOperationTools(routes: readonly Route[]): string {
  const { contracts } = describeContracts(routes)
  const tools = contracts.map((contract) => describeTool(contract, contracts))
  refuseUnknown(tools)
  const shared = listShared(tools)
  return `// Written by \`npm run generate\` from the registry of operations; do not edit.

import type { OperationTool } from '../operation-tool.ts'
import type { PropertySchema } from '../schema.ts'

/** Fields that several tools share. */
const shared = {
${[...shared].map(([schema, name]) => `  ${name}: ${schema},`).join('\n')}
} as const satisfies Readonly<Record<string, PropertySchema>>

export const operationTools: readonly OperationTool[] = [
${tools.map((tool) => printTool(tool, shared)).join('\n')}
]
`
}

/** Finds fields that are equal in several tools, as JSON, and gives each a name. */
function listShared(tools: readonly OperationTool[]): Map<string, string> {
  const fields = tools.flatMap(({ inputSchema }) => Object.entries(inputSchema.properties))
  const counts = Map.groupBy(fields, ([, schema]) => JSON.stringify(schema))
  const taken = new Map<string, number>()
  const shared = new Map<string, string>()
  for (const [schema, same] of counts) {
    const [name = ''] = same[0] ?? []
    if (same.length === 1) continue
    const count = (taken.get(name) ?? 0) + 1
    taken.set(name, count)
    shared.set(schema, count === 1 ? name : `${name}${count}`)
  }
  return shared
}

/** Prints one line per field. */
function printTool({ inputSchema, ...tool }: OperationTool, shared: ReadonlyMap<string, string>): string {
  const { type, properties, ...others } = inputSchema
  const fields = Object.entries(properties).map(([name, schema]) => {
    const json = JSON.stringify(schema)
    const known = shared.get(json)
    return `        ${name}: ${known === undefined ? json : `shared.${known}`},`
  })
  const printEntries = (values: object) =>
    Object.entries(values).map(([name, value]) => `${name}: ${JSON.stringify(value)},`)
  return [
    '  {',
    ...printEntries(tool).map((line) => `    ${line}`),
    '    inputSchema: {',
    `      type: '${type}',`,
    ...(fields.length === 0 ? ['      properties: {},'] : ['      properties: {', ...fields, '      },']),
    ...printEntries(others).map((line) => `      ${line}`),
    '    },',
    '  },',
  ].join('\n')
}

/** Checks that the operations that are listed by hand exist. */
function refuseUnknown(tools: readonly OperationTool[]): void {
  const known = new Set(tools.map(({ operation }) => operation as string))
  const unknown = [...idempotentOperations].filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw new Error(`packages/mcp/src/toolsets.ts lists unknown operations: ${unknown.join(', ')}`)
}

function describeTool({ operation, input }: Contract, contracts: readonly Contract[]): OperationTool {
  const { agent } = operation.for
  if (agent === undefined) throw new Error(`Agents can't call ${operation.name}`)
  const { name, summary, effect, scopes, vault } = operation
  const writable = contracts.find((contract) => contract.operation.name === 'write-memory')?.input.properties ?? {}
  return {
    name: name.replaceAll('-', '_'),
    operation: name as OperationTool['operation'],
    toolset: agent.toolset,
    description: summary,
    effect,
    scopes,
    inVault: vault === 'resolved' || vault === 'required',
    inputSchema: {
      type: 'object',
      properties: mapValues(input.properties ?? {}, (field, own) => describeField(field, own, writable)),
      ...printRequired(withoutVault(input.required)),
      additionalProperties: false,
    } satisfies InputSchema,
  }
}

/** Tools do not require a vault, because they use the vault of the connection. */
const withoutVault = (required: readonly string[] = []) => required.filter((name) => name !== 'vaultId')

const printRequired = (required: readonly string[]) => (required.length === 0 ? {} : { required })

type Fields = Readonly<Record<string, JsonSchema>>

/** Describes a field for every host: the most detailed alternative of a union, no references, a type on everything. */
function describeField(field: JsonSchema, name: string, writable: Fields): PropertySchema {
  if (name === 'vaultId') return { type: 'string', description: 'Vault name or id.' }
  const { schema, isNullable } = chooseAlternative(field)
  // Fields that are validated separately have no type in their contract. They are the fields of write-memory.
  const known = schema.type === undefined && schema.const === undefined ? writable[name] : undefined
  if (schema.type === undefined && schema.const === undefined && known === undefined)
    throw new Error(`No MCP type for "${name}"`)
  const described = known === undefined ? schema : chooseAlternative(known).schema
  const description = field.description ?? schema.description
  const { enum: values, format, default: preset, minimum, maximum, minItems, maxItems, items, properties } = described
  return dropUndefined({
    type: getType(described),
    description,
    enum: values as PropertySchema['enum'],
    format: format === 'date-time' ? format : undefined,
    nullable: isNullable ? true : undefined,
    default: preset ?? field.default,
    minimum,
    maximum,
    minItems,
    maxItems,
    items: items === undefined ? undefined : describeField(items, name, writable),
    properties: properties && mapValues(properties, (inner, own) => describeField(inner, own, writable)),
    required: (described.required ?? []).length === 0 ? undefined : described.required,
  })
}

function chooseAlternative(field: JsonSchema): { schema: JsonSchema; isNullable: boolean } {
  const alternatives = field.anyOf ?? field.oneOf
  if (alternatives === undefined) return { schema: field, isNullable: false }
  const isNullable = alternatives.some(({ type }) => type === 'null')
  const others = alternatives.filter(({ type }) => type !== 'null')
  const [best] = others.toSorted((a, b) => rank(b) - rank(a))
  if (best === undefined) throw new Error('Empty union')
  return { schema: best, isNullable }
}

const rank = ({ type }: JsonSchema) => (type === 'object' ? 2 : type === 'array' ? 1 : 0)

function getType({ type, const: constant }: JsonSchema): PropertySchema['type'] {
  if (typeof type === 'string') return type as PropertySchema['type']
  if (typeof constant === 'boolean') return 'boolean'
  throw new Error(`MCP tools need one type per field, not ${JSON.stringify(type)}`)
}

const mapValues = (fields: Fields, map: (field: JsonSchema, name: string) => PropertySchema) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field, name)]))

const dropUndefined = (schema: { [Name in keyof PropertySchema]: PropertySchema[Name] | undefined }): PropertySchema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as unknown as PropertySchema
