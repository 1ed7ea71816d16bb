import type { VaultIndex } from './vault-index.ts'

/** Which of two items comes first where they rank alike; negative for the first of the two. */
export type SlotOrder = (a: number, b: number) => number

/**
 * The later in time first, of one moment the greater id. Slots tell nothing: whatever touches an item, if only its
 * importance, gives it a new one.
 */
export function newerFirst({ parts }: VaultIndex): SlotOrder {
  const { slotNodes, nodes, facts } = parts
  const { occurredAt } = facts.arrays
  const { keys } = nodes
  return (a, b) => {
    const later = (occurredAt[b] as number) - (occurredAt[a] as number)
    if (later !== 0) return later
    const [nodeA, nodeB] = [(slotNodes[a] as number) * 4, (slotNodes[b] as number) * 4]
    for (let i = 0; i < 4; i++) {
      const greater = (keys[nodeB + i] as number) - (keys[nodeA + i] as number)
      if (greater !== 0) return greater
    }
    return 0
  }
}

/** Best first. */
export const byScore =
  (ties: SlotOrder) =>
  (a: { slot: number; score: number }, b: { slot: number; score: number }): number =>
    b.score - a.score || ties(a.slot, b.slot)
