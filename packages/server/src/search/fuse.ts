/**
 * Weighted reciprocal rank fusion: an item's score is the sum over the lists of weight × (k + 1) / (k + rank), so that
 * the first of a list brings just the list's weight.
 *
 * recall@10 / nDCG@10 on LoCoMo, LongMemEval, LifeBench and the project's own set, at the defaults: k = 2: 78.3/60.3, 92.0/85.1,
 * 50.6/54.4, 87.3/76.8; 4: 78.1/60.2, 92.1/85.0, 51.3/54.8, 87.0/76.0; 6: 78.1/59.9, 92.6/84.5, 51.2/54.6, 86.6/75.5; 60 and equal
 * weights: 74.7/53.8, 91.8/84.2, 48.0/49.8, 85.7/69.2. docs/search.md tells what was tried besides.
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
 * weight in words that one item holds: the worse the words can answer, the more the meaning counts. With 0.125 and 0.375 in
 * place of 0.25: LoCoMo 77.0/59.9 and 78.0/59.0, LifeBench 50.6/54.6 and 50.6/53.3; half more or less of the others moves
 * recall@10 by at most 0.5 on any set.
 */
export const semanticWeight = (coverage: number): number => 0.25 + 0.35 * Math.max(0, 1 - coverage / 0.5)
