import { contextFactor } from '../vault-index/legs/context-factor.ts'
import { type KeyedQuery, inverseFrequency, resolveTerms } from '../vault-index/query.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'

/** One of the question's words, in the order of `KeyedQuery.tags`. */
export interface AskedWord {
  /** Its part of what all the question's words weigh, 0 to 1: the rarer in the vault, the more. */
  weight: number
  /** Whether records were looked for by it: some hold it, and no 32 rarer words come before it. */
  isCounted: boolean
  /** Whether it names someone who speaks in the vault. */
  isSpeaker: boolean
}

/** What the words leg makes of a question's words in this vault. */
export function explainWords(index: VaultIndex, query: KeyedQuery): AskedWord[] {
  const { terms, documentCounts, liveSlots } = index.parts.words
  const asked = resolveTerms(index, query)
  const counted = new Set(asked.terms)
  const speakers = contextFactor(index, query).speakers
  return Array.from({ length: query.tags.length / 2 }, (_, place) => {
    const term = terms.find(query.tags, place * 2)
    const holding = term < 0 ? 0 : (documentCounts[term] as number)
    return {
      weight: inverseFrequency(liveSlots, holding) / asked.totalWeight,
      isCounted: counted.has(term),
      isSpeaker: speakers.has(term),
    }
  })
}
