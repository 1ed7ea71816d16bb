import { nameOfReference, type JsonSchema } from '../../packages/server/src/api/contracts.ts'
import { printLiteral } from './python-words.ts'

/** A type of the Python client. */
export interface PythonType {
  annotation: string
  /** The expression that turns an answer's value into this type. */
  reader?: string
  /** The objects within an input's value, whose keys have other names on the wire. */
  shape?: string
}

/** Gives a class name to an object within the class `owner`. */
export type NameInner = (schema: JsonSchema, field: string, owner: string) => string

interface Place {
  field: string
  owner: string
  nameInner: NameInner
}

const alternativesOf = ({ anyOf, oneOf, type, ...schema }: JsonSchema): JsonSchema[] | undefined =>
  anyOf ?? oneOf ?? (Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : undefined)

export const isNullable = (schema: JsonSchema): boolean =>
  alternativesOf(schema)?.some(({ type }) => type === 'null') ?? false

const plainTypes: Readonly<Record<string, string>> = {
  integer: 'int',
  number: 'float',
  string: 'str',
  boolean: 'bool',
  null: 'None',
}

/** Values that newer servers may add to an enumeration are valid too. */
export function outputType(schema: JsonSchema, place: Place): PythonType {
  const { $ref, type, format, additionalProperties } = schema
  if ($ref !== undefined) return model(nameOfReference($ref))
  if (typeof schema.const === 'boolean') return { annotation: 'bool' }
  if ('const' in schema || schema.enum !== undefined)
    return { annotation: `${printLiterals(schema.enum ?? [schema.const])} | str` }
  const alternatives = alternativesOf(schema)
  if (alternatives !== undefined) return unite(alternatives.map((one) => outputType(one, place)))
  if (type === 'array') {
    const item = outputType(itemsOf(schema), { ...place, field: singular(place.field) })
    return { annotation: `list[${item.annotation}]`, ...(item.reader && { reader: `many(${item.reader})` }) }
  }
  if (type === 'object' && schema.properties !== undefined)
    return model(place.nameInner(schema, place.field, place.owner))
  if (type === 'object') {
    const value = outputType(additionalProperties ?? {}, { ...place, field: singular(place.field) })
    return { annotation: `dict[str, ${value.annotation}]`, ...(value.reader && { reader: `by_key(${value.reader})` }) }
  }
  if (format === 'date-time') return { annotation: 'datetime', reader: 'parse_time' }
  return plainType(schema)
}

export function inputType(schema: JsonSchema, place: Place): PythonType {
  const { type, format, additionalProperties } = schema
  if (schema.$ref !== undefined) throw new Error(`${place.owner}.${place.field}: inputs have no named schemas`)
  if ('const' in schema || schema.enum !== undefined)
    return { annotation: printLiterals(schema.enum ?? [schema.const]) }
  const alternatives = alternativesOf(schema)
  if (alternatives !== undefined) return unite(alternatives.map((one) => inputType(one, place)))
  if (type === 'array') {
    const { annotation, shape } = inputType(itemsOf(schema), { ...place, field: singular(place.field) })
    return { annotation: `Sequence[${annotation}]`, ...(shape && { shape }) }
  }
  if (type === 'object' && schema.properties !== undefined) {
    const name = place.nameInner(schema, place.field, place.owner)
    return { annotation: name, shape: shapeOf(schema, { ...place, owner: name }) }
  }
  if (type === 'object') {
    const { annotation, shape } = inputType(additionalProperties ?? {}, place)
    if (shape !== undefined) throw new Error(`${place.owner}.${place.field}: a record of objects in an input`)
    return { annotation: `Mapping[str, ${annotation}]` }
  }
  if (format === 'date-time') return { annotation: 'datetime | str' }
  return plainType(schema)
}

function itemsOf(schema: JsonSchema): JsonSchema {
  if (schema.items === undefined) throw new Error(`Cannot print a Python type for ${JSON.stringify(schema)}`)
  return schema.items
}

/** Prints which fields contain objects: `{"dedup": {}}`. */
export function shapeOf(schema: JsonSchema, place: Omit<Place, 'field'>): string {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([field, inner]) => {
    const { shape } = inputType(inner, { ...place, field })
    return shape === undefined ? [] : [`"${field}": ${shape}`]
  })
  return `{${fields.join(', ')}}`
}

const model = (name: string): PythonType => ({ annotation: name, reader: name })

const printLiterals = (values: readonly unknown[]) => `Literal[${values.map(printLiteral).join(', ')}]`

function plainType(schema: JsonSchema): PythonType {
  if (schema.type === undefined && schema.allOf === undefined) return { annotation: 'Any' }
  const annotation = plainTypes[String(schema.type)]
  if (annotation === undefined) throw new Error(`Cannot print a Python type for ${JSON.stringify(schema)}`)
  return { annotation }
}

/** None comes last. Objects of different classes in one field could not be told apart. */
function unite(types: readonly PythonType[]): PythonType {
  const annotations = types.flatMap(({ annotation }) => splitUnion(annotation))
  const sorted = [...new Set(annotations)].toSorted((a, b) => Number(a === 'None') - Number(b === 'None'))
  const readers = [...new Set(types.flatMap(({ reader }) => reader ?? []))]
  const shapes = [...new Set(types.flatMap(({ shape }) => shape ?? []))]
  if (readers.length > 1 || shapes.length > 1) throw new Error(`Cannot tell ${sorted.join(' and ')} apart`)
  return {
    annotation: sorted.join(' | '),
    ...(readers[0] !== undefined && { reader: readers[0] }),
    ...(shapes[0] !== undefined && { shape: shapes[0] }),
  }
}

const splitUnion = (annotation: string) => (annotation.includes('[') ? [annotation] : annotation.split(' | '))

const singular = (field: string): string => field.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
