import type { KeyedQuery } from './keyed-query.ts'
import type { VaultIndex } from './vault-index.ts'

/**
 * The question's words that this vault holds: at most 32, so that a set of them is one number. The rarest come first.
 */
export interface QueryTerms {
  terms: Int32Array
  /** Inverse document frequency of each. */
  weights: Float64Array
  /** Of all the question's words, those that no item holds included. */
  totalWeight: number
  /** For each term the set of terms that follow it in the question. */
  followers: Uint32Array
}

/** Words past this are the least telling ones of a pasted text. */
export const maxTerms = 32

/** Robertson's, never negative. */
export const inverseFrequency = (items: number, holding: number): number =>
  Math.log(1 + (items - holding + 0.5) / (holding + 0.5))

export function resolveTerms(index: VaultIndex, query: KeyedQuery): QueryTerms {
  const { words } = index.parts
  const known: { place: number; term: number; weight: number }[] = []
  let totalWeight = 0
  for (let place = 0; place * 2 < query.tags.length; place++) {
    const term = words.terms.find(query.tags, place * 2)
    const holding = term < 0 ? 0 : (words.documentCounts[term] as number)
    const weight = inverseFrequency(words.liveSlots, holding)
    totalWeight += weight
    if (holding > 0) known.push({ place, term, weight })
  }
  const kept = known.toSorted((a, b) => b.weight - a.weight || a.place - b.place).slice(0, maxTerms)
  return {
    terms: Int32Array.from(kept, ({ term }) => term),
    weights: Float64Array.from(kept, ({ weight }) => weight),
    totalWeight,
    followers: followersOf(query.sequence, new Map(kept.map(({ place }, bit) => [place, bit]))),
  }
}

function followersOf(sequence: Uint16Array, bits: ReadonlyMap<number, number>): Uint32Array {
  const followers = new Uint32Array(maxTerms)
  for (let at = 1; at < sequence.length; at++) {
    const before = bits.get(sequence[at - 1] as number)
    const after = bits.get(sequence[at] as number)
    if (before === undefined || after === undefined || before === after) continue
    followers[before] = (followers[before] as number) | (1 << after)
  }
  return followers
}

/**
 * Sums of weights over sets of terms, looked up a byte of the set at a time: quicker than walking the set's members,
 * and asked for every item that shares a word with the question.
 */
export function weightSums(weights: Float64Array): (set: number) => number {
  const sums = new Float64Array(4 * 256)
  for (let byte = 0; byte < 4; byte++) {
    for (let set = 1; set < 256; set++) {
      const lowest = 31 - Math.clz32(set & -set)
      const rest = sums[byte * 256 + (set & (set - 1))] as number
      sums[byte * 256 + set] = rest + (weights[byte * 8 + lowest] ?? 0)
    }
  }
  return (set) =>
    (sums[set & 255] as number) +
    (sums[256 + ((set >>> 8) & 255)] as number) +
    (sums[512 + ((set >>> 16) & 255)] as number) +
    (sums[768 + (set >>> 24)] as number)
}
