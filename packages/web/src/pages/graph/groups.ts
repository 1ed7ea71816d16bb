import { call } from '../../api/call.ts'

/**
 * Colored groups of nodes: the results of a search at the time the group was created. The browser stores only ids and colors, per
 * vault. The search text is vault content, so it is kept in memory only, until the page is reloaded.
 */

export interface Group {
  id: string
  /** An index into the group colors of a scheme. */
  color: number
  nodeIds: readonly string[]
}

/** The number of group colors. */
export const maxGroups = 6
const maxPerKind = 100

const keyOf = (vaultId: string) => `holdfast-graph-groups ${vaultId}`
const words = new Map<string, string>()

export const nameOfGroup = ({ id }: Pick<Group, 'id'>, place: number) => words.get(id) ?? `Group ${place + 1}`

export function readGroups(vaultId: string): readonly Group[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(vaultId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isGroup).slice(0, maxGroups) : []
  } catch {
    // Storage is disabled or its content is broken.
    return []
  }
}

const isGroup = (value: unknown): value is Group => {
  if (typeof value !== 'object' || value === null) return false
  const { id, color, nodeIds } = value as Partial<Group>
  return typeof id === 'string' && Number.isInteger(color) && Array.isArray(nodeIds)
}

export function keepGroups(vaultId: string, groups: readonly Group[]): void {
  try {
    if (groups.length === 0) localStorage.removeItem(keyOf(vaultId))
    else localStorage.setItem(keyOf(vaultId), JSON.stringify(groups))
  } catch {
    // Storage is disabled or full: the groups last until the page is closed.
  }
}

/** Searches memories and notes, and returns the results as a group in the first unused color. */
export async function findGroup(vaultId: string, query: string, others: readonly Group[]): Promise<Group> {
  const asked = { vaultId, q: query, limit: maxPerKind }
  const [memories, notes] = await Promise.all([call('list-memories', asked), call('list-notes', asked)])
  const nodeIds = [
    ...('memories' in memories ? memories.memories.map(({ id }) => id) : []),
    ...notes.notes.map(({ id }) => id),
  ]
  const taken = new Set(others.map(({ color }) => color))
  const color = Array.from({ length: maxGroups }, (_, place) => place).find((place) => !taken.has(place)) ?? 0
  const id = crypto.randomUUID()
  words.set(id, query)
  return { id, color, nodeIds }
}

/** The group of each node. The first group wins if a node is in several. */
export function groupsByNode(groups: readonly Group[]): ReadonlyMap<string, Group> {
  const byNode = new Map<string, Group>()
  for (const group of groups.toReversed()) for (const id of group.nodeIds) byNode.set(id, group)
  return byNode
}
