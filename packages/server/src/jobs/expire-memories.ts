import { archiveExpired, listVaultsWithExpired } from '../memories/purge-store.ts'
import type { Services } from '../operation/context.ts'
import { forEachVault } from './each-vault.ts'
import type { Job } from './scheduler.ts'

const everyMs = 60_000

/** Archives what has expired. No read has shown it since that moment; from here on it counts as archived. Items: memories. */
export const expireMemories = ({ db, callLog, now }: Services): Job => ({
  name: 'expire-memories',
  everyMs,
  async run(signal, done) {
    const at = now()
    await forEachVault(await listVaultsWithExpired(db.read, at), signal, async ({ userId, vaultId }) => {
      let archived = -1
      while (archived !== 0 && !signal.aborted) {
        archived = await archiveExpired(db, userId, vaultId, at)
        done?.(archived)
        if (archived > 0)
          callLog.noteWork(userId, vaultId, {
            name: 'expire-memories',
            changes: ['memories', 'tasks'],
            records: archived,
          })
      }
    })
  },
})
