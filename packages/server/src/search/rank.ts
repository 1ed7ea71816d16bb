import { dayMs } from '../core/time.ts'
import type { RankedSlot } from '../vault-index/legs/top-slots.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'
import { termMask } from '../vault-index/parts/words.ts'

// What ranks the hits of the legs: fusion, age and importance, diversity.

/** With 2 and 8: LoCoMo 79.2/61.3 and 79.1/61.0, LifeBench 52.5/55.8 and 52.6/55.8, 2WikiMultihop 98.0/90.3 and 97.5/90.5. */
export const rankConstant = 4

export interface RankedList {
  weight: number
  /** Best first, each at most once. */
  ranked: readonly RankedSlot[]
}

/** The share of a standing that is the score's; the rank has the rest. */
const scoreShare = 0.5

/**
 * An item's fused score is the sum over the lists of weight × standing. Half of a standing is the reciprocal rank, (k + 1) / (k + rank),
 * and half is the squared share of the list's best score. Ranks are robust, because scores of words and cosines have nothing in common;
 * scores say whether an item is ahead by a lot or by nothing. The first item of a list gets exactly the list's weight.
 *
 * Figures here are recall@10 / nDCG@10 on LoCoMo, LongMemEval, LifeBench, 2WikiMultihop and the project's own set, at a threshold of 0.2:
 * 79.3/61.2, 92.8/85.3, 52.9/55.9, 98.5/90.9, 93.0/80.4. Only ranks: 79.0/60.6, 92.8/85.4, 52.9/56.0, 97.8/89.2, 91.7/79.0. Only scores:
 * 78.1/60.7, 92.3/84.9, 50.5/54.5, 97.0/90.0, 92.3/80.2. Shares of scores that aren't squared: 79.2/61.1, 92.4/85.1, 52.7/55.9,
 * 97.0/89.3, 92.1/80.1. docs/search-design.md has the table of all constants.
 */
export function fuse(lists: readonly RankedList[]): Map<number, number> {
  const scores = new Map<number, number>()
  for (const { weight, ranked } of lists) {
    const best = ranked[0]?.score ?? 0
    ranked.forEach(({ slot, score }, i) => {
      scores.set(slot, (scores.get(slot) ?? 0) + weight * standingOf(i + 1, best > 0 ? score / best : 1))
    })
  }
  return scores
}

/** 0 to 1. `rank` counts from 1; `share` is the item's score divided by the best of its list. */
export const standingOf = (rank: number, share: number): number =>
  ((1 - scoreShare) * (rankConstant + 1)) / (rankConstant + rank) + scoreShare * share ** 2

/**
 * The semantic leg's weight; the words leg gets the rest. `coverage` (0 to 1) is the largest share of the question's word weight in one
 * item: the less the words can answer, the more the meaning counts. At least 0.125 and 0.375 instead of 0.25: LoCoMo 78.5/60.6
 * and 78.3/60.8, own set 91.5/79.6 and 92.7/80.6. Rising by 0.25 and 0.75 instead of 0.5: LoCoMo 79.3/61.2 and 78.8/61.0, own set 91.3/79.3
 * and 93.2/80.5. From a coverage of 0.25 and 0.75 down: LifeBench 53.1/56.1 and 51.3/54.9, own set 90.9/79.4 and 92.7/80.3.
 */
export const semanticWeight = (coverage: number): number => 0.25 + 0.5 * Math.max(0, 1 - coverage / enoughCoverage)

/** From this coverage on, words say what the question is about. */
export const enoughCoverage = 0.5

/** Half-lives in days. Memories that are true until replaced don't age, nor do notes, which are maintained. */
const timeless: ReadonlySet<string> = new Set(['fact', 'preference', 'constraint', 'skill', 'note'])

/**
 * 0.9 + 0.1 × 2^(-age / halfLife), so an old exact answer still beats a new weak one. Full decay cost 29 to 41 points of recall@10 on
 * sets that span months, a floor of 0.8 about one.
 */
export function decayFactor(memoryType: string, ageMs: number, halfLifeDays: number): number {
  if (timeless.has(memoryType)) return 1
  return 0.9 + 0.1 * 2 ** (-Math.max(0, ageMs) / dayMs / halfLifeDays)
}

/** Importance 1 to 5 only breaks near ties: at equal scores, a step is worth less than one rank among the first nine. */
export const importanceFactor = (importance: number): number => 1 + 0.02 * (importance - 3)

/** A candidate's position in the old order, and its value in the new one. */
export interface Diversified {
  candidate: number
  mmr: number
}

/**
 * Maximal marginal relevance: takes `count` candidates one by one, each the best by λ × relevance - (1 - λ) × its greatest likeness to one
 * already taken, λ = 1 - diversity / 2. Relevances must be sorted, best first, and are scaled to a maximum of 1. `likeness(a, b)` is 0 to
 * 1 and only computed if it can matter. A smaller count gives a prefix of a larger one; diversity 0 keeps the order.
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
    /** How many of the taken candidates it was compared with. */
    compared: 0,
  }))
  const taken: Diversified[] = []
  while (taken.length < count && left.length > 0) {
    let next = { at: 0, mmr: -Infinity }
    for (const [at, each] of left.entries()) {
      // Likeness only subtracts, so neither this one nor later ones can be worth more.
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

/** Words of a text that are compared, enough to find copies. 128 and 512 change nDCG@10 by at most 0.1 on any set. */
const maxWords = 256

/** The text words of a slot, ascending. Without header words, or all items of a day would be similar. */
function wordsOf(index: VaultIndex, slot: number): Uint32Array {
  const { words } = index.parts
  const start = words.startOf(slot) + (words.headerLengths[slot] as number)
  const text = words.sequence.subarray(start, Math.min(words.ends[slot] as number, start + maxWords))
  return text.map((word) => word & termMask).toSorted()
}

/** The squared number of words that two texts share, counting repetitions, over the product of their lengths. */
function overlapLikeness(a: Uint32Array, b: Uint32Array): number {
  if (a.length === 0 || b.length === 0) return 0
  let shared = 0
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const left = a[i] as number
    const right = b[j] as number
    if (left === right) shared++
    if (left <= right) i++
    if (right <= left) j++
  }
  return (shared * shared) / (a.length * b.length)
}

/**
 * How similar two slots are by their words, 0 to 1. Diversity is meant for copies and near copies, so the value is squared and texts about
 * one subject aren't pushed apart. With cosines of vectors instead, texts about one subject are similar too, and diversity cost 4 points
 * of recall@10 on LongMemEval instead of 1, and 1.7 instead of 1.1 on LifeBench.
 */
export function likenessOf(index: VaultIndex, slots: readonly number[]): (a: number, b: number) => number {
  const known: Uint32Array[] = []
  const words = (at: number): Uint32Array => (known[at] ??= wordsOf(index, slots[at] as number))
  return (a, b) => overlapLikeness(words(a), words(b))
}
