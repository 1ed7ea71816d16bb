import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { VaultScope } from '../crypto/keys.ts'
import { embedApart } from '../embeddings/refused-texts.ts'
import { EmbeddingError, type EmbeddingProvider, wrapProvider } from '../embeddings/provider.ts'
import { indexedText, prepareEntry } from '../memories/index-memory.ts'
import type { Memory } from '../memories/memory.ts'
import { findMemories } from '../memories/store.ts'
import { embeddedText, prepareNoteEntry } from '../notes/save-note.ts'
import type { Note } from '../notes/note.ts'
import { findNotes } from '../notes/store.ts'
import type { Services } from '../operation/context.ts'
import { nextSeq } from '../vaults/store.ts'
import { type PreparedEntry, chunksOf } from '../vault-index/index-record.ts'
import { type WaitingEntry, listMissingVectors, listStillWaiting } from '../vault-index/stored/missing-store.ts'
import { updateEntry } from '../vault-index/stored/store.ts'
import { isDamage } from './each-vault.ts'

/**
 * After a failed batch, this many single records in a row that fail mean an outage. Together with the batch this is one failure less than
 * opens the breaker, because records that the model never embeds must not block it for searches.
 */
const failuresOfAnOutage = 3

/**
 * After a batch the job pauses for as long as the batch took, but at most this long: 32 records of the built-in model keep the only thread
 * busy for about 12 ms. So it uses half of the free time, and with slower models hardly any.
 */
const longestRestMs = 20

export interface Filled {
  /** Records that can't be opened. They keep waiting and don't block others. */
  damaged: number
  /** The record after which the next run continues, if this one met an outage; undefined if it reached the end. */
  stoppedAt: string | undefined
}

export type FillDeps = Pick<Services, 'db' | 'news' | 'log'>

interface Filling {
  services: FillDeps
  provider: EmbeddingProvider
  /** Undefined once the vault is gone. */
  unlock(): Promise<VaultScope | undefined>
  signal: AbortSignal
  done: ((items: number) => void) | undefined
}

interface Batch extends Filling {
  scope: VaultScope
}

/** Computes vectors for the vault's waiting records after `after`, in batches of the provider's size. */
export async function fillVault(given: Filling, after: string): Promise<Filled> {
  const { services, provider, signal } = given
  let last = after
  let damaged = 0
  let failuresInARow = 0
  while (!signal.aborted) {
    // Again for each batch: a vault may take hours, and keys that were replaced meanwhile must not be used any more.
    const scope = await given.unlock()
    if (scope === undefined) break
    const filling = { ...given, scope }
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

/** On `failed` and `damaged`, no record of the batch got vectors. */
async function fillBatch(filling: Batch, batch: readonly WaitingEntry[]): Promise<'filled' | 'failed' | 'damaged'> {
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

/** Without records that were deleted in the meantime. */
async function openRecords({ services, scope }: Batch, batch: readonly WaitingEntry[]): Promise<Records> {
  const idsOf = (isNote: boolean) =>
    batch.filter(({ kind }) => (kind === 'note') === isNote).map(({ itemId }) => itemId)
  return {
    memories: await findMemories(services.db.read, scope, idsOf(false)),
    notes: await findNotes(services.db.read, scope, idsOf(true)),
  }
}

/** The new entry of each record by its id. All texts are embedded together first; the entries then use these vectors. */
async function prepareAll(
  { services, provider, scope, signal }: Batch,
  { memories, notes }: Records,
): Promise<Map<string, PreparedEntry>> {
  const texts = new Set<string>()
  for (const text of [...memories.map(indexedText), ...notes.map(embeddedText)])
    for (const chunk of await chunksOf(text)) texts.add(chunk)
  const { vectors, refusal } = await embedApart(provider, [...texts], signal)
  if (refusal !== undefined) services.log.warn('the embedding model rejects some texts of records', { code: refusal })
  const known = new Map([...texts].map((text, at) => [text, vectors[at]]))
  const embeddings = wrapProvider(provider, {
    embed: async (wanted) => ({ vectors: wanted.map((text) => known.get(text)), tokens: 0 }),
  })
  const ctx = { ...services, vault: scope, embeddings }
  const entries = new Map<string, PreparedEntry>()
  for (const memory of memories) {
    entries.set(memory.memoryId, await prepareEntry(ctx, memory, signal))
    // About 0.3 ms each. Searches run in between.
    await nextTurn()
  }
  for (const note of notes) {
    entries.set(note.noteId, await prepareNoteEntry(ctx, note, signal))
    await nextTurn()
  }
  return entries
}

/** Stores all entries in one transaction. Returns how many it wrote. */
async function store(
  { services, scope }: Batch,
  batch: readonly WaitingEntry[],
  entries: ReadonlyMap<string, PreparedEntry>,
): Promise<number> {
  if (entries.size === 0) return 0
  const stored = await services.db.write(async (tx) => {
    const seq = await nextSeq(tx, scope)
    const ids = [...entries.keys()]
    const waiting = new Map((await listStillWaiting(tx, scope, ids)).map((entry) => [entry.itemId, entry.revision]))
    let count = 0
    for (const { itemId, revision } of batch) {
      const entry = entries.get(itemId)
      // The record was changed in the meantime and already has a new entry.
      if (entry === undefined || waiting.get(itemId) !== revision) continue
      await updateEntry(tx, scope, seq, { itemId, facts: entry.facts, entry: entry.bytes })
      count++
    }
    return count
  })
  // The settings page shows how many records still wait for vectors.
  services.news.announce(scope.userId, scope.id, ['settings'])
  return stored
}
