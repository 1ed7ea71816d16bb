import { expect, it } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { eachDialect } from '../../test/dialects.ts'
import { storeClock, type Tx } from './dialect.ts'

eachDialect('the clock of the store', (dialect) => {
  it('returns milliseconds since 1970, of the moment and not of the transaction', async () => {
    const db = await openTestDatabase(dialect)
    const look = async (tx: Tx) => {
      const { now } = await tx.selectNoFrom(storeClock(tx).as('now')).executeTakeFirstOrThrow()
      return now
    }
    const before = Date.now()
    await db.write(async (tx) => {
      const first = await look(tx)
      // Close to this machine's clock; both are rounded.
      expect(first).toBeGreaterThanOrEqual(before - 1)
      expect(first).toBeLessThanOrEqual(Date.now() + 1)
      await expect.poll(() => look(tx)).toBeGreaterThan(first)
    })
    await db.close()
  })
})
