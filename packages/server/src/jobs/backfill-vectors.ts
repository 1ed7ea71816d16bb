import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import { type EmbeddingProvider, meterEmbeddings } from '../embeddings/provider.ts'
import type { Services } from '../operation/context.ts'
import { decodeEntry } from '../vault-index/stored/entry.ts'
import { type CheckedModel, findCheckedModel, saveCheckedModel } from '../vault-index/stored/model-store.ts'
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
/** So long after the latest sign of a server with another model, changes are looked through. An update of several servers is over by then. */
const watchedMs = 3_600_000

interface Vault {
  userId: string
  vaultId: string
}

/**
 * Computes vectors for records that were stored while there was no provider, while it was unreachable, or with another
 * model, including one of the same name with another vector length. The mark in a record's index entry is the queue, so an
 * interrupted run continues where it stopped.
 *
 * The first run, once `asked` resolves, marks all records without vectors of this model, unless they were compared with it before and no
 * server has started with another one since. As long as other servers may use another one, each run does so with the changes since
 * the previous run. Items: records.
 */
export function backfillVectors(
  services: FillDeps & Pick<Services, 'keyring' | 'limits' | 'now'>,
  provider: EmbeddingProvider,
  asked?: Promise<void>,
): Job {
  const { db, log } = services
  const compare = createComparison(services, provider)
  /** By vault, the record after which to continue after an outage, because that record may have caused it. */
  const stoppedAt = new Map<string, string>()

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
      await compare(signal)
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

/** Marks the records that have no vectors of this model, as far as another server, or an earlier start, can have written some. */
function createComparison(
  services: Pick<Services, 'db' | 'keyring' | 'log' | 'now'>,
  provider: EmbeddingProvider,
): (signal: AbortSignal) => Promise<void> {
  const { db, now } = services
  const marking = createMarking(services, provider)
  let isCompared = false
  let watchedUntil = 0
  return async (signal) => {
    const checked = await findCheckedModel(db.read)
    if (checked?.id !== provider.id) {
      // A server with another model has started since everything was compared.
      if (isCompared && now() >= watchedUntil) await marking.skipAll()
      watchedUntil = now() + watchedMs
    }
    if (now() < watchedUntil && (await marking.mark(signal)) > 0) watchedUntil = now() + watchedMs
    // Unknown before the provider's first answer.
    const { dims } = provider
    if (isCompared || dims === undefined) return
    if (checked?.id !== provider.id || checked.dims !== dims) {
      await markOtherDims(services, { id: provider.id, dims }, signal)
      if (signal.aborted) return
      await saveCheckedModel(db, { id: provider.id, dims })
    }
    isCompared = true
  }
}

interface Marking {
  /** Marks records that were written with another model or without one, since the last call. Returns how many were written after the first. */
  mark(signal: AbortSignal): Promise<number>
  /** From now on, marks only what is written later. */
  skipAll(): Promise<void>
}

function createMarking({ db, log }: Pick<Services, 'db' | 'log'>, provider: EmbeddingProvider): Marking {
  /** By vault, the change number up to which everything is marked. */
  const markedUpTo = new Map<string, number>()
  let markedLater = 0
  async function mark(signal: AbortSignal): Promise<number> {
    const laterBefore = markedLater
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
    return markedLater - laterBefore
  }
  return {
    mark,
    async skipAll() {
      for (const { vaultId, seq } of await listAllVaults(db.read)) markedUpTo.set(vaultId, seq)
    },
  }
}

/** Marks all records of vaults whose vectors have another length. */
async function markOtherDims(
  services: Pick<Services, 'db' | 'keyring' | 'log'>,
  { id, dims }: CheckedModel,
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = services
  await forEachVault(await listAllVaults(db.read), signal, async ({ userId, vaultId }) => {
    const stored = await dimsIn(services, { userId, vaultId }, id)
    if (stored === undefined || stored === dims) return
    log.warn("the model's vectors have another length than the stored ones: all are computed again", {
      vaultId,
      count: dims,
    })
    await markUnseen(db, { userId, vaultId }, id, { signal, flagsAll: true })
  })
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
