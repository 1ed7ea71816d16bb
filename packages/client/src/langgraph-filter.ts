import type { MatchCondition } from '@langchain/langgraph-checkpoint'

type Comparison = (value: unknown, wanted: unknown) => boolean

const isSame: Comparison = (value, wanted) => JSON.stringify(value) === JSON.stringify(wanted)

const isIn: Comparison = (value, wanted) => Array.isArray(wanted) && wanted.some((one) => isSame(value, one))

const comparisons: Readonly<Record<string, Comparison>> = {
  $eq: isSame,
  $ne: (value, wanted) => !isSame(value, wanted),
  $gt: (value, wanted) => Number(value) > Number(wanted),
  $gte: (value, wanted) => Number(value) >= Number(wanted),
  $lt: (value, wanted) => Number(value) < Number(wanted),
  $lte: (value, wanted) => Number(value) <= Number(wanted),
  $in: isIn,
  $nin: (value, wanted) => !isIn(value, wanted),
}

/**
 * Whether an item has all fields of a filter. Each is a value, or an object of comparisons, as in LangGraph's in-memory store: an object
 * with any other name in it is a value. Objects and lists are compared by what they contain.
 */
export const matchesFilter = (item: Readonly<Record<string, unknown>>, filter: Readonly<Record<string, unknown>>) =>
  Object.entries(filter).every(([field, wanted]) => matches(item[field], wanted))

function matches(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return isSame(value, wanted)
  const operations = Object.entries(wanted)
  const isValue = operations.some(([name]) => !(name in comparisons))
  return isValue ? isSame(value, wanted) : operations.every(([name, operand]) => comparisons[name]?.(value, operand))
}

export function matchesNamespace(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  const names = matchType === 'prefix' ? namespace.slice(0, path.length) : namespace.slice(-path.length)
  return names.length === path.length && path.every((name, at) => name === '*' || name === names[at])
}
