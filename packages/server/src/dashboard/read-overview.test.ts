import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeAgentKey, makeIntegration, makeUser, makeWebhook } from '../../test/factories.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'

const dayMs = 86_400_000

eachDialect('read-overview', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const overviewOf = async ({ vaultId, dashboardToken }: { vaultId: string; dashboardToken: string }, more = {}) => {
    const { status, body, text } = await test().call('read-overview', { vaultId, ...more }, { key: dashboardToken })
    expect([200, text]).toEqual([status, text])
    return body.overview as Record<string, unknown>
  }

  it('counts all records and those of the last week', async () => {
    const agent = await startAgent(test())
    const old = await agent.write('violets')
    await agent.write('roses')
    await agent.call('create-note', { title: 'Old' })
    await agent.call('create-task', { title: 'Water', status: 'done' })
    clock.advance(8 * dayMs)
    await agent.write('ferns')
    await agent.write({ content: 'gone soon', expiresAt: clock.iso(1) })
    await agent.call('create-task', { title: 'Weed' })
    await agent.call('create-note', { title: 'New' })
    await agent.call('archive-memory', { memoryId: old })
    clock.advance(1000)
    expect((await overviewOf(agent.user)).counts).toEqual({
      memories: { total: 4, added: 2, archived: 1 },
      notes: { total: 2, added: 1 },
      tasks: { open: 1, added: 1 },
    })
    clock.advance(8 * dayMs)
    expect((await overviewOf(agent.user)).counts).toMatchObject({ memories: { total: 4, added: 0, archived: 0 } })
  })

  it('counts what was written and recalled on each of the last 30 days', async () => {
    const agent = await startAgent(test())
    await agent.write('violets')
    await agent.call('create-note', { title: 'Old' })
    clock.advance(2 * dayMs)
    await agent.write('ferns')
    await agent.search('ferns')
    await agent.search('violets')
    // This writes the counts of calls.
    await test().call('read-usage', { parts: ['calls'] }, { key: agent.user.dashboardToken })
    const days = (await overviewOf(agent.user)).days as { day: string; written: number; recalls: number }[]
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toEqual({ day: clock.iso().slice(0, 10), written: 1, recalls: 2 })
    expect(days.at(-2)).toMatchObject({ written: 0, recalls: 0 })
    expect(days.at(-3)).toMatchObject({ written: 2, recalls: 0 })
  })

  it('shows what agents did today, by what they wrote and by their runs', async () => {
    const ada = await startAgent(test(), { agentId: 'ada' })
    const bob = await startAgent(test(), { user: ada.user, agentId: 'bob' })
    await bob.write('yesterday')
    clock.advance(2 * dayMs)
    const since = clock.iso()
    await ada.write({ content: 'violets', agentRunId: 'one' })
    await ada.write({ content: 'roses', agentRunId: 'one' })
    await ada.call('read-memories', { memoryIds: [await ada.write('no run')], agentRunId: 'two' })
    await bob.call('list-tasks', { agentRunId: 'three' })
    const mine = { vaultId: ada.user.vaultId, content: 'mine' }
    await test().call('write-memory', mine, { key: ada.user.dashboardToken })
    clock.advance(1000)
    expect((await overviewOf(ada.user, { since })).agents).toEqual([
      { agentId: 'ada', memories: 3, runs: 2, toolCalls: 4, lastSeenAt: since },
      { agentId: 'bob', memories: 0, runs: 1, toolCalls: 1, lastSeenAt: since },
    ])
    clock.advance(2 * dayMs)
    expect((await overviewOf(ada.user)).agents).toEqual([])
  })

  it('shows what needs the owner’s attention', async () => {
    const agent = await startAgent(test())
    const { user } = agent
    expect((await overviewOf(user)).waiting).toEqual({
      messages: 0,
      failedDeliveries: 0,
      review: { proposal: 0, contradiction: 0, unsure: 0, changed: 0, removed: 0 },
      expiringKeys: [],
    })
    await agent.call('send-message', { targetId: 'user', content: 'The pond is dry.' })
    await agent.call('send-message', { targetId: '*', content: 'To everyone.' })
    await agent.call('send-message', { targetId: 'ada', content: 'To an agent.' })
    const integrationId = await makeIntegration(test(), user)
    const later = await makeAgentKey(test(), user, integrationId, { expiresAt: clock.now() + 13 * dayMs })
    const sooner = await makeAgentKey(test(), user, integrationId, { expiresAt: clock.now() + dayMs })
    await makeAgentKey(test(), user, integrationId, { expiresAt: clock.now() + 15 * dayMs })
    await makeAgentKey(test(), user, integrationId, { expiresAt: clock.now() - 1 })
    await makeAgentKey(test(), user, integrationId, { expiresAt: clock.now() + dayMs, isRevoked: true })
    const { deliveryId } = await makeWebhook(test(), user)
    const { db } = test().app.services
    await db.write((tx) =>
      tx.updateTable('webhookDeliveries').set({ state: 'dead' }).where('id', '=', deliveryId).execute(),
    )
    const stranger = await makeUser(test())
    const { waiting } = await overviewOf(user)
    expect(waiting).toMatchObject({ messages: 2, failedDeliveries: 1 })
    expect((waiting as { expiringKeys: { last4: string }[] }).expiringKeys.map(({ last4 }) => last4)).toEqual(
      [sooner, later].map((key) => key.slice(-4)),
    )
    expect((await overviewOf(stranger)).waiting).toEqual({
      messages: 0,
      failedDeliveries: 0,
      review: { proposal: 0, contradiction: 0, unsure: 0, changed: 0, removed: 0 },
      expiringKeys: [],
    })
  })

  it('says that there is no embedding provider, and nothing unknown', async () => {
    const { health } = await overviewOf(await makeUser(test()))
    expect(health).toEqual({
      embeddings: null,
      pendingVectors: 0,
      degraded: [{ leg: 'semantic', reason: expect.stringContaining('no embedding provider') }],
    })
  })
})

eachDialect('read-overview with embeddings', (dialect) => {
  const test = useTestApp({ dialect, config: { embeddings: { provider: 'static' } }, runsJobs: false })

  it('names the provider, and how many records are queued for it', async () => {
    const agent = await startAgent(test())
    await agent.write('violets')
    const { db } = test().app.services
    const mark = () =>
      db.write((tx) =>
        tx.updateTable('indexEntries').set({ vectorsMissing: 1 }).where('userId', '=', agent.user.userId).execute(),
      )
    const health = async () => {
      const { vaultId, dashboardToken } = agent.user
      const { body } = await test().call('read-overview', { vaultId }, { key: dashboardToken })
      return (body.overview as { health: unknown }).health
    }
    const embeddings = { provider: expect.stringMatching(/^static\//), failure: null }
    expect(await health()).toEqual({ embeddings, pendingVectors: 0, degraded: [] })
    await mark()
    expect(await health()).toEqual({
      embeddings,
      pendingVectors: 1,
      degraded: [{ leg: 'semantic', reason: 'some records have no vectors of this model yet' }],
    })
  })
})
