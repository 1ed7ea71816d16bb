import {
  describeContracts,
  nameOfReference,
  type Contract,
  type JsonSchema,
} from '../../packages/server/src/api/contracts.ts'
import type { Route } from '../../packages/server/src/operation/operation.ts'

/**
 * Prints the client's types: an interface for each input (fields with defaults are optional), output and named component. A
 * schema that it cannot print is an error, never `any`.
 */
export function printClientTypes(routes: readonly Route[], { prefix = '' } = {}): string {
  const { contracts, components } = describeContracts(routes)
  return [
    '// Written by `npm run generate` from the registry of operations; do not edit.',
    ...Object.entries(components).map(([name, schema]) => declare(name, schema, undefined)),
    ...contracts.map(({ operation, input, output }) =>
      [
        declare(`${pascalCase(operation.name)}Input`, withOptionalVault(input), `Input of ${operation.name}.`, true),
        declare(`${pascalCase(operation.name)}Output`, output, `Output of ${operation.name}.`),
      ].join('\n\n'),
    ),
    printShapes(contracts, prefix),
  ]
    .join('\n\n')
    .concat('\n')
}

/** A client has its own vault, so calls do not have to name one. The server rejects a call without any. */
const withOptionalVault = ({ required = [], ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  required: required.filter((name) => name !== 'vaultId'),
})

function printShapes(contracts: readonly Contract[], prefix: string): string {
  const shapes = contracts.map((contract) => {
    const { name, summary } = contract.operation
    const pascal = pascalCase(name)
    const items = findItems(contract)
    const item = items === undefined ? '' : `; item: ${pascal}Output['${items}'][number]`
    return `  /** ${escapeComment(summary)} */\n  '${name}': { input: ${pascal}Input; output: ${pascal}Output${item} }`
  })
  return `/** Input and output of each operation, and the item type of paged ones. */
export interface ${prefix}Operations {\n${shapes.join('\n')}\n}

export type ${prefix}OperationName = keyof ${prefix}Operations`
}

/** Returns the list in a paged answer: the one that is always there. */
export function findItems({ operation, output }: Contract): string | undefined {
  const properties = output.properties ?? {}
  if (properties['hasMore'] === undefined) return undefined
  const [list, ...others] = (output.required ?? []).filter((name) => properties[name]?.type === 'array')
  if (list === undefined || others.length > 0) throw new Error(`${operation.name}: which list is paged?`)
  return list
}

export function declare(name: string, schema: JsonSchema, comment: string | undefined, isInput = false): string {
  const lead = comment === undefined ? '' : `/** ${escapeComment(comment)} */\n`
  const isInterface = schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0
  const body = printType(schema, '', isInput)
  return isInterface ? `${lead}export interface ${name} ${body}` : `${lead}export type ${name} = ${body}`
}

/** With `isInput`, optional fields accept undefined, which is not sent. */
function printType(schema: JsonSchema, indent: string, isInput: boolean): string {
  const { $ref, anyOf, oneOf, allOf, type } = schema
  if ($ref !== undefined) return nameOfReference($ref)
  if ('const' in schema) return printLiteral(schema.const)
  if (schema.enum !== undefined) return unite(schema.enum.map(printLiteral))
  const alternatives =
    anyOf ?? oneOf ?? (Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : undefined)
  if (alternatives !== undefined) return unite(alternatives.map((one) => printType(one, indent, isInput)))
  if (allOf !== undefined) return allOf.map((one) => `(${printType(one, indent, isInput)})`).join(' & ')
  if (type === 'array' && schema.items !== undefined) return arrayOf(printType(schema.items, indent, isInput))
  if (type === 'object') return printObject(schema, indent, isInput)
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' || type === 'boolean' || type === 'null') return type
  if (type === undefined) return 'unknown'
  throw new Error(`Cannot print a type for ${JSON.stringify(schema)}`)
}

const printLiteral = (value: unknown) =>
  typeof value === 'string'
    ? `'${JSON.stringify(value)
        .slice(1, -1)
        .replaceAll("'", String.raw`\'`)}'`
    : JSON.stringify(value)
const unite = (types: readonly string[]) => [...new Set(types)].join(' | ')
const arrayOf = (type: string) => (/^\w+$/.test(type) ? `${type}[]` : `(${type})[]`)

function printObject(schema: JsonSchema, indent: string, isInput: boolean): string {
  const { properties, required = [], additionalProperties, propertyNames } = schema
  if (properties === undefined) {
    const values = additionalProperties === undefined ? 'unknown' : printType(additionalProperties, indent, isInput)
    if (propertyNames === undefined) return `Record<string, ${values}>`
    return `Partial<Record<${printType(propertyNames, indent, isInput)}, ${values}>>`
  }
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, field]) => {
    const isRequired = required.includes(name)
    const type = printType(field, inner, isInput)
    return `${commentField(field, inner)}${inner}${name}${isRequired ? '' : '?'}: ${type}${!isRequired && isInput ? ' | undefined' : ''}`
  })
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('\n')}\n${indent}}`
}

function commentField({ description, default: preset }: JsonSchema, indent: string): string {
  const words = [description, preset === undefined ? undefined : `Default: ${JSON.stringify(preset)}.`]
  const text = words.filter((part) => part !== undefined).join(' ')
  return text === '' ? '' : `${indent}/** ${escapeComment(text)} */\n`
}

export const escapeComment = (text: string) => text.replaceAll('*/', '* /')

const camelCase = (name: string) => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
export const pascalCase = (name: string) => camelCase(`-${name}`)
