/** A candidate's place in the new order, and what it was worth there. */
export interface Diversified {
  candidate: number
  mmr: number
}

/**
 * Maximal marginal relevance: takes `count` of the candidates one by one, each the best by λ × relevance - (1 - λ) ×
 * likeness to the likest already taken, λ = 1 - diversity / 2. Relevances must be best first, and are scaled to a maximum of 1;
 * `likeness(a, b)` is 0 to 1, and asked for only where it can decide. Fewer are the first of more; diversity 0 keeps the order.
 */
export function diversify(
  relevances: readonly number[],
  diversity: number,
  count: number,
  likeness: (a: number, b: number) => number,
): Diversified[] {
  const lambda = 1 - diversity / 2
  const best = relevances[0] ?? 0
  const left = relevances.map((relevance, candidate) => ({
    candidate,
    worth: best > 0 ? (lambda * relevance) / best : 0,
    likest: 0,
    /** How many of the taken it was compared with. */
    compared: 0,
  }))
  const taken: Diversified[] = []
  while (taken.length < count && left.length > 0) {
    let next = { at: 0, mmr: -Infinity }
    for (const [at, each] of left.entries()) {
      // Likeness only takes away: neither this one nor those behind it can be worth more.
      if (each.worth <= next.mmr) break
      for (; each.compared < taken.length; each.compared++) {
        const { candidate } = taken[each.compared] as Diversified
        each.likest = Math.max(each.likest, likeness(candidate, each.candidate))
      }
      const mmr = each.worth - (1 - lambda) * each.likest
      if (mmr > next.mmr) next = { at, mmr }
    }
    const [{ candidate } = { candidate: 0 }] = left.splice(next.at, 1)
    taken.push({ candidate, mmr: next.mmr })
  }
  return taken
}
