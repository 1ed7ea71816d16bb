/** A candidate's place in the new order, and what it was worth there. */
export interface Diversified {
  candidate: number
  mmr: number
}

/**
 * Maximal marginal relevance: takes `count` of the candidates one by one, each the best by λ × relevance - (1 - λ) ×
 * likeness to the likest already taken, λ = 1 - diversity / 2. Relevances are scaled to a maximum of 1. `likeness(a,
 * b)` is 0 to 1. Diversity 0 keeps the order, which must be best first.
 */
export function diversify(
  relevances: readonly number[],
  diversity: number,
  count: number,
  likeness: (a: number, b: number) => number,
): Diversified[] {
  const lambda = 1 - diversity / 2
  const best = relevances[0] ?? 0
  const scaled = relevances.map((relevance) => (best > 0 ? (lambda * relevance) / best : 0))
  const likest = new Float64Array(relevances.length)
  const left = new Set(relevances.keys())
  const taken: Diversified[] = []
  while (taken.length < count && left.size > 0) {
    let next = { candidate: -1, mmr: -Infinity }
    for (const candidate of left) {
      const mmr = (scaled[candidate] ?? 0) - (1 - lambda) * (likest[candidate] ?? 0)
      if (mmr > next.mmr) next = { candidate, mmr }
    }
    left.delete(next.candidate)
    taken.push(next)
    for (const candidate of left) {
      likest[candidate] = Math.max(likest[candidate] ?? 0, likeness(next.candidate, candidate))
    }
  }
  return taken
}
