import { call } from '../../api/call.ts'

/**
 * Groups of nodes with a colour, by vault: what a search found when the group was made. The browser keeps ids and colours alone.
 * What was searched for is a person's own words about their vault, and is known only until the page is loaded anew.
 */

export interface Group {
  id: string
  /** A place among the colours of a scheme. */
  color: number
  nodeIds: readonly string[]
}

/** As many as there are colours. */
export const maxGroups = 6
const mostOfKind = 100

const keyOf = (vaultId: string) => `holdfast-graph-groups ${vaultId}`
const words = new Map<string, string>()

export const nameOfGroup = ({ id }: Pick<Group, 'id'>, place: number) => words.get(id) ?? `Group ${place + 1}`

export function readGroups(vaultId: string): readonly Group[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(vaultId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isGroup).slice(0, maxGroups) : []
  } catch {
    // Storage that is switched off or spoilt: then there are none.
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
    // Then they hold until the page is closed.
  }
}

/** What the searches of memories and of notes find, as a group in the first colour that is free. */
export async function findGroup(vaultId: string, query: string, others: readonly Group[]): Promise<Group> {
  const asked = { vaultId, q: query, limit: mostOfKind }
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

/** The group that colours a node: of several the first. */
export function groupsByNode(groups: readonly Group[]): ReadonlyMap<string, Group> {
  const byNode = new Map<string, Group>()
  for (const group of groups.toReversed()) for (const id of group.nodeIds) byNode.set(id, group)
  return byNode
}
