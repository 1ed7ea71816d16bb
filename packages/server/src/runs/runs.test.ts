import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { findUserActor } from '../auth/store.ts'
import { purgeSightings } from './agent-store.ts'
import { purgeRuns } from './run-store.ts'

eachDialect('runs', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const headers = (runId: string) => ({ headers: { 'x-agent-run-id': runId } })
  const agentsOf = async (agent: TestAgent, more: Record<string, unknown> = {}) =>
    (await agent.call('list-active-agents', more)).body.agents as Record<string, unknown>[]
  const callsOf = async (agent: TestAgent, runId: string) =>
    (await agentsOf(agent)).find(({ agentRunId }) => agentRunId === runId)?.toolCalls

  it('are counted by the server, from header and body', async () => {
    const agent = await startAgent(test(), { agentId: 'gardener', agentType: 'coding', label: 'Laptop' })
    await agent.call('write-memory', { content: 'One', modelId: 'gpt' }, headers('run-1'))
    await agent.call('search-memories', { query: 'One', agentRunId: 'run-1' })
    await agent.call('list-vaults', { agentRunId: 'run-1' })
    clock.advance(1000)
    await agent.call('read-memories', { memoryIds: ['0198c5f0-0000-7000-8000-000000000101'] }, headers('run-1'))
    expect(await agentsOf(agent)).toEqual([
      {
        agentId: 'gardener',
        agentType: 'coding',
        label: 'Laptop',
        modelId: 'gpt',
        agentRunId: 'run-1',
        startedAt: clock.iso(-1000),
        lastSeenAt: clock.iso(),
        endedAt: null,
        toolCalls: 4,
        currentActivity: null,
        runs: 1,
        // The call that lists them names no run.
        allCalls: 5,
      },
    ])
  })

  it('keep counting after they were written', async () => {
    const agent = await startAgent(test())
    for (let n = 1; n <= 3; n++) {
      await agent.call('write-memory', { content: `${n}` }, headers('run-2'))
      await test().app.services.runs.flush()
      expect(await callsOf(agent, 'run-2')).toBe(n)
    }
  })

  it('count every one of many concurrent calls', async () => {
    const agent = await startAgent(test())
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        await agent.call('search-memories', { query: `${n}` }, headers('run-3'))
        if (n % 5 === 0) await test().app.services.runs.flush()
      }),
    )
    expect(await callsOf(agent, 'run-3')).toBe(20)
  })

  it('do not count refused calls, nor calls without a run id', async () => {
    const agent = await startAgent(test(), { preset: 'read_only' })
    await agent.call('write-memory', { content: 'x' }, headers('run-4'))
    await agent.call('search-memories', { query: 'x' })
    expect((await agentsOf(agent)).map(({ agentRunId, runs }) => [agentRunId, runs])).toEqual([[null, 0]])
  })

  it('count calls that were authenticated but invalid', async () => {
    const agent = await startAgent(test(), { agentId: 'muddled' })
    await agent.call('search-memories', { query: '', agentId: 5, modelId: '' }, headers('run-4'))
    await agent.call('search-memories', { query: '', agentRunId: 'run-4' })
    await agent.call('search-memories', { query: 'x', agentRunId: '' })
    expect(await agentsOf(agent)).toMatchObject([{ agentRunId: 'run-4', agentId: 'muddled', toolCalls: 2 }])
  })

  it('are reported by session-track', async () => {
    const agent = await startAgent(test())
    const track = async (body: Record<string, unknown>) => (await agent.call('session-track', body)).body
    const begun = await track({ event: 'start' })
    expect(begun).toMatchObject({ tracked: true, toolCalls: 0, startedAt: clock.iso(), endedAt: null })
    const { agentRunId } = begun
    clock.advance(60_000)
    await agent.call('write-memory', { content: 'x', agentRunId })
    expect(await track({ agentRunId, event: 'tool', toolName: 'grep' })).toMatchObject({ toolCalls: 2 })
    expect((await agentsOf(agent))[0]).toMatchObject({ currentActivity: 'grep', startedAt: clock.iso(-60_000) })
    await track({ agentRunId, currentActivity: 'Reading', metadata: { branch: 'main' } })
    expect((await agentsOf(agent))[0]).toMatchObject({ currentActivity: 'Reading', toolCalls: 2 })
    expect(await track({ agentRunId, event: 'end' })).toMatchObject({ endedAt: clock.iso(), toolCalls: 2 })
    clock.advance(1)
    expect(await track({ agentRunId })).toMatchObject({ endedAt: null })
  })

  it('need an id, which only a start creates', async () => {
    const agent = await startAgent(test())
    for (const event of ['heartbeat', 'tool', 'end']) {
      const { status, body } = await agent.call('session-track', { event })
      expect([status, Object.keys(body.fields as object)]).toEqual([400, ['agentRunId']])
    }
  })

  it('are listed while recent, one per agent, latest first', async () => {
    const agent = await startAgent(test(), { agentId: 'a' })
    const track = (agentId: string, agentRunId: string) =>
      agent.call('session-track', { agentId, agentRunId, event: 'start' })
    await track('old', 'run-old')
    clock.advance(61 * 60_000)
    await track('a', 'run-a1')
    clock.advance(1000)
    await track('b', 'run-b1')
    clock.advance(1000)
    await track('a', 'run-a2')
    const listed = (agents: Record<string, unknown>[]) => agents.map(({ agentRunId }) => agentRunId)
    expect(listed(await agentsOf(agent))).toEqual(['run-a2', 'run-b1'])
    expect(listed(await agentsOf(agent, { limit: 1 }))).toEqual(['run-a2'])
    expect(listed(await agentsOf(agent, { withinMinutes: 120 }))).toEqual(['run-a2', 'run-b1', 'run-old'])
  })

  it('of two integrations are separate, even with the same id', async () => {
    const ada = await startAgent(test(), { agentId: 'ada', label: 'A' })
    const bob = await startAgent(test(), { user: ada.user, agentId: 'bob', label: 'B' })
    for (const [agent, currentActivity] of [
      [ada, 'sows'],
      [bob, 'reaps'],
    ] as const)
      await agent.call('session-track', { agentRunId: 'run-1', currentActivity })
    for (const agent of [ada, ada, bob]) await agent.call('list-notes', {}, headers('run-1'))
    const told = (await agentsOf(ada)).map((run) => [run.agentId, run.label, run.currentActivity, run.toolCalls])
    expect(told.toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
      ['ada', 'A', 'sows', 2],
      ['bob', 'B', 'reaps', 1],
    ])
  })

  it('have the name that the agent gives itself, once it does', async () => {
    const agent = await startAgent(test(), { label: 'Laptop' })
    const listed = async () => (await agentsOf(agent)).filter(({ agentRunId }) => agentRunId === 'run-1')
    const names = async () => (await listed()).map(({ agentId }) => agentId)
    await agent.call('list-notes', {}, headers('run-1'))
    expect(await names()).toEqual(['Laptop'])
    await agent.call('session-track', { agentRunId: 'run-1', agentId: 'planner' })
    await agent.call('list-notes', {}, headers('run-1'))
    expect(await names()).toEqual(['planner'])
    await agent.call('list-notes', { agentId: 'reviewer' }, headers('run-1'))
    await agent.call('list-notes', {}, headers('run-1'))
    expect(await names()).toEqual(['reviewer'])
  })

  it('belong to one vault; calls across vaults count in the default one', async () => {
    const agent = await startAgent(test())
    const vaultId = await makeVault(test(), agent.user)
    await agent.call('write-memory', { content: 'x', vaultId }, headers('run-5'))
    await agent.call('list-vaults', {}, headers('run-5'))
    expect(await agentsOf(agent, { vaultId })).toMatchObject([{ agentRunId: 'run-5', toolCalls: 1 }])
    expect(await agentsOf(agent)).toMatchObject([{ agentRunId: 'run-5', toolCalls: 1 }])
    const stranger = await startAgent(test())
    expect(await agentsOf(stranger)).toMatchObject([{ agentId: 'Test agent', agentRunId: null }])
  })

  it('stay listed after their integration was deleted', async () => {
    const agent = await startAgent(test(), { agentId: 'gone' })
    await agent.call('session-track', { agentRunId: 'run-6', event: 'start' })
    const { db } = test().app.services
    const other = await startAgent(test(), { user: agent.user })
    await db.write((tx) =>
      tx.updateTable('runs').set({ integrationId: null }).where('userId', '=', agent.user.userId).execute(),
    )
    expect((await agentsOf(other)).find(({ agentId }) => agentId === 'gone')).toMatchObject({
      label: null,
      agentType: null,
    })
  })

  it('are deleted when they are old', async () => {
    const agent = await startAgent(test())
    await agent.call('session-track', { agentRunId: 'first', event: 'start' })
    clock.advance(5000)
    await agent.call('session-track', { agentRunId: 'second', agentId: 'another', event: 'start' })
    const { userId, vaultId: id } = agent.user
    expect(await purgeRuns(test().app.services.db, { userId, id }, clock.now())).toBe(1)
    const left = (await agentsOf(agent)).map(({ agentRunId }) => agentRunId)
    expect(left.filter((runId) => runId !== null)).toEqual(['second'])
  })

  it('keep the name of the run out of the database', async () => {
    const agent = await startAgent(test())
    await agent.call('session-track', {
      agentRunId: 'very secret run',
      currentActivity: 'very secret thing',
      event: 'start',
    })
    const rows = await test().app.services.db.read.selectFrom('runs').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows)
      for (const value of Object.values(row))
        expect(Buffer.from(value instanceof Uint8Array ? value : String(value)).includes('very secret')).toBe(false)
  })

  it('of a vault that was deleted in the meantime are dropped', async () => {
    const agent = await startAgent(test())
    const vaultId = await makeVault(test(), agent.user)
    await agent.call('write-memory', { content: 'x', vaultId }, headers('run-7'))
    const { db, runs } = test().app.services
    await db.write(async (tx) => {
      await tx.deleteFrom('vaultKeys').where('scopeId', '=', vaultId).execute()
      await tx.deleteFrom('vaults').where('id', '=', vaultId).execute()
    })
    await runs.flush()
    const left = await db.read.selectFrom('runs').select('id').where('vaultId', '=', vaultId).execute()
    expect(left).toEqual([])
    expect(await findUserActor(db.read, agent.user.userId)).toBeDefined()
  })
})

eachDialect('agents without a run id', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const startTwo = async () => {
    const ada = await startAgent(test(), { agentId: 'ada', agentType: 'coding', label: 'Laptop' })
    return { ada, bob: await startAgent(test(), { user: ada.user, agentId: 'bob', label: 'Desk' }) }
  }
  const agentsOf = async (agent: TestAgent, more: Record<string, unknown> = {}) =>
    (await agent.call('list-active-agents', more)).body.agents as Record<string, unknown>[]

  it('are active for an hour after their last call', async () => {
    const { ada, bob } = await startTwo()
    await ada.call('search-memories', { query: 'x', modelId: 'model-1' })
    clock.advance(1000)
    await ada.call('write-memory', { content: 'x' })
    expect((await agentsOf(bob)).find(({ agentId }) => agentId === 'ada')).toEqual({
      agentId: 'ada',
      agentType: 'coding',
      label: 'Laptop',
      modelId: 'model-1',
      agentRunId: null,
      startedAt: clock.iso(-1000),
      lastSeenAt: clock.iso(),
      endedAt: null,
      toolCalls: 2,
      currentActivity: null,
      runs: 0,
      allCalls: 2,
    })
    clock.advance(1000)
    const { body } = await bob.call('session-start', {})
    expect(body.recentAgents).toMatchObject([{ agentId: 'bob' }, { agentId: 'ada', agentRunId: null }])
    clock.advance(60 * 60_000)
    expect((await agentsOf(bob)).map(({ agentId }) => agentId)).toEqual(['bob'])
    await ada.call('list-tasks')
    const seen = (await agentsOf(bob)).find(({ agentId }) => agentId === 'ada')
    expect(seen).toMatchObject({ startedAt: clock.iso(), toolCalls: 1, modelId: 'model-1' })
  })

  it('are listed once, with their run if they have one, by the name that they claim', async () => {
    const { ada, bob } = await startTwo()
    await ada.call('list-tasks', { agentRunId: 'run-1' })
    clock.advance(1000)
    await ada.call('list-tasks')
    await ada.call('list-tasks', { agentId: 'reviewer' })
    const listed = (await agentsOf(bob)).map(({ agentId, agentRunId, toolCalls, allCalls, lastSeenAt }) => [
      agentId,
      agentRunId,
      toolCalls,
      allCalls,
      lastSeenAt === clock.iso(),
    ])
    expect(listed.toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
      ['ada', 'run-1', 1, 2, true],
      ['bob', null, 1, 1, true],
      ['reviewer', null, 1, 1, true],
    ])
    expect((await agentsOf(bob, { limit: 1, offset: 2 })).length).toBe(1)
  })

  it('are active only in the vault of their call, and their names are encrypted', async () => {
    const { ada, bob } = await startTwo()
    const vaultId = await makeVault(test(), ada.user)
    await ada.call('write-memory', { content: 'x', vaultId, agentId: 'very secret name' })
    const stranger = await startAgent(test())
    const names = async (agent: TestAgent, more = {}) => (await agentsOf(agent, more)).map(({ agentId }) => agentId)
    expect(await names(bob)).toEqual(['bob'])
    expect(new Set(await names(bob, { vaultId }))).toEqual(new Set(['bob', 'very secret name']))
    expect(await names(stranger)).toEqual(['Test agent'])
    const { db } = test().app.services
    for (const row of await db.read.selectFrom('agentSightings').selectAll().execute())
      for (const value of Object.values(row))
        expect(Buffer.from(value instanceof Uint8Array ? value : String(value)).includes('very secret')).toBe(false)
  })

  it('are deleted once they are old', async () => {
    const { ada, bob } = await startTwo()
    await ada.call('list-tasks')
    clock.advance(5000)
    await agentsOf(bob)
    const { userId, vaultId: id } = ada.user
    expect(await purgeSightings(test().app.services.db, { userId, id }, clock.now())).toBe(1)
    expect((await agentsOf(bob)).map(({ agentId }) => agentId)).toEqual(['bob'])
  })
})

describe('counting', () => {
  const test = useTestApp()

  it('continues after a failed write', async () => {
    const agent = await startAgent(test())
    const { db, runs } = test().app.services
    await agent.call('search-memories', { query: 'x', agentRunId: 'run' })
    const rename = (from: string, to: string) => db.write((tx) => tx.schema.alterTable(from).renameTo(to).execute())
    await rename('runs', 'runsAway')
    await runs.flush()
    await agent.call('search-memories', { query: 'x', agentRunId: 'run' })
    await rename('runsAway', 'runs')
    const { body } = await agent.call('list-active-agents')
    expect(body.agents).toMatchObject([{ agentRunId: 'run', toolCalls: 2 }])
    expect(test().log()).toContain('runs were not counted yet')
  })
})
