import { createBest } from '../core/best-of.ts'
import type { NodeType } from '../links/store.ts'
import type { SlotTest } from '../vault-index/live.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'
import { refOf, type WalkedNode } from './walk.ts'

/**
 * The nodes with the most links, at most so many; of equally linked ones the more important, then the newer, so that a vault
 * without links shows something, too. And how many pass in all. One look at each slot: 100,000 take some 10 ms.
 */
export function bestConnected(
  index: VaultIndex,
  passes: SlotTest,
  limit: number,
): { nodes: WalkedNode[]; total: number } {
  const best = createBest(limit, byDegree(index))
  let total = 0
  for (let slot = 0; slot < index.slotCount; slot++) {
    if (!passes(slot)) continue
    total++
    best.offer(slot)
  }
  return { nodes: best.items.map((slot) => nodeAt(index, slot)), total }
}

function byDegree(index: VaultIndex): (a: number, b: number) => number {
  const { importances, createdAt } = index.parts.facts.arrays
  return (a, b) =>
    degreeAt(index, b) - degreeAt(index, a) ||
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
