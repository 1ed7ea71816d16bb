import { inverseFrequency, maxTerms } from './query-terms.ts'
import { firstBit, termMask } from './words.ts'
import type { WordIndex } from './words.ts'

/** Terms that the question lacks but its best items share, and what the other candidates hold of them. */

/** recall@10 / nDCG@10 on LoCoMo and LifeBench: with 3 77.8/59.8, 50.7/54.5; 5 78.1/60.2, 51.3/54.8; 10 78.4/60.0, 51.4/55.0. */
const sourceItems = 5
/** Likewise: with 8 78.1/60.1, 51.3/54.7; 15 78.1/60.2, 51.3/54.8; 30 78.1/59.9, 50.8/54.6. */
const termCount = 15
/** Words of a text that are looked at: a long text's beginning stands for it. 256 and 1,024 move nDCG@10 by at most 0.1. */
const maxWords = 512

export interface ScoredSlot {
  slot: number
  score: number
}

/** Distinct terms of a slot from its word `skip` on. */
function eachTerm(words: WordIndex, slot: number, skip: number, visit: (term: number) => void): void {
  const start = words.startOf(slot)
  for (let at = start + skip, end = Math.min(words.ends[slot] as number, start + skip + maxWords); at < end; at++) {
    const word = words.sequence[at] as number
    if (word >= firstBit) visit(word & termMask)
  }
}

/**
 * The terms of the best items' texts with their weights. Header words are left out: days and speakers are not what is
 * looked for.
 */
function feedbackTerms(
  words: WordIndex,
  best: readonly ScoredSlot[],
  places: Uint8Array,
): [term: number, weight: number][] {
  const mass = new Map<number, number>()
  for (const { slot, score } of best) {
    eachTerm(words, slot, words.headerLengths[slot] as number, (term) => {
      // A term of one item alone finds no other.
      if (places[term] === 0 && (words.documentCounts[term] as number) > 1) {
        mass.set(term, (mass.get(term) ?? 0) + score)
      }
    })
  }
  const weighted = Array.from(mass, ([term, score]): [number, number] => {
    return [term, score * inverseFrequency(words.liveSlots, words.documentCounts[term] as number)]
  })
  return weighted.toSorted((a, c) => c[1] - a[1]).slice(0, termCount)
}

/**
 * For each candidate what it holds of the feedback terms, scaled to a maximum of 1. `places` is 0 for all terms but the
 * question's; the feedback terms get places there for as long as this runs, since a map of them is ten times slower.
 * `lengthNorm` is what sums of weights are divided by in the words leg.
 */
export function feedbackScores(
  words: WordIndex,
  candidates: readonly ScoredSlot[],
  places: Uint8Array,
  lengthNorm: (slot: number) => number,
): number[] {
  const best = candidates.toSorted((a, c) => c.score - a.score).slice(0, sourceItems)
  const terms = feedbackTerms(words, best, places)
  const weights = new Float64Array(256)
  terms.forEach(([term, weight], i) => {
    places[term] = maxTerms + 1 + i
    weights[maxTerms + 1 + i] = weight
  })
  const scores = candidates.map(({ slot }) => {
    let sum = 0
    eachTerm(words, slot, 0, (term) => {
      sum += weights[places[term] as number] as number
    })
    return sum / lengthNorm(slot)
  })
  for (const [term] of terms) places[term] = 0
  const top = Math.max(...scores, Number.MIN_VALUE)
  return scores.map((score) => score / top)
}
