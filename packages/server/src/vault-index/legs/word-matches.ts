import { type QueryTerms, maxTerms } from '../query.ts'
import type { VaultIndex } from '../vault-index.ts'
import { type WordIndex, termMask } from '../parts/words.ts'

/**
 * The first pass of the words leg: which items contain which words of the question, and their BM25 scores. The results are in arrays by
 * slot that all searches share, because a search finishes before the next begins. They are cleared through the list of touched slots.
 */

/** BM25's usual constants. */
const k1 = 1.2
const b = 0.75
/** BM25 gives a word at most this many times its weight. */
export const maxPerWeight = k1 + 1

export interface WordMatches {
  count: number
  /** The first `count` are the slots with a word of the question, including dead ones. */
  touched: Uint32Array
  /**
   * Where groups of touched slots end: first the slots that aren't in the postings, then for each term those with it and no rarer one.
   * So later groups are worth less.
   */
  groupEnds: number[]
  /** For each slot, the question terms that it contains, as bits; 0 for most. */
  sets: Uint32Array
  /** The BM25 score of each slot. */
  okapi: Float32Array
  /** For each term of the vault, its place among the question's terms, from 1, or 0. */
  places: Uint8Array
}

const shared: WordMatches = {
  count: 0,
  touched: new Uint32Array(0),
  groupEnds: [],
  sets: new Uint32Array(0),
  okapi: new Float32Array(0),
  places: new Uint8Array(0),
}

function reserve(slots: number, terms: number): void {
  if (shared.sets.length < slots) {
    const room = Math.ceil(slots * 1.25)
    shared.sets = new Uint32Array(room)
    shared.okapi = new Float32Array(room)
    shared.touched = new Uint32Array(room)
  }
  if (shared.places.length < terms) shared.places = new Uint8Array(Math.ceil(terms * 1.25))
}

/** Runs `work` with the matches of the question's terms, which are cleared afterwards. */
export function withMatches<T>(index: VaultIndex, asked: QueryTerms, work: (matches: WordMatches) => T): T {
  const { words } = index.parts
  reserve(words.slotCount, words.terms.count)
  asked.terms.forEach((term, place) => {
    shared.places[term] = place + 1
  })
  try {
    walkTail(words, asked)
    shared.groupEnds.push(shared.count)
    walkPostings(words, asked)
    return work(shared)
  } finally {
    for (let i = 0; i < shared.count; i++) {
      const slot = shared.touched[i] as number
      shared.sets[slot] = 0
      shared.okapi[slot] = 0
    }
    shared.count = 0
    shared.groupEnds = []
    asked.terms.forEach((term) => {
      shared.places[term] = 0
    })
  }
}

/** BM25's denominator is the frequency, plus `base`, plus `perWord` for each word of the text. */
const lengthNorm = (words: WordIndex) => ({ base: k1 * (1 - b), perWord: (k1 * b) / words.meanLength })

function walkPostings(words: WordIndex, { terms, weights }: QueryTerms): void {
  const { postingStarts } = words
  terms.forEach((term, place) => {
    if (term + 1 < postingStarts.length) {
      const from = postingStarts[term] as number
      const to = postingStarts[term + 1] as number
      walkTerm(words, { from, to, flag: 1 << place, weight: (weights[place] as number) * (k1 + 1) })
    }
    shared.groupEnds.push(shared.count)
  })
}

interface TermWalk {
  from: number
  to: number
  flag: number
  weight: number
}

/** The innermost loop of a search. Everything it reads is in local variables. */
function walkTerm(words: WordIndex, { from, to, flag, weight }: TermWalk): void {
  const { postingSlots, postingCounts, ends } = words
  const { sets, okapi, touched } = shared
  const { base, perWord } = lengthNorm(words)
  let { count } = shared
  for (let posting = from; posting < to; posting++) {
    const slot = postingSlots[posting] as number
    const set = sets[slot] as number
    if (set === 0) touched[count++] = slot
    sets[slot] = set | flag
    const frequency = postingCounts[posting] as number
    const length = (ends[slot] as number) - (slot === 0 ? 0 : (ends[slot - 1] as number))
    okapi[slot] = (okapi[slot] as number) + (weight * frequency) / (frequency + base + perWord * length)
  }
  shared.count = count
}

/** The slots that are not in the postings yet. */
function walkTail(words: WordIndex, { weights }: QueryTerms): void {
  const { sequence, ends } = words
  const { okapi } = shared
  words.countWalk()
  const { base, perWord } = lengthNorm(words)
  const frequencies = new Uint8Array(maxTerms)
  let at = words.startOf(words.builtSlots)
  for (let slot = words.builtSlots; slot < words.slotCount; slot++) {
    const end = ends[slot] as number
    const length = end - at
    let set = 0
    for (; at < end; at++) {
      const place = shared.places[(sequence[at] as number) & termMask] as number
      if (place === 0) continue
      set |= 1 << (place - 1)
      frequencies[place - 1] = Math.min((frequencies[place - 1] as number) + 1, 255)
    }
    if (set === 0) continue
    shared.touched[shared.count++] = slot
    shared.sets[slot] = set
    // In the same order and with the same rounding as the postings, so that both give an item the same score.
    for (let place = 0; place < weights.length; place++) {
      const frequency = frequencies[place] as number
      if (frequency === 0) continue
      const weight = (weights[place] as number) * (k1 + 1)
      okapi[slot] = (okapi[slot] as number) + (weight * frequency) / (frequency + base + perWord * length)
    }
    frequencies.fill(0)
  }
}
