import { archiveExpired, listVaultsWithExpired } from '../memories/purge-store.ts'
import type { Services } from '../operation/context.ts'
import { readKeysDue } from '../rotation/due-store.ts'
import { finishRootKey } from '../rotation/root-key.ts'
import { useNewestInstanceKeys } from '../rotation/instance-key-store.ts'
import { replaceFormerKeys, startNextKeys } from '../rotation/scope-keys.ts'
import { maxSealsPerKey } from '../rotation/stored-keys.ts'
import { replaceUserKeys } from '../rotation/user-keys.ts'
import type { LanguageModel } from '../turns/language-model.ts'
import { listVaultsToSnapshot } from '../vault-index/stored/snapshot-store.ts'
import { listUnfinished } from '../vaults/erase-store.ts'
import { finishErasure } from '../vaults/finish-erasure.ts'
import { pruneDeliveries } from '../webhooks/delivery-store.ts'
import { applyRetention } from './apply-retention.ts'
import { backfillVectors } from './backfill-vectors.ts'
import { forEachVault, unlockVault } from './each-vault.ts'
import { extractTurns } from './extract-turns.ts'
import { measureStorage } from './measure-storage.ts'
import type { Job } from './scheduler.ts'
import { createSweep } from './sweep.ts'

interface Options {
  /** Undefined if none is configured. */
  languageModel: LanguageModel | undefined
  /** Resolves once it is known whether the embedding provider answers. */
  asked: Promise<void> | undefined
}

/** All background work. The jobs in this file only call one function at intervals. */
export const listJobs = (services: Services, { languageModel, asked }: Options): Job[] => [
  finishErasures(services),
  finishRootKeyChange(services),
  rotateUserKeys(services),
  rotateVaultKeys(services),
  switchInstanceKeys(services),
  expireMemories(services),
  applyRetention(services),
  pruneOldDeliveries(services),
  keepSnapshots(services),
  measureStorage(services),
  ...(services.backups.isSupported ? [pruneBackups(services)] : []),
  ...(services.backups.isSupported && (services.backups.everyHours > 0 || services.backups.isCopied)
    ? [backUp(services)]
    : []),
  ...(services.embeddings === undefined ? [] : [backfillVectors(services, services.embeddings, asked)]),
  ...(languageModel === undefined ? [] : [extractTurns(services, languageModel)]),
]

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Continues erasures of vaults that a crash or a stop interrupted. Items: vaults. */
export function finishErasures({ db, backups, now }: Pick<Services, 'db' | 'backups' | 'now'>): Job {
  const sweep = createSweep({ now, restMs: hourMs })
  return {
    name: 'finish-erasures',
    everyMs: minuteMs,
    async run(signal, done) {
      const owners = await sweep.next(db.read)
      if (owners === undefined) return
      await forEachVault(await listUnfinished(db.read, owners), signal, async ({ userId, id }) => {
        await finishErasure({ db, backups }, { userId, id }, signal)
        if (!signal.aborted) done?.(1)
      })
    },
  }
}

/** Continues a change of the root key that a crash or a stop interrupted. Items: wrapped keys. */
const finishRootKeyChange = (services: Pick<Services, 'db' | 'instance' | 'keyring' | 'log' | 'now'>): Job => ({
  name: 'finish-root-key',
  everyMs: hourMs,
  async run(signal, done) {
    await finishRootKey(services, { signal, ...(done !== undefined && { done }) })
  },
})

type RotationDeps = Pick<Services, 'db' | 'instance' | 'keyring' | 'log' | 'now'>

/** Replaces the keys of users that someone asked for. Apart from vaults, which can take hours. Items: users. */
export const rotateUserKeys = (services: RotationDeps): Job => ({
  name: 'rotate-user-keys',
  everyMs: 10_000,
  async run(signal, done) {
    const due = await readKeysDue(services.db.read)
    await replaceUserKeys(services, due.users, { signal, done })
  },
})

/** Replaces the keys of vaults that someone asked for, or that have sealed as much as a key may. Items: rows. */
export function rotateVaultKeys(services: RotationDeps, maxSeals = maxSealsPerKey): Job {
  const sweep = createSweep(services)
  return {
    name: 'rotate-vault-keys',
    everyMs: 10_000,
    async run(signal, done) {
      const owners = await sweep.next(services.db.read)
      if (owners === undefined) return
      const due = await readKeysDue(services.db.read)
      await startNextKeys(services, { due: due.vaults, maxSeals, owners }, signal)
      await replaceFormerKeys(services, owners, { signal, done })
    },
  }
}

/** Seals with the newest generation of the instance's keys, on every server. */
const switchInstanceKeys = (services: Pick<Services, 'db' | 'instance'>): Job => ({
  name: 'use-newest-instance-keys',
  everyMs: minuteMs,
  isOnEveryServer: true,
  run: () => useNewestInstanceKeys(services),
})

/** Archives expired memories. Reads have not shown them since they expired; from now on they count as archived. Items: memories. */
export const expireMemories = ({ db, callLog, now }: Pick<Services, 'db' | 'callLog' | 'now'>): Job => ({
  name: 'expire-memories',
  everyMs: minuteMs,
  async run(signal, done) {
    const at = now()
    await forEachVault(await listVaultsWithExpired(db.read, at), signal, async ({ userId, vaultId }) => {
      let archived = -1
      while (archived !== 0 && !signal.aborted) {
        archived = await archiveExpired(db, userId, vaultId, at)
        done?.(archived)
        if (archived > 0)
          callLog.recordWork(userId, vaultId, {
            name: 'expire-memories',
            changes: ['memories', 'tasks'],
            records: archived,
          })
      }
    })
  },
})

/** Deletes webhook deliveries that were finished 30 days ago, and gives up the ones that have waited that long. */
const pruneOldDeliveries = ({ db, now }: Pick<Services, 'db' | 'now'>): Job => ({
  name: 'prune-deliveries',
  everyMs: hourMs,
  run: (signal) => pruneDeliveries(db, now(), signal),
})

/** Reading this many changes back row by row takes about 0.1 s. */
const minChanges = 4_000

/**
 * Vaults that are searched get snapshots as a by-product. A vault that is only written to would have to be read back row by row at its
 * first search (100,000 memories: about 3 s), so it is loaded here, which writes its snapshot. Items: vaults.
 */
export function keepSnapshots(services: Pick<Services, 'db' | 'keyring' | 'indexes' | 'now'>): Job {
  const sweep = createSweep(services)
  return {
    name: 'keep-snapshots',
    everyMs: minuteMs,
    async run(signal, done) {
      const owners = await sweep.next(services.db.read)
      if (owners === undefined) return
      await forEachVault(await listVaultsToSnapshot(services.db.read, minChanges, owners), signal, async (due) => {
        const vault = await unlockVault(services, due.userId, due.vaultId)
        if (vault !== undefined) await services.indexes.save(vault)
        done?.(1)
      })
    },
  }
}

/** Deletes backups that the server made before an update a week ago. Items: backups. */
const pruneBackups = ({ backups }: Pick<Services, 'backups'>): Job => ({
  name: 'prune-backups',
  everyMs: hourMs,
  async run(_signal, done) {
    done?.(await backups.deleteBeforeUpdate('due'))
  },
})

/** Makes automatic backups, copies backups to S3, and deletes the oldest automatic ones. The interval is how often it checks, so a failed backup is retried after it. Items: backups. */
const backUp = ({ backups }: Pick<Services, 'backups'>): Job => ({
  name: 'back-up',
  everyMs: 10 * minuteMs,
  async run(signal, done) {
    if (await backups.makeDue(signal)) done?.(1)
  },
})
