/**
 * Weighted reciprocal rank fusion: an item's score is the sum over the lists of weight × (k + 1) / (k + rank), so that
 * the first of a list brings just the list's weight. k = 5 keeps the order of the list heads; with the customary 60 and
 * equal weights the fusion was worse than its better leg (LoCoMo nDCG@10 52.3, against 58.1 and 59.1).
 */
export const rankConstant = 5

export interface RankedList {
  weight: number
  /** Best first, each at most once. */
  slots: readonly number[]
}

export function fuse(lists: readonly RankedList[]): Map<number, number> {
  const scores = new Map<number, number>()
  for (const { weight, slots } of lists) {
    slots.forEach((slot, i) => {
      scores.set(slot, (scores.get(slot) ?? 0) + (weight * (rankConstant + 1)) / (rankConstant + i + 1))
    })
  }
  return scores
}

/**
 * The semantic leg's weight; the words leg has the rest. `coverage` (0 to 1) is the largest share of the question's
 * weight in words that one item holds: the worse the words can answer, the more the meaning counts.
 */
export const semanticWeight = (coverage: number): number => 0.25 + 0.35 * Math.max(0, 1 - coverage / 0.5)
