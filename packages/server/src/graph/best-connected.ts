import { createBest } from '../core/best-of.ts'
import type { RelationType } from '../links/relation-types.ts'
import type { NodeType } from '../links/store.ts'
import type { SlotTest } from '../vault-index/live.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'
import { refOf, type WalkedNode } from './walk.ts'

interface Wanted {
  passes: SlotTest
  limit: number
  /** Only links of these count, and nodes that have one. Left out: all links count, and nodes without any are there, too. */
  relationTypes?: readonly RelationType[] | undefined
}

/**
 * The nodes with the most links, at most so many; of equally linked ones the more important, then the newer, so that a vault
 * without links shows something, too. And how many pass in all. One look at each slot: 100,000 take some 10 ms.
 */
export function bestConnected(
  index: VaultIndex,
  { passes, limit, relationTypes }: Wanted,
): { nodes: WalkedNode[]; total: number } {
  const counts = relationTypes === undefined ? undefined : countLinks(index, relationTypes)
  const countAt = (slot: number) => counts?.[index.parts.slotNodes[slot] as number] ?? degreeAt(index, slot)
  const best = createBest(limit, byCount(index, countAt))
  let total = 0
  for (let slot = 0; slot < index.slotCount; slot++) {
    if (!passes(slot) || (counts !== undefined && countAt(slot) === 0)) continue
    total++
    best.offer(slot)
  }
  return { nodes: best.items.map((slot) => nodeAt(index, slot)), total }
}

/** By node: its links of these relations, each way. */
function countLinks({ parts }: VaultIndex, relationTypes: readonly RelationType[]): Uint32Array {
  const counts = new Uint32Array(parts.nodes.count)
  const count = (node: number) => (counts[node] = (counts[node] as number) + 1)
  for (const relation of relationTypes)
    parts.links.forEachOf(parts.relationNames.indexOf(relation), (source, target) => {
      count(source)
      count(target)
    })
  return counts
}

function byCount(index: VaultIndex, countAt: (slot: number) => number): (a: number, b: number) => number {
  const { importances, createdAt } = index.parts.facts.arrays
  return (a, b) =>
    countAt(b) - countAt(a) ||
    (importances[b] as number) - (importances[a] as number) ||
    (createdAt[b] as number) - (createdAt[a] as number) ||
    (index.itemIdOf(a) < index.itemIdOf(b) ? -1 : 1)
}

const degreeAt = ({ parts }: VaultIndex, slot: number): number => parts.links.degreeOf(parts.slotNodes[slot] as number)

const nodeAt = (index: VaultIndex, slot: number): WalkedNode & { type: NodeType } => ({
  ...refOf(index, slot),
  hop: 0,
  degree: degreeAt(index, slot),
  via: undefined,
})
