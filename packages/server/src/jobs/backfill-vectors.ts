import type { Reader } from '../db/dialect.ts'
import type { EmbeddingProvider } from '../embeddings/provider.ts'
import { meterEmbeddings } from '../limits/meter-embeddings.ts'
import { prepareEntry } from '../memories/index-memory.ts'
import { findMemories } from '../memories/store.ts'
import { prepareNoteEntry } from '../notes/index-note.ts'
import { findNotes } from '../notes/store.ts'
import type { Services } from '../operation/context.ts'
import { nextSeq } from '../vaults/store.ts'
import {
  listKinds,
  listMissingVectors,
  listVaultsMissingVectors,
  missesVectors,
  updateEntry,
  type IndexScope,
  type StoredFacts,
} from '../vault-index/store.ts'
import type { Job } from './scheduler.ts'
import { unlockVault } from './unlock-vault.ts'

const everyMs = 30_000
const recordsAtOnce = 20
const failuresOfAnOutage = 5

/**
 * Gives vectors to records that were stored while there was no provider or it could not be reached. The mark in the
 * record's index entry is the queue: a run that is cut short goes on where it stopped. Items: records.
 */
export function backfillVectors(services: Services, provider: EmbeddingProvider): Job {
  return {
    name: 'backfill-vectors',
    everyMs,
    async run(signal, done) {
      for (const { userId, vaultId } of await listVaultsMissingVectors(services.db.read)) {
        const scope = await unlockVault(services, userId, vaultId)
        if (scope === undefined) continue
        const counted = meterEmbeddings(provider, (tokens) => services.limits.noteTokens(userId, tokens))
        await fillVault(services, counted, scope, signal, done)
      }
    },
  }
}

/** A record that has no vectors, of whatever kind. */
interface WaitingRecord {
  id: string
  revision: number
  /** Its entry anew, with vectors if the provider gives them. */
  prepare(
    embeddings: EmbeddingProvider,
    signal: AbortSignal,
  ): Promise<{ bytes: Uint8Array; facts: Pick<StoredFacts, 'vectorsMissing'> }>
  /** The revision that it has by now. */
  findRevision(db: Reader): Promise<number | undefined>
}

async function findWaiting({ db, log }: Services, vault: IndexScope, ids: readonly string[]): Promise<WaitingRecord[]> {
  const kinds = await listKinds(db.read, vault, ids)
  const idsOf = (kind: string) => ids.filter((id) => kinds.get(id) === kind)
  const memories = (await findMemories(db.read, vault, idsOf('memory'))).map((memory): WaitingRecord => ({
    id: memory.memoryId,
    revision: memory.contentRevision,
    prepare: (embeddings, signal) => prepareEntry({ vault, embeddings, log }, memory, signal),
    findRevision: async (tx) => (await findMemories(tx, vault, [memory.memoryId]))[0]?.contentRevision,
  }))
  const notes = (await findNotes(db.read, vault, idsOf('note'))).map((note): WaitingRecord => ({
    id: note.noteId,
    revision: note.contentRevision,
    prepare: (embeddings, signal) => prepareNoteEntry({ vault, embeddings, log }, note, signal),
    findRevision: async (tx) => (await findNotes(tx, vault, [note.noteId]))[0]?.contentRevision,
  }))
  return [...memories, ...notes]
}

async function fillVault(
  services: Services,
  provider: EmbeddingProvider,
  scope: IndexScope,
  signal: AbortSignal,
  done?: (items: number) => void,
): Promise<void> {
  let after = ''
  let failuresInARow = 0
  while (!signal.aborted) {
    const ids = await listMissingVectors(services.db.read, scope, after, recordsAtOnce)
    const last = ids.at(-1)
    if (last === undefined) return
    for (const record of await findWaiting(services, scope, ids)) {
      const isFilled = await fill(services, provider, scope, record, signal)
      failuresInARow = isFilled ? 0 : failuresInARow + 1
      if (isFilled) done?.(1)
      // One record that always fails must not hold up the others; several in a row are an outage.
      if (signal.aborted || failuresInARow === failuresOfAnOutage) return
    }
    after = last
  }
}

async function fill(
  { db }: Services,
  embeddings: EmbeddingProvider,
  scope: IndexScope,
  record: WaitingRecord,
  signal: AbortSignal,
): Promise<boolean> {
  // Another server on this database may have come first: what it has paid for is not paid for again.
  if (!(await missesVectors(db.read, scope, record.id))) return true
  const entry = await record.prepare(embeddings, signal)
  if (entry.facts.vectorsMissing === 1) return false
  await db.write(async (tx) => {
    const seq = await nextSeq(tx, scope.userId, scope.id)
    // Changed meanwhile: whoever changed it has made a new entry.
    if ((await record.findRevision(tx)) !== record.revision) return
    await updateEntry(tx, scope, record.id, seq, entry.facts, entry.bytes)
  })
  return true
}
