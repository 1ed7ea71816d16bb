import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { VaultScope } from '../crypto/keys.ts'
import { embedApart } from '../embeddings/refused-texts.ts'
import { EmbeddingError, type EmbeddingProvider, wrapProvider } from '../embeddings/provider.ts'
import { indexedText, prepareEntry } from '../memories/index-memory.ts'
import type { Memory } from '../memories/memory.ts'
import { findMemories } from '../memories/store.ts'
import { embeddedText, prepareNoteEntry } from '../notes/index-note.ts'
import type { Note } from '../notes/note.ts'
import { findNotes } from '../notes/store.ts'
import type { Services } from '../operation/context.ts'
import { nextSeq } from '../vaults/store.ts'
import { chunksOf, type PreparedEntry } from '../vault-index/index-record.ts'
import { listMissingVectors, listStillWaiting, type WaitingEntry } from '../vault-index/stored/missing-store.ts'
import { updateEntry } from '../vault-index/stored/store.ts'
import { isDamage } from './damage.ts'

/**
 * Records in a row that fail alone after their batch has failed: an outage. With the batch's, one failure less than opens the breaker, as
 * records that the model never embeds must not take it from those who search.
 */
const failuresOfAnOutage = 3

/**
 * After a batch the job rests for as long as that took, at most so long: 32 records of the built-in model keep the only thread busy for some
 * 12 ms. So it takes half of what is free, and nothing to speak of from a model that answers more slowly.
 */
const longestRestMs = 20

export interface Filled {
  /** Records that cannot be opened: they wait on, and hold up no other. */
  damaged: number
  /** The record behind which the next run goes on, where this one met an outage; undefined where it came to the end. */
  stoppedAt: string | undefined
}

interface Filling {
  services: Services
  provider: EmbeddingProvider
  scope: VaultScope
  signal: AbortSignal
  done: ((items: number) => void) | undefined
}

/** Gives vectors to the records of the vault that wait for them and lie behind `after`, a batch of the provider's at a time. */
export async function fillVault(filling: Filling, after: string): Promise<Filled> {
  const { services, provider, scope, signal } = filling
  let last = after
  let damaged = 0
  let failuresInARow = 0
  while (!signal.aborted) {
    const batch = await listMissingVectors(services.db.read, scope, last, provider.batchSize)
    if (batch.length === 0) break
    const began = performance.now()
    const outcome = await fillBatch(filling, batch)
    if (outcome === 'filled') failuresInARow = 0
    else
      for (const entry of batch) {
        if (signal.aborted) break
        const alone = await fillBatch(filling, [entry])
        if (alone === 'damaged') damaged++
        else failuresInARow = alone === 'filled' ? 0 : failuresInARow + 1
        if (failuresInARow === failuresOfAnOutage) return { damaged, stoppedAt: entry.itemId }
      }
    last = batch.at(-1)?.itemId ?? last
    await sleep(Math.min(performance.now() - began, longestRestMs))
  }
  return { damaged, stoppedAt: undefined }
}

/** `failed` and `damaged`: none of them was filled in. */
async function fillBatch(filling: Filling, batch: readonly WaitingEntry[]): Promise<'filled' | 'failed' | 'damaged'> {
  try {
    const records = await openRecords(filling, batch)
    const entries = await prepareAll(filling, records)
    const filled = await store(filling, batch, entries)
    filling.done?.(filled)
    return 'filled'
  } catch (error) {
    if (isDamage(error)) return 'damaged'
    if (!(error instanceof EmbeddingError) && !filling.signal.aborted) throw error
    return 'failed'
  }
}

interface Records {
  memories: Memory[]
  notes: Note[]
}

/** Without those that were deleted meanwhile. */
async function openRecords({ services, scope }: Filling, batch: readonly WaitingEntry[]): Promise<Records> {
  const idsOf = (isNote: boolean) =>
    batch.filter(({ kind }) => (kind === 'note') === isNote).map(({ itemId }) => itemId)
  return {
    memories: await findMemories(services.db.read, scope, idsOf(false)),
    notes: await findNotes(services.db.read, scope, idsOf(true)),
  }
}

/** The new entry of each record by its id: all texts are embedded together first, then each entry is made of what is known. */
async function prepareAll(
  { services, provider, scope, signal }: Filling,
  { memories, notes }: Records,
): Promise<Map<string, PreparedEntry>> {
  const texts = new Set<string>()
  for (const text of [...memories.map(indexedText), ...notes.map(embeddedText)])
    for (const chunk of await chunksOf(text)) texts.add(chunk)
  const { vectors, refusal } = await embedApart(provider, [...texts], signal)
  if (refusal !== undefined)
    services.log.warn('the embedding model does not take some texts of records', { code: refusal })
  const known = new Map([...texts].map((text, at) => [text, vectors[at]]))
  const embeddings = wrapProvider(provider, {
    embed: async (wanted) => ({ vectors: wanted.map((text) => known.get(text)), tokens: 0 }),
  })
  const ctx = { ...services, vault: scope, embeddings }
  const entries = new Map<string, PreparedEntry>()
  for (const memory of memories) {
    entries.set(memory.memoryId, await prepareEntry(ctx, memory, signal))
    // Some 0.3 ms each, between which whoever searches gets a turn.
    await nextTurn()
  }
  for (const note of notes) {
    entries.set(note.noteId, await prepareNoteEntry(ctx, note, signal))
    await nextTurn()
  }
  return entries
}

/** In one transaction. Returns how many it wrote. */
async function store(
  { services, scope }: Filling,
  batch: readonly WaitingEntry[],
  entries: ReadonlyMap<string, PreparedEntry>,
): Promise<number> {
  if (entries.size === 0) return 0
  const stored = await services.db.write(async (tx) => {
    const seq = await nextSeq(tx, scope.userId, scope.id)
    const ids = [...entries.keys()]
    const waiting = new Map((await listStillWaiting(tx, scope, ids)).map((entry) => [entry.itemId, entry.revision]))
    let count = 0
    for (const { itemId, revision } of batch) {
      const entry = entries.get(itemId)
      // Changed meanwhile, be it the text or a date: whoever changed it has made a new entry.
      if (entry === undefined || waiting.get(itemId) !== revision) continue
      await updateEntry(tx, scope, itemId, seq, entry.facts, entry.bytes)
      count++
    }
    return count
  })
  // How many wait for their vectors is shown.
  services.news.note(scope.userId, scope.id, ['settings'])
  return stored
}
