import type { VaultScope } from '../crypto/keys.ts'
import type { EmbeddingProvider } from '../embeddings/provider.ts'
import { meterEmbeddings } from '../limits/meter-embeddings.ts'
import { prepareEntry } from '../memories/index-memory.ts'
import { findMemories } from '../memories/store.ts'
import { prepareNoteEntry } from '../notes/index-note.ts'
import { findNotes } from '../notes/store.ts'
import type { Services } from '../operation/context.ts'
import { listAllVaults, nextSeq } from '../vaults/store.ts'
import type { PreparedEntry } from '../vault-index/embed.ts'
import {
  findWaitingRevision,
  listMissingVectors,
  listVaultsMissingVectors,
  markUnseen,
  type WaitingEntry,
} from '../vault-index/missing-store.ts'
import { updateEntry } from '../vault-index/store.ts'
import { isDamage } from './damage.ts'
import { forEachVault } from './each-vault.ts'
import type { Job } from './scheduler.ts'
import { findStoredDims } from './stored-dims.ts'
import { unlockVault } from './unlock-vault.ts'

const everyMs = 30_000
const recordsAtOnce = 20
const failuresOfAnOutage = 5

/**
 * Gives vectors to records that were stored while there was no provider, while it could not be reached, or under another
 * model, be it one of the same name whose vectors have another length. The mark in the record's index entry is the queue: a run that is cut short goes on where it stopped. The first run
 * marks what this model has not seen, once `asked` has told whether the provider answers. Items: records.
 */
export function backfillVectors(services: Services, provider: EmbeddingProvider, asked?: Promise<void>): Job {
  const { db, log } = services
  let isMarked = false
  let isCompared = false
  return {
    name: 'backfill-vectors',
    everyMs,
    async run(signal, done) {
      await asked
      if (!isMarked) {
        await forEachVault(await listAllVaults(db.read), signal, (vault) => markUnseen(db, vault, provider.id, signal))
        isMarked = !signal.aborted
      }
      if (!isCompared) isCompared = await markOtherDims(services, provider, signal)
      await forEachVault(await listVaultsMissingVectors(db.read), signal, async ({ userId, vaultId }) => {
        const scope = await unlockVault(services, userId, vaultId)
        if (scope === undefined) return
        const counted = meterEmbeddings(provider, (tokens) => services.limits.noteTokens(userId, tokens))
        const damaged = await fillVault(services, counted, scope, signal, done)
        if (damaged > 0) log.warn('records that cannot be opened have no vectors', { vaultId, count: damaged })
      })
    },
  }
}

/** Whether all vaults were looked at: not before the provider has answered, which tells how long its vectors are. */
async function markOtherDims(services: Services, provider: EmbeddingProvider, signal: AbortSignal): Promise<boolean> {
  const { db, log } = services
  const { dims } = provider
  if (dims === undefined) return false
  await forEachVault(await listAllVaults(db.read), signal, async ({ userId, vaultId }) => {
    const stored = await dimsIn(services, { userId, vaultId }, provider.id)
    if (stored === undefined || stored === dims) return
    log.warn('the model has vectors of another length than those stored: all are made anew', { vaultId, count: dims })
    await markUnseen(db, { userId, vaultId }, provider.id, signal, { isAnew: true })
  })
  return !signal.aborted
}

async function dimsIn(
  services: Services,
  { userId, vaultId }: { userId: string; vaultId: string },
  model: string,
): Promise<number | undefined> {
  try {
    const scope = await unlockVault(services, userId, vaultId)
    return scope && (await findStoredDims(services.db.read, scope, model))
  } catch (error) {
    // It must not hold up the others, nor its own records that do open.
    services.log.warn('the vectors of a vault could not be looked at', { vaultId, error })
    return undefined
  }
}

/** Returns how many records it could not open: they wait on, and hold up no other. */
async function fillVault(
  services: Services,
  provider: EmbeddingProvider,
  scope: VaultScope,
  signal: AbortSignal,
  done?: (items: number) => void,
): Promise<number> {
  let after = ''
  let failuresInARow = 0
  let damaged = 0
  while (!signal.aborted) {
    const entries = await listMissingVectors(services.db.read, scope, after, recordsAtOnce)
    const last = entries.at(-1)
    if (last === undefined) return damaged
    for (const entry of entries) {
      const outcome = await fill(services, provider, scope, entry, signal)
      if (outcome === 'damaged') damaged++
      else failuresInARow = outcome === 'filled' ? 0 : failuresInARow + 1
      if (outcome === 'filled') done?.(1)
      // One record that always fails must not hold up the others; several in a row are an outage.
      if (signal.aborted || failuresInARow === failuresOfAnOutage) return damaged
    }
    after = last.itemId
  }
  return damaged
}

async function fill(
  services: Services,
  embeddings: EmbeddingProvider,
  scope: VaultScope,
  { itemId, kind, revision }: WaitingEntry,
  signal: AbortSignal,
): Promise<'filled' | 'failed' | 'damaged'> {
  const { db } = services
  // Another server on this database may have come first: what it has paid for is not paid for again.
  if ((await findWaitingRevision(db.read, scope, itemId)) !== revision) return 'filled'
  try {
    const entry = await prepareAnew({ ...services, vault: scope, embeddings }, { itemId, kind }, signal)
    if (entry?.facts.vectorsMissing === 1) return 'failed'
    if (entry !== undefined) await store(services, scope, { itemId, revision }, entry)
    return 'filled'
  } catch (error) {
    if (isDamage(error)) return 'damaged'
    throw error
  }
}

/** Undefined where the record was deleted meanwhile. */
async function prepareAnew(
  ctx: Pick<Services, 'db' | 'log'> & { vault: VaultScope; embeddings: EmbeddingProvider },
  { itemId, kind }: { itemId: string; kind: string },
  signal: AbortSignal,
): Promise<PreparedEntry | undefined> {
  const { db, vault } = ctx
  if (kind === 'note') {
    const [note] = await findNotes(db.read, vault, [itemId])
    return note && prepareNoteEntry(ctx, note, signal)
  }
  const [memory] = await findMemories(db.read, vault, [itemId])
  return memory && prepareEntry(ctx, memory, signal)
}

async function store(
  { db }: Services,
  scope: VaultScope,
  { itemId, revision }: { itemId: string; revision: number },
  { facts, bytes }: PreparedEntry,
): Promise<void> {
  await db.write(async (tx) => {
    const seq = await nextSeq(tx, scope.userId, scope.id)
    // Changed meanwhile, be it the text or a date: whoever changed it has made a new entry.
    if ((await findWaitingRevision(tx, scope, itemId)) !== revision) return
    await updateEntry(tx, scope, itemId, seq, facts, bytes)
  })
}
