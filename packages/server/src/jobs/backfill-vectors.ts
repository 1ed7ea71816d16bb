import type { EmbeddingProvider } from '../embeddings/provider.ts'
import { prepareEntry } from '../memories/index-memory.ts'
import type { Memory } from '../memories/memory.ts'
import { findMemories } from '../memories/store.ts'
import type { Services } from '../operation/context.ts'
import { nextSeq } from '../vaults/store.ts'
import {
  listMissingVectors,
  listVaultsMissingVectors,
  missesVectors,
  updateEntry,
  type IndexScope,
} from '../vault-index/store.ts'
import type { Job } from './scheduler.ts'
import { unlockVault } from './unlock-vault.ts'

const everyMs = 30_000
const memoriesAtOnce = 20
const failuresOfAnOutage = 5

/**
 * Gives vectors to records that were stored while there was no provider or it could not be reached. The mark in the
 * record's index entry is the queue: a run that is cut short goes on where it stopped.
 */
export function backfillVectors(services: Services, provider: EmbeddingProvider): Job {
  return {
    name: 'backfill-vectors',
    everyMs,
    async run(signal) {
      for (const { userId, vaultId } of await listVaultsMissingVectors(services.db.read)) {
        const scope = await unlockVault(services, userId, vaultId)
        if (scope !== undefined) await fillVault(services, provider, scope, signal)
      }
    },
  }
}

async function fillVault(
  services: Services,
  provider: EmbeddingProvider,
  scope: IndexScope,
  signal: AbortSignal,
): Promise<void> {
  let after = ''
  let failuresInARow = 0
  while (!signal.aborted) {
    const ids = await listMissingVectors(services.db.read, scope, after, memoriesAtOnce)
    const last = ids.at(-1)
    if (last === undefined) return
    for (const memory of await findMemories(services.db.read, scope, ids)) {
      const isFilled = await fill(services, provider, scope, memory, signal)
      failuresInARow = isFilled ? 0 : failuresInARow + 1
      // One record that always fails must not hold up the others; several in a row are an outage.
      if (signal.aborted || failuresInARow === failuresOfAnOutage) return
    }
    after = last
  }
}

async function fill(
  services: Services,
  embeddings: EmbeddingProvider,
  scope: IndexScope,
  memory: Memory,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, log } = services
  // Another server on this database may have come first: what it has paid for is not paid for again.
  if (!(await missesVectors(db.read, scope, memory.memoryId))) return true
  const entry = await prepareEntry({ vault: scope, embeddings, log }, memory, signal)
  if (entry.facts.vectorsMissing === 1) return false
  await db.write(async (tx) => {
    const seq = await nextSeq(tx, scope.userId, scope.id)
    const [current] = await findMemories(tx, scope, [memory.memoryId])
    // Changed meanwhile: whoever changed it has made a new entry.
    if (current?.contentRevision !== memory.contentRevision) return
    await updateEntry(tx, scope, memory.memoryId, seq, entry.facts, entry.bytes)
  })
  return true
}
