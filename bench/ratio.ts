/** How many times as much one side needs as the other, over paired turns. */
export interface Ratio {
  estimate: number
  /** The true ratio is in this interval with the given confidence. */
  low: number
  high: number
}

/**
 * The Hodges-Lehmann estimate and the interval that belongs to Wilcoxon's signed-rank test, of the logarithms of the pairs' ratios
 * (Hollander, Wolfe, Chicken: Nonparametric Statistical Methods, 3rd edition, 3.2 and 3.3). The estimate is the median of the means of
 * all pairs of logarithms, each with itself included; the interval leaves out as many of these means at each end as the test allows.
 * The distribution must be symmetric, which turns in alternating order make it, but not normal: a few disturbed turns hardly matter.
 * Throws if there are too few pairs for this confidence.
 */
export function compareTurns(pairs: readonly (readonly [number, number])[], confidence: number): Ratio {
  const logs = pairs.map(([ours, theirs]) => Math.log(ours / theirs))
  const means = Float64Array.from(logs.flatMap((a, at) => logs.slice(at).map((b) => (a + b) / 2))).toSorted()
  if (!means.every(Number.isFinite)) throw new RangeError('Only positive numbers have a ratio')
  const leftOut = countLeftOut(pairs.length, (1 - confidence) / 2)
  const at = (place: number) => Math.exp(means[place] as number)
  const middle = (means.length - 1) / 2
  return {
    estimate: Math.sqrt(at(Math.floor(middle)) * at(Math.ceil(middle))),
    low: at(leftOut),
    high: at(means.length - 1 - leftOut),
  }
}

/**
 * How many of the means are outside of the interval at each end. The interval ends at the k-th mean, for the largest k such that the sum of
 * signed ranks is below k with a probability of at most `tail`.
 */
function countLeftOut(pairs: number, tail: number): number {
  const ways = countSums(pairs)
  let below = 0
  let k = 0
  while (below + (ways[k] as number) / 2 ** pairs <= tail) below += (ways[k++] as number) / 2 ** pairs
  if (k === 0) throw new RangeError(`${pairs} pairs are too few`)
  return k - 1
}

/** How many of the 2^pairs ways to choose among the ranks 1 to `pairs` have each sum. */
function countSums(pairs: number): Float64Array {
  const ways = new Float64Array((pairs * (pairs + 1)) / 2 + 1)
  ways[0] = 1
  for (let rank = 1; rank <= pairs; rank++)
    for (let sum = ways.length - 1; sum >= rank; sum--) ways[sum] = (ways[sum] as number) + (ways[sum - rank] as number)
  return ways
}
