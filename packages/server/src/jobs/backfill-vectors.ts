import { type EmbeddingProvider, meterEmbeddings } from '../embeddings/provider.ts'
import type { Services } from '../operation/context.ts'
import { listVaultsMissingVectors, markUnseen } from '../vault-index/stored/missing-store.ts'
import { listAllVaults } from '../vaults/store.ts'
import { forEachVault } from './each-vault.ts'
import { fillVault } from './fill-vault.ts'
import type { Job } from './scheduler.ts'
import { findStoredDims } from './stored-dims.ts'
import { unlockVault } from './unlock-vault.ts'

const everyMs = 30_000
/**
 * Two servers that are set to different models would mark each other's records for ever, and pay for them: so many
 * records that came after its first run a process marks. A server that still runs while its successor starts writes less.
 */
const mostMarkedLater = 1_000

interface Vault {
  userId: string
  vaultId: string
}

/**
 * Gives vectors to records that were stored while there was no provider, while it could not be reached, or under another
 * model, be it one of the same name whose vectors have another length. The mark in the record's index entry is the queue: a run
 * that is cut short goes on where it stopped. Each run first marks what this model has not seen among the changes since the run
 * before, the first one among all, once `asked` has told whether the provider answers. Items: records.
 */
export function backfillVectors(services: Services, provider: EmbeddingProvider, asked?: Promise<void>): Job {
  const { db, log } = services
  const markForeign = createMarking(services, provider)
  /** By vault, the record behind which to go on after an outage, as it may have been that record's own fault. */
  const stoppedAt = new Map<string, string>()
  let isCompared = false

  async function fill({ userId, vaultId }: Vault, signal: AbortSignal, done?: (items: number) => void): Promise<void> {
    const scope = await unlockVault(services, userId, vaultId)
    if (scope === undefined) return
    const counted = meterEmbeddings(provider, (tokens) => services.limits.noteTokens(userId, tokens))
    const filling = { services, provider: counted, scope, signal, done }
    const after = stoppedAt.get(vaultId)
    stoppedAt.delete(vaultId)
    let filled = await fillVault(filling, after ?? '')
    // Those before it have waited long enough.
    if (after !== undefined && filled.stoppedAt === undefined) filled = await fillVault(filling, '')
    if (filled.stoppedAt !== undefined) stoppedAt.set(vaultId, filled.stoppedAt)
    if (filled.damaged > 0)
      log.warn('records that cannot be opened have no vectors', { vaultId, count: filled.damaged })
  }

  return {
    name: 'backfill-vectors',
    everyMs,
    async run(signal, done) {
      await asked
      await markForeign(signal)
      if (!isCompared) isCompared = await markOtherDims(services, provider, signal)
      const vaults = await listVaultsMissingVectors(db.read)
      forgetOthers(stoppedAt, vaults)
      await forEachVault(vaults, signal, (vault) => fill(vault, signal, done))
    },
  }
}

/** What is kept of vaults that were deleted, or that nothing waits in any more, would stay as long as the process. */
export function forgetOthers(byVault: Map<string, unknown>, vaults: readonly Pick<Vault, 'vaultId'>[]): void {
  const known = new Set(vaults.map(({ vaultId }) => vaultId))
  for (const vaultId of byVault.keys()) if (!known.has(vaultId)) byVault.delete(vaultId)
}

/**
 * Marks what was written under another model or none, each time among the changes since the last: another server on this database may
 * still write with the model of before.
 */
function createMarking({ db, log }: Services, provider: EmbeddingProvider): (signal: AbortSignal) => Promise<void> {
  /** By vault, the change number up to which all is marked. */
  const markedUpTo = new Map<string, number>()
  let markedLater = 0
  return async (signal) => {
    const all = await listAllVaults(db.read)
    forgetOthers(markedUpTo, all)
    const vaults = all.filter(({ vaultId, seq }) => markedUpTo.get(vaultId) !== seq)
    await forEachVault(vaults, signal, async (vault) => {
      const afterSeq = markedUpTo.get(vault.vaultId)
      if (afterSeq !== undefined && markedLater >= mostMarkedLater) return
      const count = await markUnseen(db, vault, provider.id, { signal, afterSeq: afterSeq ?? 0 })
      if (signal.aborted) return
      markedUpTo.set(vault.vaultId, vault.seq)
      if (afterSeq === undefined || count === 0) return
      markedLater += count
      const isLast = markedLater >= mostMarkedLater
      log.warn('another server has written under another embedding model: all must have the same settings', {
        vaultId: vault.vaultId,
        count,
        advice: isLast ? 'what it writes from now on gets vectors after a restart' : 'its records are embedded anew',
      })
    })
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
    await markUnseen(db, { userId, vaultId }, provider.id, { signal, isAnew: true })
  })
  return !signal.aborted
}

async function dimsIn(services: Services, { userId, vaultId }: Vault, model: string): Promise<number | undefined> {
  try {
    const scope = await unlockVault(services, userId, vaultId)
    return scope && (await findStoredDims(services.db.read, scope, model))
  } catch (error) {
    // It must not hold up the others, nor its own records that do open.
    services.log.warn('the vectors of a vault could not be looked at', { vaultId, error })
    return undefined
  }
}
