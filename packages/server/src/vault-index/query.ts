import type { DateWindow } from '../text/calendar.ts'
import { datesInQuery } from '../text/dates-in-query.ts'
import { tokenize } from '../text/tokenize.ts'
import type { WordTags } from './index-record.ts'
import { tagWords } from './parts/tag-table.ts'
import type { VaultIndex } from './vault-index.ts'
import { LRUCache } from 'lru-cache'
import { exactTag } from '../crypto/hash.ts'
import { createRandomKey } from '../crypto/keys.ts'
import type { Log } from '../core/log.ts'
import { EmbeddingError, type EmbeddingProvider } from '../embeddings/provider.ts'
import type { Calibration } from '../embeddings/calibration.ts'

/** A question as the index sees it: keyed words, dates, and a vector. It contains no text. */
export interface KeyedQuery {
  /** Distinct keyed words, as pairs of 32-bit words. */
  tags: Uint32Array
  /** The question's words in order, as positions among the distinct ones. */
  sequence: Uint16Array
  /** The first 8 at most; overlapping windows are merged. */
  dateWindows: DateWindow[]
}

/** Words of a question that are keyed. Of a longer one, half are its last words: agents ask before or after a text that they paste. */
const maxWords = 400
/** Date windows that count. Every item's time is compared with each. */
const maxWindows = 8

/** The distinct words of a question, in the order of `KeyedQuery.tags`. */
export const distinctWords = (query: string): string[] => [...new Set(wordsOf(query))]

function wordsOf(query: string): string[] {
  const words = tokenize(query)
  return words.length <= maxWords ? words : [...words.slice(0, maxWords / 2), ...words.slice(-maxWords / 2)]
}

/** Keys a question. Relative dates count from `asOf` (ms). A question without words or dates matches nothing. */
export const keyQuery = (query: string, asOf: number, wordTags: WordTags): KeyedQuery => ({
  ...keyWords(wordsOf(query), wordTags),
  dateWindows: mergeWindows(datesInQuery(query, asOf)),
})

/** Keys words of `distinctWords`, whose stems aren't stemmed again. */
export function keyWords(words: readonly string[], wordTags: WordTags): KeyedQuery {
  const places = new Map<string, number>()
  const sequence = Uint16Array.from(words, (word) => {
    const place = places.get(word) ?? places.size
    places.set(word, place)
    return place
  })
  return {
    tags: tagWords(wordTags([...places.keys()])),
    sequence,
    dateWindows: [],
  }
}

function mergeWindows(windows: readonly DateWindow[]): DateWindow[] {
  const merged: DateWindow[] = []
  for (const { fromMs, toMs } of windows) {
    const met = merged.find((each) => fromMs <= each.toMs && toMs >= each.fromMs)
    if (met !== undefined) Object.assign(met, { fromMs: Math.min(fromMs, met.fromMs), toMs: Math.max(toMs, met.toMs) })
    else if (merged.length < maxWindows) merged.push({ fromMs, toMs })
  }
  return merged
}

/** The question's words that this vault knows, rarest first. At most 32, so that a set of them fits into one number. */
export interface QueryTerms {
  terms: Int32Array
  /** Inverse document frequency of each. */
  weights: Float64Array
  /** The weight of all the question's words, including unknown ones. */
  totalWeight: number
  /** For each term the set of terms that follow it in the question. */
  followers: Uint32Array
}

/** Words beyond this are the most frequent ones of a pasted text. */
export const maxTerms = 32

/** Robertson's formula, never negative. */
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
 * Sums the weights of a set of terms with one lookup per byte of the set, which is faster than a loop over its members. Called for every
 * item that shares a word with the question.
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

/**
 * Caches the vectors of recent questions, so a repeated question is embedded once. In memory only, under a keyed hash of vault, model
 * and text; the key lives as long as the process. Per vault and not per user, because response time and `embeddingTokens` must not
 * reveal what others asked in vaults that a key can't access.
 */
export interface QueryVectors {
  /** Rejects like the provider, and asks it again next time. `tokens` is 0 for a cached vector. */
  vectorOf(provider: EmbeddingProvider, vaultId: string, query: string): Promise<QueryEmbedding>
  readonly counts: Readonly<QueryCounts>
}

interface QueryEmbedding {
  /** Undefined if the model knows no word of the question. */
  vector: Float32Array | undefined
  tokens: number
}

interface QueryCounts {
  /** Questions answered from the cache. */
  kept: number
  embedded: number
}

/** 12 MB with 1,536 numbers each. */
const maxQueries = 2_000
/** Agents repeat a question within one task. Nothing is kept longer than that. */
const keptForMs = 15 * 60_000

export function createQueryVectors(): QueryVectors {
  const key = createRandomKey()
  const known = new LRUCache<string, Promise<QueryEmbedding>>({ max: maxQueries, ttl: keptForMs, ttlAutopurge: true })
  const counts: QueryCounts = { kept: 0, embedded: 0 }
  return {
    counts,
    async vectorOf(provider, vaultId, query) {
      const name = exactTag(key, 'query', `${vaultId}\0${provider.id}\0${query}`).toString('base64')
      const earlier = known.get(name)
      if (earlier !== undefined) {
        const { vector } = await earlier
        counts.kept++
        return { vector, tokens: 0 }
      }
      // Stored before the answer arrives, so simultaneous equal questions are embedded once.
      const embedding = embed(provider, query)
      known.set(name, embedding)
      try {
        const embedded = await embedding
        counts.embedded++
        return embedded
      } catch (error) {
        known.delete(name)
        throw error
      }
    },
  }
}

async function embed(provider: EmbeddingProvider, query: string): Promise<QueryEmbedding> {
  const { vectors, tokens } = await provider.embed([query], 'query')
  return { vector: vectors[0], tokens }
}

/** The question's vector and its model. Only vectors of the same model are compared. */
export interface QueryVector {
  modelId: string
  values: ArrayLike<number>
  /** Maps the model's cosines to similarities. */
  calibration: Calibration
}

export interface EmbeddedQuery {
  vector: QueryVector | undefined
  /** 0 also for a cached vector. */
  tokens: number
  /** Why there is no vector, for the caller. */
  failure: string | undefined
}

interface Asking {
  provider: EmbeddingProvider
  queryVectors: QueryVectors
  vaultId: string
  log: Log
}

export async function embedQuery(
  { provider, queryVectors, vaultId, log }: Asking,
  query: string,
): Promise<EmbeddedQuery> {
  if (query.trim() === '') return { vector: undefined, tokens: 0, failure: undefined }
  try {
    const { vector: values, tokens } = await queryVectors.vectorOf(provider, vaultId, query)
    if (values === undefined)
      return { vector: undefined, tokens, failure: 'the embedding model knows none of its words' }
    return { vector: { modelId: provider.id, values, calibration: provider.calibration }, tokens, failure: undefined }
  } catch (error) {
    if (!(error instanceof EmbeddingError)) throw error
    log.warn('a search ran without vectors', { code: error.code })
    return { vector: undefined, tokens: 0, failure: `the embedding provider did not answer (${error.reason})` }
  }
}
