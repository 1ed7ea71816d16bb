import { expect, it, onTestFinished, vi } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { onPostgres } from '../../test/dialects.ts'
import { startAgent } from '../../test/scenarios.ts'
import { registry } from '../api/registry.ts'
import type { ChangeNews } from '../operation/context.ts'
import { createNews } from './news.ts'
import { watchOthers } from './watch-others.ts'

onPostgres('what another server of the same database does', (dialect) => {
  it('is told to those who listen here, once, and to nobody else', async () => {
    const test = await startTestApp({ dialect, runsJobs: false })
    const [agent, stranger] = [await startAgent(test), await startAgent(test)]
    await agent.write('Seconds before anybody listened: a page may have been drawn before it.')
    const { db, log } = test.app.services
    // As another process has it, which heard of none of these calls.
    const news = createNews()
    const told: ChangeNews[] = []
    const toldStranger: ChangeNews[] = []
    news.listen(agent.user.userId, (one) => told.push(one), undefined)
    news.listen(stranger.user.userId, (one) => toldStranger.push(one), undefined)
    const others = watchOthers({ db, news, activity: { isOwn: () => false }, log }, registry, 20)
    onTestFinished(() => others.stop())
    await new Promise((done) => setTimeout(done, 200))
    expect(told).toMatchObject([{ vaultId: agent.user.vaultId, types: ['memories', 'tasks'] }])
    await agent.call('create-note', { title: 'Herons' })
    await vi.waitFor(() => expect(told).toHaveLength(2), { timeout: 10_000 })
    expect(told.at(-1)).toMatchObject({ vaultId: agent.user.vaultId, types: ['notes'] })
    await agent.call('send-message', { targetId: 'user', content: 'The pond is dry.' })
    await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ types: ['messages'] }), { timeout: 10_000 })
    expect([told.length, toldStranger.length]).toEqual([3, 0])
    const rows = await db.read.selectFrom('activity').select('id').execute()
    expect(rows.map(({ id }) => test.app.services.activity.isOwn(id))).toEqual([true, true, true])
  })
})
