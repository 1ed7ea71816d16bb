import { invalid } from '../core/errors.ts'
import type { Route } from '../operation/operation.ts'
import { parseInput } from '../operation/parse-input.ts'

/**
 * Parses input against a route's contract, once. `id` or `ids` stand for the route's own id field, and the name of one
 * record's id for the list of such ids.
 */
export function validate(route: Route, raw: Record<string, unknown>): unknown {
  const { data, fields } = parseInput(route.input, withAlias(route, raw))
  if (fields !== undefined) throw invalid(fields)
  return data
}

function withAlias({ alias, input }: Route, raw: Record<string, unknown>): Record<string, unknown> {
  if (alias === undefined) return raw
  const given = aliasesOf(alias).filter(
    ({ short, name }) =>
      (raw[short] ?? undefined) !== undefined &&
      Object.hasOwn(input.shape, name) &&
      (raw[name] ?? undefined) === undefined,
  )
  const renamed = given.map(({ short, name, isOne }) => [name, isOne ? [raw[short]] : raw[short]])
  return given.length === 0 ? raw : { ...raw, ...(Object.fromEntries(renamed) as Record<string, unknown>) }
}

interface Alias {
  short: string
  name: string
  /** Whether the value is one of several that the field takes. */
  isOne: boolean
}

/** A later one counts more. */
const aliasesOf = (alias: string): Alias[] =>
  alias.endsWith('s')
    ? [
        { short: alias.slice(0, -1), name: alias, isOne: true },
        { short: 'ids', name: alias, isOne: false },
      ]
    : [
        { short: 'id', name: alias, isOne: false },
        { short: 'ids', name: `${alias}s`, isOne: false },
      ]
