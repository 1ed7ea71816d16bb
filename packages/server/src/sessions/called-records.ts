import type { CalledRecord } from '../operation/context.ts'

/** So many are kept of a call; a search may find a hundred. */
const maxKept = 10

/** A task is called by its memory's id as well. */
const idFields = [
  ['taskId', 'task'],
  ['memoryId', 'memory'],
  ['noteId', 'note'],
  ['messageId', 'message'],
  ['turnId', 'turn'],
  ['summaryMemoryId', 'memory'],
] as const satisfies [string, CalledRecord['kind']][]

/** Lists of records beside those that the answer is about. */
const asides = new Set(['links', 'relatedMemories', 'vaults'])

/**
 * Which records an answer is about, by the ids that it names: at the top, in its lists, and in the lists of what it holds.
 * What a record holds in turn is not looked at. A page of 20 takes some microseconds.
 */
export function listCalledRecords(answer: unknown): { records: CalledRecord[]; recordCount: number } {
  const found = new Map<string, CalledRecord>()
  if (isObject(answer)) {
    addOwn(found, answer)
    collect(answer, found, 2)
  }
  return { records: [...found.values()].slice(0, maxKept), recordCount: found.size }
}

function collect(whole: Record<string, unknown>, found: Map<string, CalledRecord>, depth: number): void {
  for (const field in whole) {
    const value = whole[field]
    if (!isObject(value) || asides.has(field)) continue
    for (const part of Array.isArray(value) ? (value as unknown[]) : [value])
      if (field === 'memoryIds') add(found, 'memory', part)
      else if (isObject(part) && !addOwn(found, part) && depth > 1) collect(part, found, depth - 1)
  }
}

/** Whether it is a record by itself. */
function addOwn(found: Map<string, CalledRecord>, part: Record<string, unknown>): boolean {
  for (const [field, kind] of idFields) if (add(found, kind, part[field])) return true
  // Nodes of the graph.
  const { type, id } = part
  return (type === 'memory' || type === 'note') && add(found, type, id)
}

function add(found: Map<string, CalledRecord>, kind: CalledRecord['kind'], id: unknown): boolean {
  if (typeof id !== 'string') return false
  if (!found.has(id)) found.set(id, { kind, id })
  return true
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
