import type { Database } from '../db/dialect.ts'
import { eraseRows, listWithoutKeys } from '../vaults/erase-store.ts'
import { forEachVault } from './each-vault.ts'
import type { Job } from './scheduler.ts'

const everyMs = 3_600_000

/** Goes on with what a crash or a stop has cut short. Items: vaults. */
export const finishErasures = (db: Database): Job => ({
  name: 'finish-erasures',
  everyMs,
  async run(signal, done) {
    await forEachVault(await listWithoutKeys(db.read), signal, async ({ userId, id }) => {
      await eraseRows(db, userId, id, signal)
      if (!signal.aborted) done?.(1)
    })
  },
})
