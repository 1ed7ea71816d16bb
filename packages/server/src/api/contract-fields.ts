import { nameOfReference, type JsonSchema } from './contract-schemas.ts'

/** A field as documentation shows it; `path` leads through objects (`a.b`) and arrays (`a[].b`). */
export interface Field {
  path: string
  /** In words; a part of its own for each record that it names, so that it can be linked. */
  type: TypePart[]
  limits: string
  preset: string
  isRequired: boolean
  description: string
}

export type TypePart = string | { record: string }

/** The fields of an object, each followed by those inside it; named components are linked and not repeated. */
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
