import type { RecordHeader } from '../text/header-words.ts'
import { headerWords } from '../text/header-words.ts'
import { normaliseForEquality } from '../text/normalise.ts'
import { tokenize } from '../text/tokenize.ts'
import type { Entry, EntryVectors } from './entry.ts'
import { maxDims, tagBytes } from './entry.ts'
import { quantise } from './quantise.ts'

/** The vault's keyed hash: 8 bytes for each word, one after the other. */
export type WordTags = (words: readonly string[]) => Buffer

export interface IndexedRecord {
  text: string
  header: RecordHeader
  /** The agent run (conversation) that the record belongs to: its neighbours there lend it words. */
  agentRunId?: string
  /** One vector for each chunk of the text; left out while they are pending. */
  vectors?: { modelId: string; chunks: readonly ArrayLike<number>[] }
}

/** Names carry a space, which no word has: a run or an entity never collides with a word of a text. */
const runName = (agentRunId: string): string => `run ${agentRunId}`
export const entityName = (entity: string): string => `entity ${normaliseForEquality(entity)}`

function quantiseChunks(vectors: NonNullable<IndexedRecord['vectors']>): EntryVectors | undefined {
  const dims = vectors.chunks[0]?.length ?? 0
  if (dims === 0) return undefined
  if (dims > maxDims || vectors.chunks.some((chunk) => chunk.length !== dims)) {
    throw new RangeError(`Vectors of one record must have one length between 1 and ${maxDims}`)
  }
  const scales = new Float32Array(vectors.chunks.length)
  const rows = new Int8Array(vectors.chunks.length * dims)
  vectors.chunks.forEach((chunk, i) => {
    const { row, scale } = quantise(chunk)
    scales[i] = scale
    rows.set(row, i * dims)
  })
  return { modelId: vectors.modelId, dims, scales, rows }
}

/** Tokenises and keys a record: the only place where its words become tags. Each distinct word is keyed once. */
export function keyEntry(record: IndexedRecord, wordTags: WordTags): Entry {
  const places = new Map<string, number>()
  const placeOf = (word: string): number => {
    const place = places.get(word) ?? places.size
    places.set(word, place)
    return place
  }
  const head = headerWords(record.header)
  const header = Uint32Array.from(head.words, placeOf)
  const text = Uint32Array.from(tokenize(record.text), placeOf)
  const entities = [...new Set(record.header.entities.map(entityName))]
  const runs = record.agentRunId === undefined ? [] : [runName(record.agentRunId)]
  const keyed = new Uint8Array(wordTags([...places.keys(), ...entities, ...runs]))
  const entitiesAt = places.size * tagBytes
  const runAt = entitiesAt + entities.length * tagBytes
  return {
    tags: keyed.slice(0, entitiesAt),
    header,
    speakerWords: head.speakerWords,
    text,
    run: runs.length > 0 ? keyed.slice(runAt) : undefined,
    entities: keyed.slice(entitiesAt, runAt),
    vectors: record.vectors === undefined ? undefined : quantiseChunks(record.vectors),
  }
}
