import { type Entry, type EntryVectors, maxDims, maxNameWords, tagBytes, quantize } from './stored/entry.ts'
import { atOnce, type Pieces, inPieces } from '../core/in-pieces.ts'
import { everydayWords } from '../text/everyday-words.ts'
import { type RecordHeader, headerWords } from '../text/header-words.ts'
import { normalizeForEquality } from '@holdfast/transfer/text/normalize'
import { indexingWords, nameWords } from '../text/tokenize.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Log } from '../core/log.ts'
import { embedApart } from '../embeddings/refused-texts.ts'
import { EmbeddingError, type EmbeddingProvider } from '../embeddings/provider.ts'
import { chunking } from '../text/split-text.ts'
import type { VectorFacts } from './stored/store.ts'

/** What search needs of a record: keyed words and vectors. A provider that is down doesn't fail a write. */

/** The vault's keyed hash: 8 bytes for each word, concatenated. */
export type WordTags = (words: readonly string[]) => Buffer

export interface IndexedRecord {
  text: string
  /** The text by which equal records are found, ignoring letter case and white space. Omitted for records that aren't compared. */
  exactText?: string
  header: RecordHeader
  /** The record's agent run (conversation), in which neighbors lend words to each other. */
  agentRunId?: string
  /** One vector for each chunk of the text; omitted while pending. */
  vectors?: { modelId: string; chunks: readonly ArrayLike<number>[] }
}

/** Names contain a space, so they never collide with a word of a text. */
export const runName = (agentRunId: string): string => `run ${agentRunId}`
export const entityName = (entity: string): string => `entity ${normalizeForEquality(entity)}`
const wholeText = (text: string): string => `text ${normalizeForEquality(text)}`

/** The tag in entries of records with this `exactText`. */
export const keyText = (text: string, wordTags: WordTags): Uint8Array => new Uint8Array(wordTags([wholeText(text)]))

/** Limit of names per record. A record with more isn't about one thing, and is still found by all of their words. */
const maxNames = 64

/** A qualifier such as "(planet)" in "Mercury (planet)", which other texts leave out. */
const bracket = /\s\([^()]*\)\s*$/

/** The distinct phrases by which other texts may mention the record: its title, or its entities if it has none. */
function namesOf({ title, entities }: RecordHeader): string[][] {
  const phrases = (title === undefined ? entities : [title, title.replace(bracket, '')]).map(nameWords)
  const names = new Map(phrases.map((words) => [words.join(' '), words]))
  return [...names.values()].filter(canBeName).slice(0, maxNames)
}

const canBeName = (words: readonly string[]): boolean =>
  words.length > 0 && words.length <= maxNameWords && !(words.length === 1 && everydayWords.has(words[0] ?? ''))

function quantizeChunks(vectors: NonNullable<IndexedRecord['vectors']>): EntryVectors | undefined {
  const dims = vectors.chunks[0]?.length ?? 0
  if (dims === 0) return undefined
  if (dims > maxDims || vectors.chunks.some((chunk) => chunk.length !== dims)) {
    throw new RangeError(`Vectors of one record must have one length between 1 and ${maxDims}`)
  }
  const scales = new Float32Array(vectors.chunks.length)
  const rows = new Int8Array(vectors.chunks.length * dims)
  vectors.chunks.forEach((chunk, i) => {
    const { row, scale } = quantize(chunk)
    scales[i] = scale
    rows.set(row, i * dims)
  })
  return { modelId: vectors.modelId, dims, scales, rows }
}

/** `keyingEntry` without pauses. */
export const keyEntry = (record: IndexedRecord, wordTags: WordTags): Entry => atOnce(keyingEntry(record, wordTags))

/**
 * Tokenizes and keys a record, in pieces. The only place where words of a record become tags. Each distinct word is keyed once.
 */
export function* keyingEntry(record: IndexedRecord, wordTags: WordTags): Pieces<Entry> {
  const places = new Map<string, number>()
  const placeOf = (word: string): number => {
    const known = places.get(word)
    if (known !== undefined) return known
    places.set(word, places.size)
    return places.size - 1
  }
  const head = headerWords(record.header)
  const header = Uint32Array.from(head.words, placeOf)
  const text = yield* placesOf(yield* indexingWords(record.text), placeOf)
  const names = namesOf(record.header).map((words) => Uint32Array.from(words, placeOf))
  const entities = [...new Set(record.header.entities.map(entityName))]
  const runs = record.agentRunId === undefined ? [] : [runName(record.agentRunId)]
  const texts = record.exactText === undefined ? [] : [wholeText(record.exactText)]
  const keyed = yield* keyWords([...places.keys(), ...entities, ...runs, ...texts], wordTags)
  const take = (from: number, count: number): Uint8Array => keyed.slice(from * tagBytes, (from + count) * tagBytes)
  const runAt = places.size + entities.length
  return {
    tags: take(0, places.size),
    header,
    speakerWords: head.speakerWords,
    tagWords: head.titleWords > 0 ? head.tagWords : 0,
    titleWords: head.titleWords,
    text,
    run: runs.length > 0 ? take(runAt, 1) : undefined,
    entities: take(places.size, entities.length),
    names,
    textTag: texts.length > 0 ? take(runAt + runs.length, 1) : undefined,
    vectors: record.vectors === undefined ? undefined : quantizeChunks(record.vectors),
  }
}

/** Words between two yields: some milliseconds for either. */
const [placedAtOnce, keyedAtOnce] = [16_384, 1024]

function* placesOf(words: readonly string[], placeOf: (word: string) => number): Pieces<Uint32Array> {
  const places = new Uint32Array(words.length)
  for (const [at, word] of words.entries()) {
    if (at > 0 && at % placedAtOnce === 0) yield
    places[at] = placeOf(word)
  }
  return places
}

function* keyWords(words: readonly string[], wordTags: WordTags): Pieces<Uint8Array> {
  const keyed = new Uint8Array(words.length * tagBytes)
  for (let at = 0; at < words.length; at += keyedAtOnce) {
    if (at > 0) yield
    keyed.set(wordTags(words.slice(at, at + keyedAtOnce)), at * tagBytes)
  }
  return keyed
}

/** Made before the transaction begins, because embedding may need a network call. */
export interface PreparedEntry {
  bytes: Uint8Array
  facts: VectorFacts
}

/** What it takes to make an entry. `later` leaves the vectors to the job that adds missing ones. */
export interface Indexing {
  vault: VaultScope
  embeddings: EmbeddingProvider | 'later' | undefined
  log: Log
}

interface EmbeddedRecord {
  vectors: IndexedRecord['vectors']
  /** A record waits for its vectors if a later attempt may succeed. A text that the model refuses is not tried again. */
  facts: VectorFacts
}

const seenBy = (model: string): VectorFacts => ({ vectorsMissing: 0, vectorModel: model })
const waiting: VectorFacts = { vectorsMissing: 1, vectorModel: null }
/** Once a provider is configured, the job that adds missing vectors finds these records. */
const unseen: VectorFacts = { vectorsMissing: 0, vectorModel: null }

/** How long a write waits for its vectors before it leaves them to the job that adds missing ones. */
const writeBudgetMs = 5_000

/** The parts of a text that get a vector each; never blank. */
export const chunksOf = async (text: string): Promise<string[]> =>
  (await inPieces(chunking(text))).filter((chunk) => chunk.trim() !== '')

/** One vector for each chunk, if the provider answers before `signal` aborts (default: a write's time budget). */
export async function embedRecord(
  provider: Indexing['embeddings'],
  text: string,
  log: Log,
  signal?: AbortSignal,
): Promise<EmbeddedRecord> {
  if (provider === undefined) return { vectors: undefined, facts: unseen }
  if (provider === 'later') return { vectors: undefined, facts: waiting }
  const chunks = await chunksOf(text)
  if (chunks.length === 0) return { vectors: undefined, facts: seenBy(provider.id) }
  const budget = startBudget(writeBudgetMs, signal)
  try {
    const { vectors, refusal } = await embedApart(provider, chunks, budget.signal)
    if (refusal !== undefined) log.warn('the embedding model does not take some text of a record', { code: refusal })
    const known = vectors.filter((vector) => vector !== undefined)
    return { vectors: { modelId: provider.id, chunks: known }, facts: seenBy(provider.id) }
  } catch (error) {
    if (!(error instanceof EmbeddingError) && !budget.signal.aborted) throw error
    log.warn('a record has no vectors', { code: error instanceof EmbeddingError ? error.code : 'out_of_time' })
    return { vectors: undefined, facts: waiting }
  } finally {
    budget.stop()
  }
}

/** `given`, or a signal that aborts after this time. Not AbortSignal.timeout, because its timer would outlive the write by seconds. */
function startBudget(ms: number, given: AbortSignal | undefined): { signal: AbortSignal; stop: () => void } {
  if (given !== undefined) return { signal: given, stop: () => {} }
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), ms)
  return { signal: controller.signal, stop: () => clearTimeout(timer) }
}
