import { describeContracts, nameOfReference, type JsonSchema } from '../src/api/contracts.ts'
import { routes } from '../src/api/registry.ts'

/** Contracts allow additional fields in answers, so a schema alone doesn't find fields that it should have named. */

const { contracts, components } = describeContracts(routes)
const outputs = new Map(contracts.map(({ operation, output }) => [operation.name, output] as const))

/** The paths in an operation's answer that its contract does not name. */
export const undeclaredFields = (operationName: string, body: unknown): string[] => [
  ...new Set(undeclaredIn([outputs.get(operationName) ?? {}], body, '')),
]

function undeclaredIn(schemas: readonly JsonSchema[], value: unknown, path: string): string[] {
  const all = schemas.flatMap(alternatives)
  if (all.some(isAnyJson)) return []
  if (Array.isArray(value)) {
    const items = all.flatMap((schema) => schema.items ?? [])
    return value.flatMap((item) => undeclaredIn(items, item, `${path}[]`))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = path === '' ? name : `${path}.${name}`
    const fields = all.flatMap(
      ({ properties, additionalProperties }) => properties?.[name] ?? additionalProperties ?? [],
    )
    return fields.length === 0 ? [own] : undeclaredIn(fields, inner, own)
  })
}

/** What a schema says itself and through its references and branches. */
function alternatives(schema: JsonSchema): JsonSchema[] {
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema
  const branches = [...anyOf, ...oneOf, ...allOf]
  const named = $ref === undefined ? undefined : components[nameOfReference($ref)]
  return named === undefined && branches.length === 0
    ? [schema]
    : [...(named === undefined ? [] : alternatives(named)), ...branches.flatMap(alternatives)]
}

const isAnyJson = ({ type, properties, items, const: only, enum: some }: JsonSchema) =>
  type === undefined && properties === undefined && items === undefined && only === undefined && some === undefined
