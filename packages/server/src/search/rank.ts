import { dayMs } from '../core/time.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'
import { termMask } from '../vault-index/parts/words.ts'

/**
 * What ranks the hits of the legs: fusion, age and importance, diversity.
 *
 * Weighted reciprocal rank fusion: an item's score is the sum over the lists of weight × (k + 1) / (k + rank), so the first item of a
 * list gets exactly the list's weight.
 *
 * recall@10 / nDCG@10 on LoCoMo, LongMemEval, LifeBench and the project's own set, at the defaults: k = 2: 78.3/60.3, 92.0/85.1,
 * 50.6/54.4, 87.3/76.8; 4: 78.1/60.2, 92.1/85.0, 51.3/54.8, 87.0/76.0; 6: 78.1/59.9, 92.6/84.5, 51.2/54.6, 86.6/75.5; 60 and equal
 * weights: 74.7/53.8, 91.8/84.2, 48.0/49.8, 85.7/69.2. docs/search.md lists what else was tried.
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
 * The semantic leg's weight; the words leg gets the rest. `coverage` (0 to 1) is the largest share of the question's word weight in one
 * item: the less the words can answer, the more the meaning counts. With 0.125 and 0.375 instead of 0.25: LoCoMo 77.0/59.9 and 78.0/59.0,
 * LifeBench 50.6/54.6 and 50.6/53.3; changing the other constants by half changes recall@10 by at most 0.5 on any set.
 */
export const semanticWeight = (coverage: number): number => 0.25 + 0.35 * Math.max(0, 1 - coverage / 0.5)

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

/** Importance 1 to 5 only breaks near ties: a step is worth less than one rank among the first fifteen. */
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
