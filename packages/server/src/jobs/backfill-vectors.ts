import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import { type EmbeddingProvider, meterEmbeddings } from '../embeddings/provider.ts'
import type { Services } from '../operation/context.ts'
import { decodeEntry } from '../vault-index/stored/entry.ts'
import { entriesSince } from '../vault-index/stored/store.ts'
import { listVaultsMissingVectors, markUnseen } from '../vault-index/stored/missing-store.ts'
import { listAllVaults } from '../vaults/store.ts'
import { forEachVault, unlockVault } from './each-vault.ts'
import { type FillDeps, fillVault } from './fill-vault.ts'
import type { Job } from './scheduler.ts'

const everyMs = 30_000
/**
 * Two servers with different models would mark each other's records forever, and pay for it. So each process marks at most
 * this many records that were written after its first run. A server that still runs while its successor starts writes fewer.
 */
const maxMarkedLater = 1_000

interface Vault {
  userId: string
  vaultId: string
}

/**
 * Computes vectors for records that were stored while there was no provider, while it was unreachable, or with another
 * model, including one of the same name with another vector length. The mark in a record's index entry is the queue, so an
 * interrupted run continues where it stopped. Each run first marks records without vectors of this model among the changes since
 * the previous run; the first run checks all records, once `asked` resolves. Items: records.
 */
export function backfillVectors(
  services: FillDeps & Pick<Services, 'keyring' | 'limits'>,
  provider: EmbeddingProvider,
  asked?: Promise<void>,
): Job {
  const { db, log } = services
  const markForeign = createMarking(services, provider)
  /** By vault, the record after which to continue after an outage, because that record may have caused it. */
  const stoppedAt = new Map<string, string>()
  let isCompared = false

  async function fill({ userId, vaultId }: Vault, signal: AbortSignal, done?: (items: number) => void): Promise<void> {
    const counted = meterEmbeddings(provider, (tokens) => services.limits.addTokens(userId, tokens))
    const unlock = () => unlockVault(services, userId, vaultId)
    const filling = { services, provider: counted, unlock, signal, done }
    const after = stoppedAt.get(vaultId)
    stoppedAt.delete(vaultId)
    let filled = await fillVault(filling, after ?? '')
    // Then continue with the records before it.
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

/** Removes entries of vaults that were deleted or have no waiting records. Otherwise they would stay in memory. */
export function forgetOthers(byVault: Map<string, unknown>, vaults: readonly Pick<Vault, 'vaultId'>[]): void {
  const known = new Set(vaults.map(({ vaultId }) => vaultId))
  for (const vaultId of byVault.keys()) if (!known.has(vaultId)) byVault.delete(vaultId)
}

/**
 * Marks records that were written with another model or without one, among the changes since the last call: another server on this
 * database may still use the previous model.
 */
function createMarking(
  { db, log }: Pick<Services, 'db' | 'log'>,
  provider: EmbeddingProvider,
): (signal: AbortSignal) => Promise<void> {
  /** By vault, the change number up to which everything is marked. */
  const markedUpTo = new Map<string, number>()
  let markedLater = 0
  return async (signal) => {
    const all = await listAllVaults(db.read)
    forgetOthers(markedUpTo, all)
    const vaults = all.filter(({ vaultId, seq }) => markedUpTo.get(vaultId) !== seq)
    await forEachVault(vaults, signal, async (vault) => {
      const afterSeq = markedUpTo.get(vault.vaultId)
      if (afterSeq !== undefined && markedLater >= maxMarkedLater) return
      const count = await markUnseen(db, vault, provider.id, { signal, afterSeq: afterSeq ?? 0 })
      if (signal.aborted) return
      markedUpTo.set(vault.vaultId, vault.seq)
      if (afterSeq === undefined || count === 0) return
      markedLater += count
      const isLast = markedLater >= maxMarkedLater
      log.warn('another server uses another embedding model: all servers must have the same settings', {
        vaultId: vault.vaultId,
        count,
        advice: isLast
          ? 'records that it writes from now on get vectors after a restart'
          : 'its records are embedded again',
      })
    })
  }
}

/** Returns whether all vaults were checked. This needs the provider's first answer, which shows how long its vectors are. */
async function markOtherDims(
  services: Pick<Services, 'db' | 'keyring' | 'log'>,
  provider: EmbeddingProvider,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, log } = services
  const { dims } = provider
  if (dims === undefined) return false
  await forEachVault(await listAllVaults(db.read), signal, async ({ userId, vaultId }) => {
    const stored = await dimsIn(services, { userId, vaultId }, provider.id)
    if (stored === undefined || stored === dims) return
    log.warn("the model's vectors have another length than the stored ones: all are computed again", {
      vaultId,
      count: dims,
    })
    await markUnseen(db, { userId, vaultId }, provider.id, { signal, flagsAll: true })
  })
  return !signal.aborted
}

async function dimsIn(
  services: Pick<Services, 'db' | 'keyring' | 'log'>,
  { userId, vaultId }: Vault,
  model: string,
): Promise<number | undefined> {
  try {
    const scope = await unlockVault(services, userId, vaultId)
    return scope && (await findStoredDims(services.db.read, scope, model))
  } catch (error) {
    // One vault must not block the others, nor its own records that can be opened.
    services.log.warn('the vectors of a vault could not be checked', { vaultId, error })
    return undefined
  }
}

/**
 * The length of the vectors of `model` in the vault, read from the least recently changed record that has any. If another model
 * now uses the same name, its records are newer than all untouched ones. So the old length is found even if a server was killed
 * while marking them.
 */
async function findStoredDims(db: Reader, scope: VaultScope, model: string): Promise<number | undefined> {
  // Filtered here, because no database index covers the model. The first search reads the same rows anyway.
  for await (const entries of entriesSince(db, scope, 0)) {
    for (const { vectorModel, vectorsMissing, entry } of entries) {
      const hasVectors = vectorModel === model && vectorsMissing === 0
      const dims = hasVectors && entry !== undefined ? decodeEntry(entry).vectors?.dims : undefined
      if (dims !== undefined) return dims
    }
  }
  return undefined
}
