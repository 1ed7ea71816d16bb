import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser, makeVault } from '../../test/factories.ts'
import { isWithin, type OwnerRange } from '../db/owner-range.ts'
import { createSweep } from './sweep.ts'

eachDialect('a sweep', (dialect) => {
  async function start(restMs?: number) {
    const test = await startTestApp({ dialect, runsJobs: false })
    const { db } = test.app.services
    const users = [await makeUser(test), await makeUser(test), await makeUser(test)]
    for (const user of users) for (const name of ['Second', 'Third']) await makeVault(test, user, name)
    const clock = { now: 0 }
    const sweep = createSweep({ now: () => clock.now, atOnce: 4, ...(restMs !== undefined && { restMs }) })
    const vaultsIn = async (range: OwnerRange | undefined) => {
      if (range === undefined) return undefined
      const rows = await db.read.selectFrom('vaults').select('userId').where(isWithin('userId', range)).execute()
      return rows.map(({ userId }) => userId).toSorted()
    }
    return {
      clock,
      sweep,
      ids: users.map(({ userId }) => userId).toSorted(),
      next: async () => vaultsIn(await sweep.next(db.read)),
    }
  }

  const thrice = (ids: readonly string[]) => ids.flatMap((id) => [id, id, id])

  it('has every vault once in each round, and never splits those of an owner', async () => {
    const { next, ids } = await start()
    for (let round = 0; round < 2; round++) {
      expect(await next()).toEqual(thrice(ids.slice(0, 2)))
      expect(await next()).toEqual(thrice(ids.slice(2)))
    }
  })

  it('rests between rounds, and not within one', async () => {
    const { next, clock } = await start(1_000)
    const sizes = async () => [(await next())?.length, (await next())?.length, (await next())?.length]
    expect(await sizes()).toEqual([6, 3, undefined])
    clock.now = 999
    expect(await next()).toBeUndefined()
    clock.now = 1_000
    expect(await sizes()).toEqual([6, 3, undefined])
    clock.now = -5_000
    expect(await next()).toHaveLength(6)
  })

  it('continues after an owner at which a run ended early', async () => {
    const { next, sweep, ids } = await start()
    await next()
    sweep.continueAfter(ids[0] ?? '')
    expect(await next()).toEqual(thrice(ids.slice(1)))
    // The end of the round.
    expect(await next()).toEqual([])
    expect(await next()).toEqual(thrice(ids.slice(0, 2)))
  })
})
