import { invalid } from '../core/errors.ts'
import type { Operation } from '../operation/operation.ts'
import { parseInput } from '../operation/parse-input.ts'

/** Parses input against an operation's contract, once. `id` or `ids` stand for the route's own id field. */
export function validate(operation: Operation, raw: Record<string, unknown>): unknown {
  const { data, fields } = parseInput(operation.input, withAlias(operation, raw))
  if (fields !== undefined) throw invalid(fields)
  return data
}

function withAlias({ alias, input }: Operation, raw: Record<string, unknown>): Record<string, unknown> {
  if (alias === undefined) return raw
  const names = alias.endsWith('s') ? { ids: alias } : { id: alias, ids: `${alias}s` }
  const given = Object.entries(names).filter(
    ([short, name]) =>
      raw[short] !== undefined && Object.hasOwn(input.shape, name) && (raw[name] ?? undefined) === undefined,
  )
  return given.length === 0 ? raw : { ...raw, ...Object.fromEntries(given.map(([short, name]) => [name, raw[short]])) }
}
