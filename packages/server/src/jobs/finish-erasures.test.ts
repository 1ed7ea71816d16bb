import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { startAgent } from '../../test/scenarios.ts'
import type { Database } from '../db/dialect.ts'
import { destroyKeys } from '../vaults/erase-store.ts'
import { finishErasures } from './list-jobs.ts'

eachDialect('finishing erasures', (dialect) => {
  it('continues with the other vaults if one fails', async () => {
    const test = await startTestApp({ dialect, runsJobs: false })
    const { db, backups, now } = test.app.services
    for (const { user, write } of [await startAgent(test), await startAgent(test)]) {
      await write('violets')
      await db.write((tx) => destroyKeys(tx, user.userId, user.vaultId, now()))
    }
    let writes = 0
    const failing = new Proxy(db, {
      get: (target, name: keyof Database) =>
        name === 'write' && writes++ === 0
          ? () => Promise.reject(new Error('lost'))
          : Reflect.get(target, name, target),
    })
    await expect(finishErasures({ db: failing, backups, now }).run(new AbortController().signal)).rejects.toThrow(
      'lost',
    )
    expect(await db.read.selectFrom('memories').select('id').execute()).toHaveLength(1)
  })
})
