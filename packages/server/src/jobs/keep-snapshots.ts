import type { Services } from '../operation/context.ts'
import { listVaultsToSnapshot } from '../vault-index/stored/snapshot-store.ts'
import { forEachVault } from './each-vault.ts'
import type { Job } from './scheduler.ts'
import { unlockVault } from './unlock-vault.ts'

const everyMs = 60_000
/** So many changes are read back row by row in about 0.1 s. */
const minChanges = 4_000

/**
 * Vaults that are searched get their snapshots by the way. One that is only written to would have to be read back row
 * by row at its first search (100,000 memories: about 3 s), so it is loaded here, which writes its snapshot. Items: vaults.
 */
export function keepSnapshots(services: Services): Job {
  return {
    name: 'keep-snapshots',
    everyMs,
    async run(signal, done) {
      await forEachVault(await listVaultsToSnapshot(services.db.read, minChanges), signal, async (due) => {
        const vault = await unlockVault(services, due.userId, due.vaultId)
        if (vault !== undefined) await services.indexes.save(vault)
        done?.(1)
      })
    },
  }
}
