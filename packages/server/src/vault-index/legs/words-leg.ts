import { type ContextFactor, contextFactor } from './context-factor.ts'
import { type KeyedQuery, type QueryTerms, maxTerms, resolveTerms, weightSums, inverseFrequency } from '../query.ts'
import type { SlotTest } from '../live.ts'
import { none, type SlotOrder } from '../parts/runs.ts'
import { type RankedSlot, TopSlots } from './top-slots.ts'
import { newerFirst, type VaultIndex } from '../vault-index.ts'
import { type WordMatches, maxPerWeight, withMatches } from './word-matches.ts'
import { termMask, firstBit, type WordIndex } from '../parts/words.ts'

/**
 * The words leg. A score is half presence of words relative to an absolute length (P) and half BM25 (B). Both include words of
 * neighbors in the same run, a bonus for adjacent words, and the factors for dates and speakers. A first pass over the postings picks
 * candidates by their own words; the rest is computed only for those.
 *
 * Measurements are recall@10 / nDCG@10 of whole searches with the built-in model on LoCoMo (turns), LifeBench, LongMemEval (sessions),
 * 2WikiMultihop, and where it matters LoCoMo's facts. With the values below: 79.3/61.2, 52.9/55.9, 92.8/85.3, 98.5/90.9, facts 81.2/67.6.
 */

/**
 * P alone 78.9/60.9, 53.4/56.2, 92.8/85.0, 97.0/87.9; B alone 78.2/60.5, 51.8/54.7, 91.6/84.4, 99.0/92.3. Half of each is never far
 * behind the better one.
 */
const presenceShare = 0.5
/** A text with fewer stems gains nothing by being shorter. With 15 79.0/60.7, 52.9/56.0, 92.4/85.3, 98.0/90.5; 35 79.2/61.2, 51.4/55.2, 92.6/85.6, 99.0/90.9. */
const pivotStems = 25
/**
 * The share of a neighbor's word weights that is added to P, and the share of its score that is added to B. Without both: LoCoMo
 * 75.6/58.8, its facts 77.0/66.0, LongMemEval 93.1/85.4; half of both 78.2/60.5, 80.7/67.2, 92.2/85.8; half as much again 79.6/61.8,
 * 82.1/67.6, 92.8/84.7. The others have no runs. Where the facts of a run have nothing in common (the own set, in runs of eight), it costs 0.2.
 */
const neighborWordShare = 0.4
const neighborScoreShare = 0.35
/** The share of the weights of two words that are adjacent in question and text. Without it 78.9/60.7, 52.8/55.5, 92.8/85.1, 97.5/90.2. */
const adjacencyShare = 0.2
/** Without it 78.3/60.0, 50.5/54.0, 91.4/84.2, 98.0/90.1; 0.2 79.0/60.9, 51.0/54.7, 92.1/84.8, 98.5/91.6; 0.8 79.1/61.4, 53.4/56.3, 93.1/85.2, 98.5/90.4. */
const feedbackShare = 0.4
/** Candidates from the first pass, and how many of them add their neighbors. 400 and 400 change nothing. */
const firstPass = 256
const lenders = 100
/** Words of a text that are checked for adjacency. Bounds the time for hostile texts. */
const maxAdjacencyWords = 4096

export interface WordsResult {
  ranked: RankedSlot[]
  /** The largest share of the question's weight found in one item's own words, 0 to 1. */
  coverage: number
}

/** The state of one search. */
interface Search {
  index: VaultIndex
  asked: QueryTerms
  matches: WordMatches
  sumOf: (set: number) => number
  factor: ContextFactor
  /** Whether an item may be returned. */
  passes: SlotTest
  /** Whether an item may lend words to a neighbor in its run. */
  lends: SlotTest
  ties: SlotOrder
}

const best = new TopSlots(firstPass)

/**
 * Ranks items that share words with the question, or are next to such an item in a run. Returns at most `depth` items and never more
 * than 256. Empty if the vault contains none of the question's words.
 */
export function searchWords(
  index: VaultIndex,
  query: KeyedQuery,
  tests: { passes: SlotTest; lends: SlotTest },
  depth: number,
): WordsResult {
  const asked = resolveTerms(index, query)
  if (asked.terms.length === 0) return { ranked: [], coverage: 0 }
  const ties = newerFirst(index)
  return withMatches(index, asked, (matches) => {
    const sumOf = weightSums(asked.weights)
    const search: Search = { index, asked, matches, sumOf, factor: contextFactor(index, query), ...tests, ties }
    const slots = addNeighbors(search, pickFirst(search))
    const coverage = slots.reduce((most, slot) => Math.max(most, sumOf(matches.sets[slot] as number)), 0)
    return { ranked: rank(scoreAll(search, slots), depth, ties), coverage: Math.min(1, coverage / asked.totalWeight) }
  })
}

function lengthNormOf(index: VaultIndex): (slot: number) => number {
  const { distinct } = index.parts.words
  return (slot) => Math.sqrt(Math.max(pivotStems, distinct[slot] as number))
}

/** Allows for rounding in a sum of weights. */
const slack = 1 + 1e-9

/**
 * The best items by their own words. P is scaled to BM25's range with the norm of the pivot, so both are about the weight of the matched
 * words. A bound skips most items that only contain frequent words: if every word of a question occurs in thousands of 100,000 items,
 * this takes 1.6 ms instead of 2.3.
 */
function pickFirst({ index, asked, matches, sumOf, factor, passes, ties }: Search): number[] {
  const { groupEnds, touched, sets, okapi } = matches
  const { distinct } = index.parts.words
  const { greatest } = factor
  const scale = Math.sqrt(pivotStems)
  best.start(firstPass, ties)
  let { floor } = best
  let at = 0
  for (const [group, end] of groupEnds.entries()) {
    // The group's items contain no earlier term, and P is at most the weight of a text's words.
    const weight = slack * asked.weights.subarray(Math.max(0, group - 1)).reduce((sum, each) => sum + each, 0)
    if ((1 + maxPerWeight) * weight * greatest < floor) break
    for (; at < end; at++) {
      const slot = touched[at] as number
      const words = okapi[slot] as number
      if ((weight + words) * greatest < floor) continue
      const stems = distinct[slot] as number
      const presence = (sumOf(sets[slot] as number) * scale) / (stems > pivotStems ? Math.sqrt(stems) : scale)
      const own = presence + words
      if (own * greatest < floor) continue
      // The factor reads one column of the slot, the filter eight.
      const score = own * factor.of(slot)
      if (score < floor || !passes(slot)) continue
      best.offer(slot, score)
      floor = best.floor
    }
  }
  return best.take().map(({ slot }) => slot)
}

/**
 * A turn may lack all words of its question. A fact without any isn't found, because what was learned in one run may be about many
 * things; it only ranks higher if what was learned next to it also fits.
 */
function addNeighbors({ index, passes }: Search, slots: readonly number[]): number[] {
  const { previous, next } = index.parts.runs
  const pool = new Set(slots)
  for (const slot of slots.slice(0, lenders).filter(index.parts.facts.isTurn)) {
    for (const near of [previous[slot] as number, next[slot] as number])
      if (near !== none && passes(near)) pool.add(near)
  }
  return [...pool]
}

function scoreAll(search: Search, slots: readonly number[]): ScoredSlot[] {
  const { index, matches } = search
  const lengthNorm = lengthNormOf(index)
  const halves = slots.map((slot) => scoreHalves(search, slot, lengthNorm(slot)))
  const mostPresence = Math.max(...halves.map(({ presence }) => presence), Number.MIN_VALUE)
  const mostOkapi = Math.max(...halves.map(({ okapi }) => okapi), Number.MIN_VALUE)
  const scored = slots.map((slot, i) => {
    const { presence = 0, okapi = 0 } = halves[i] ?? {}
    return { slot, score: (presenceShare * presence) / mostPresence + ((1 - presenceShare) * okapi) / mostOkapi }
  })
  const fed = feedbackScores(index.parts.words, scored, matches.places, lengthNorm)
  return scored.map(({ slot, score }, i) => ({ slot, score: score + feedbackShare * (fed[i] ?? 0) }))
}

function scoreHalves(search: Search, slot: number, lengthNorm: number): { presence: number; okapi: number } {
  const { index, matches, sumOf, factor, lends } = search
  const { sets, okapi } = matches
  const { previous, next } = index.parts.runs
  const own = sets[slot] as number
  let nearSet = 0
  let nearOkapi = 0
  for (const near of [previous[slot] as number, next[slot] as number]) {
    if (near === none || sets[near] === 0 || !lends(near)) continue
    nearSet |= sets[near] as number
    nearOkapi += okapi[near] as number
  }
  const bonus = adjacencyShare * adjacentWeight(search, slot)
  const presence = sumOf(own) + neighborWordShare * sumOf(nearSet & ~own) + bonus
  const weight = factor.of(slot)
  return {
    presence: (weight * presence) / lengthNorm,
    okapi: weight * ((okapi[slot] as number) + neighborScoreShare * nearOkapi + bonus),
  }
}

/** The weight of the question's word pairs that are adjacent in the item, each counted once. */
function adjacentWeight({ index, asked, matches }: Search, slot: number): number {
  const set = matches.sets[slot] as number
  if ((set & (set - 1)) === 0) return 0
  const { words } = index.parts
  const { followers, weights } = asked
  const counted = new Uint32Array(maxTerms)
  const start = words.startOf(slot)
  let total = 0
  let before = -1
  for (let at = start, end = Math.min(words.ends[slot] as number, start + maxAdjacencyWords); at < end; at++) {
    const place = (matches.places[(words.sequence[at] as number) & termMask] as number) - 1
    if (place >= 0 && before >= 0) {
      const flag = 1 << place
      if (((followers[before] as number) & ~(counted[before] as number) & flag) !== 0) {
        counted[before] = (counted[before] as number) | flag
        total += (weights[before] as number) + (weights[place] as number)
      }
    }
    before = place
  }
  return total
}

function rank(scored: readonly ScoredSlot[], depth: number, ties: SlotOrder): RankedSlot[] {
  best.start(depth, ties)
  for (const { slot, score } of scored) best.offer(slot, score)
  return best.take()
}

/**
 * Feedback: candidates gain if they contain terms that the best items share but the question lacks. This is the number of best items.
 * LoCoMo and LifeBench with 3 79.3/61.2, 51.6/55.2; 5 79.3/61.2, 52.9/55.9; 10 78.8/60.8, 52.1/55.3.
 */
const sourceItems = 5
/** Terms that are used. The same with 8 78.9/61.1, 52.4/55.5; 15 79.3/61.2, 52.9/55.9; 30 79.1/61.3, 51.5/54.9. */
const termCount = 15
/** Words of a text that are read; the start of a long text represents it. 256 and 1,024 change nDCG@10 by at most 0.1. */
const maxWords = 512

interface ScoredSlot {
  slot: number
  score: number
}

/** Visits the distinct terms of a slot, without its first `skip` words. */
function eachTerm(words: WordIndex, slot: number, skip: number, visit: (term: number) => void): void {
  const start = words.startOf(slot)
  for (let at = start + skip, end = Math.min(words.ends[slot] as number, start + skip + maxWords); at < end; at++) {
    const word = words.sequence[at] as number
    if (word >= firstBit) visit(word & termMask)
  }
}

/** The terms of the best items' texts with their weights. Without header words, since days and speakers aren't the topic. */
function feedbackTerms(
  words: WordIndex,
  sources: readonly ScoredSlot[],
  places: Uint8Array,
): [term: number, weight: number][] {
  const mass = new Map<number, number>()
  for (const { slot, score } of sources) {
    eachTerm(words, slot, words.headerLengths[slot] as number, (term) => {
      // A term in only one item can't find another.
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
 * The weight of feedback terms in each candidate, scaled to a maximum of 1. `places` is 0 for all terms except the question's; feedback
 * terms are entered there while this runs, because a Map is ten times slower. Sums are divided by `lengthNorm`.
 */
function feedbackScores(
  words: WordIndex,
  candidates: readonly ScoredSlot[],
  places: Uint8Array,
  lengthNorm: (slot: number) => number,
): number[] {
  const sources = candidates.toSorted((a, c) => c.score - a.score).slice(0, sourceItems)
  const terms = feedbackTerms(words, sources, places)
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
