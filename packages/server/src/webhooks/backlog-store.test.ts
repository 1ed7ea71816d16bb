import { expect, it } from 'vitest'
import { eachDialect } from '../../test/dialects.ts'
import { measureBacklog } from './backlog-store.ts'
import { draft } from './testing/own-webhooks.ts'
import { start } from './testing/start-delivery.ts'

eachDialect('the queue of all webhooks', (dialect) => {
  it('counts deliveries that wait and that failed for good, but none that wait on purpose', async () => {
    const { test, user, clock, subscribe, queue } = await start(dialect)
    const { db } = test.app.services
    expect(await measureBacklog(db.read)).toEqual({ pending: 0, oldestAt: undefined, dead: 0 })
    const { id } = await subscribe(draft.url)
    const since = clock.now()
    await queue()
    clock.advance(60_000)
    await queue()
    await queue()
    expect(await measureBacklog(db.read)).toEqual({ pending: 3, oldestAt: since, dead: 0 })
    const [oldest] = await db.read.selectFrom('webhookDeliveries').select('id').orderBy('id').limit(1).execute()
    await db.write((tx) =>
      tx
        .updateTable('webhookDeliveries')
        .set({ state: 'dead' })
        .where('userId', '=', user.userId)
        .where('id', '=', oldest?.id ?? '')
        .execute(),
    )
    expect(await measureBacklog(db.read)).toEqual({ pending: 2, oldestAt: since + 60_000, dead: 1 })
    await test.call('update-webhook', { id, isActive: false }, { key: user.dashboardToken })
    expect(await measureBacklog(db.read)).toMatchObject({ pending: 0, oldestAt: undefined })
    await test.call('update-webhook', { id, isActive: true }, { key: user.dashboardToken })
    await db.write((tx) => tx.updateTable('users').set({ disabledAt: 1 }).where('id', '=', user.userId).execute())
    expect(await measureBacklog(db.read)).toMatchObject({ pending: 0 })
  })
})
