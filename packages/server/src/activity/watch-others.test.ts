import { expect, it, onTestFinished, vi } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { onPostgres } from '../../test/dialects.ts'
import { startAgent } from '../../test/scenarios.ts'
import { operations } from '../api/registry.ts'
import type { ChangeNews } from '../calls/news.ts'
import { idFromBytes } from '../db/binary-ids.ts'
import { createNews } from '../calls/news.ts'
import { watchOthers } from './watch-others.ts'

onPostgres('what another server of the same database does', (dialect) => {
  it("is sent once, only to the affected user's pages", async () => {
    const test = await startTestApp({ dialect, runsJobs: false })
    const [agent, stranger] = [await startAgent(test), await startAgent(test)]
    await agent.write('Seconds before anybody listened: a page may have been drawn before it.')
    const { db, log } = test.app.services
    // Like another process that has not seen any of these calls.
    const news = createNews()
    const told: ChangeNews[] = []
    const calls: ChangeNews[] = []
    const toldStranger: ChangeNews[] = []
    // Agents' calls are reported for any operation.
    const isCall = ({ types }: ChangeNews) => types.includes('agents')
    news.listen(agent.user.userId, (one) => void (isCall(one) ? calls.push(one) : told.push(one)), undefined)
    news.listen(stranger.user.userId, (one) => toldStranger.push(one), undefined)
    const others = watchOthers({ db, news, callLog: { isOwn: () => false }, log }, operations, 20)
    onTestFinished(() => others.stop())
    await new Promise((done) => setTimeout(done, 200))
    expect(told).toMatchObject([{ vaultId: agent.user.vaultId, types: ['memories', 'tasks'] }])
    await agent.call('create-note', { title: 'Herons' })
    await vi.waitFor(() => expect(told).toHaveLength(2), { timeout: 10_000 })
    expect(told.at(-1)).toMatchObject({ vaultId: agent.user.vaultId, types: ['notes'] })
    await agent.call('cleanup-memories', { maxImportance: 5 })
    await test.app.services.activity.flush()
    await agent.call('send-message', { targetId: 'user', content: 'The pond is dry.' })
    await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ types: ['messages'] }), { timeout: 10_000 })
    expect([told.length, toldStranger.length]).toEqual([3, 0])
    expect(calls).toMatchObject([{ vaultId: null, types: ['agents', 'runs'] }])
    const rows = await db.read.selectFrom('activity').select('id').execute()
    expect(rows.map(({ id }) => test.app.services.callLog.isOwn(idFromBytes(id)))).toEqual([true, true, true, true])
  })

  it('is sent after the database was unavailable for some time', async () => {
    const test = await startTestApp({ dialect, runsJobs: false })
    const agent = await startAgent(test)
    const { db, log } = test.app.services
    const news = createNews()
    const told: ChangeNews[] = []
    news.listen(agent.user.userId, (one) => told.push(one), undefined)
    let isAway = false
    const read = new Proxy(db.read, {
      get(target, name) {
        if (isAway) throw new Error('The database is unavailable')
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
    const clock = vi.spyOn(Date, 'now')
    onTestFinished(() => clock.mockRestore())
    const others = watchOthers({ db: { ...db, read }, news, callLog: { isOwn: () => false }, log }, operations, 20)
    onTestFinished(() => others.stop())
    await new Promise((done) => setTimeout(done, 100))
    isAway = true
    await agent.call('create-note', { title: 'Herons' })
    // Longer than the regular check looks back.
    clock.mockImplementation(() => performance.timeOrigin + performance.now() + 60_000)
    await new Promise((done) => setTimeout(done, 100))
    isAway = false
    await vi.waitFor(() => expect(told.flatMap(({ types }) => types)).toContain('notes'), { timeout: 10_000 })
  })
})
