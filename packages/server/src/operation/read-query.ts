import type { z } from 'zod'
import { shapeOf, type Shape } from './parse-input.ts'

type Query = Readonly<Record<string, string | string[] | undefined>>

/**
 * What a query string says, as the JSON that a contract takes: texts become the numbers and flags that the contract wants, and a field that
 * stands once where a list is wanted becomes a list of one. What fits nothing stays text, so that the contract refuses it.
 */
export function readQuery(schema: z.ZodObject, query: Query): Record<string, string | number | boolean | unknown[]> {
  const shape = shapeOf(schema)
  const fields =
    shape.kind === 'object' ? new Map(shape.fields.map((field) => [field.name, field.shape])) : new Map<string, Shape>()
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, given]) =>
      given === undefined ? [] : [[name, readField(fields.get(name), given)]],
    ),
  )
}

function readField(shape: Shape | undefined, given: string | string[]) {
  if (shape?.kind !== 'list') return typeof given === 'string' ? readValue(shape, given) : given
  return [given].flat().map((one) => readValue(shape.element, one))
}

const number = /^-?\d+(\.\d+)?$/

function readValue(shape: Shape | undefined, text: string): string | number | boolean {
  if (shape?.kind === 'number' && number.test(text)) return Number(text)
  if (shape?.kind === 'flag' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
