import type { IndexParts } from './parts.ts'
import type { VaultIndex } from './vault-index.ts'

/** Which of two items comes first; negative for the first of the two, and never 0 for two that differ. */
export type SlotOrder = (a: number, b: number) => number

/** The smaller id first. */
export function compareIds({ slotNodes, nodes: { keys } }: IndexParts, a: number, b: number): number {
  const [nodeA, nodeB] = [(slotNodes[a] as number) * 4, (slotNodes[b] as number) * 4]
  for (let i = 0; i < 4; i++) {
    const difference = (keys[nodeA + i] as number) - (keys[nodeB + i] as number)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * The later in time first, of one moment the greater id. Slots tell nothing: whatever touches an item, if only its
 * importance, gives it a new one.
 */
export function newerFirst({ parts }: VaultIndex): SlotOrder {
  const { occurredAt } = parts.facts.arrays
  return (a, b) => (occurredAt[b] as number) - (occurredAt[a] as number) || compareIds(parts, b, a)
}

/** Best first. */
export const byScore =
  (ties: SlotOrder) =>
  (a: { slot: number; score: number }, b: { slot: number; score: number }): number =>
    b.score - a.score || ties(a.slot, b.slot)
