/**
 * Weighted reciprocal rank fusion: an item's score is the sum over the lists of weight × (k + 1) / (k + rank), so that
 * the first of a list brings just the list's weight.
 *
 * recall@10 / nDCG@10 on LoCoMo, LongMemEval, LifeBench, and all evidence in ten on 2WikiMultihop, at the defaults, with k = 2:
 * 78.3/60.5, 92.0/85.1, 50.6/54.4, 97; 3: 78.5/60.3, 92.1/85.2, 50.8/54.5, 97; 4: 78.4/60.1, 92.1/85.0, 51.2/54.8, 96;
 * 5: 78.0/59.8, 92.1/84.7, 51.2/54.7, 95; 8: 77.8/59.3, 92.3/84.6, 51.3/54.5, 95. Equal ranks for nearly equal scores, lists cut
 * where scores fall, and a k for each list gained nothing.
 */

export const rankConstant = 4

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
