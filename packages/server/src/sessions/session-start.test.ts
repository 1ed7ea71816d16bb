import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser, makeVault } from '../../test/factories.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { dayMs } from '../core/time.ts'
import { sectionNames } from './profiles.ts'
import { start, said } from './testing/start-session.ts'

eachDialect('session-start', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })
  const agentIn = (over: Parameters<typeof startAgent>[1] = {}) => startAgent(test(), { agentId: 'ada', ...over })

  it('answers in an empty vault', async () => {
    const agent = await agentIn()
    const answer = await start(agent)
    const vault = { vaultId: agent.user.vaultId, name: 'Main', isDefault: true }
    expect(answer).toMatchObject({
      sessionContext: { mode: 'default', vault, episodic: [], facts: [], tasks: [], constraints: [] },
      vaults: [vault],
      documents: [{ documentType: 'soul' }],
      pendingMessages: [],
      pendingCount: 0,
      changesSinceLastSession: null,
      budget: { maxResponseChars: 16_000, omitted: Object.fromEntries(sectionNames.map((name) => [name, 0])) },
      degraded: [],
    })
    expect(answer.agentRunId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('puts each memory into its section, with id, age and source, and leaves out memories that are not live', async () => {
    const agent = await agentIn()
    const ids = new Map<string, string>()
    for (const memoryType of ['fact', 'preference', 'skill', 'correction', 'constraint', 'episodic', 'task'])
      ids.set(memoryType, await agent.write({ content: `a ${memoryType}`, memoryType }))
    const gone = await agent.write({ content: 'archived', memoryType: 'constraint' })
    await agent.call('archive-memory', { memoryId: gone })
    await agent.write({ content: 'expired', memoryType: 'constraint', expiresAt: clock.iso(1) })
    const old = await agent.write({ content: 'superseded', memoryType: 'constraint' })
    await agent.write({ content: 'successor', memoryType: 'constraint', supersededById: old })
    const done = await agent.call('create-task', { title: 'done task' })
    await agent.call('update-task', { taskId: done.body.taskId, status: 'done' })
    clock.advance(2 * dayMs + 5)
    const { sessionContext } = await start(agent)
    const entry = (memoryType: string) => ({
      memoryId: ids.get(memoryType),
      memoryType,
      summary: `a ${memoryType}`,
      importance: 3,
      ageDays: 2,
      source: { agentId: 'ada', route: 'write-memory', trust: 'agent_authored' },
    })
    expect(sessionContext.episodic).toEqual([entry('episodic')])
    expect(sessionContext.facts).toHaveLength(4)
    expect(sessionContext.facts).toEqual(
      expect.arrayContaining(['fact', 'preference', 'skill', 'correction'].map((type) => entry(type))),
    )
    expect(said(sessionContext.constraints).toSorted()).toEqual(['a constraint', 'successor'])
    expect(sessionContext.tasks).toEqual([
      {
        taskId: ids.get('task'),
        title: 'a task',
        status: 'todo',
        priority: 3,
        ageDays: 2,
        source: { agentId: 'ada', route: 'write-memory', trust: 'agent_authored' },
      },
    ])
  })

  it('returns marked, clipped summaries, or full contents on request', async () => {
    const agent = await agentIn()
    const content = 'The cat sleeps on the server. '.repeat(30).trim()
    await agent.write({ content, importance: 5 })
    await agent.write({ content, summary: 'A cat.', importance: 4 })
    const { sessionContext } = await start(agent)
    expect(sessionContext.facts).toMatchObject([
      { summary: 'The cat sleeps on the server. '.repeat(6).trim(), clipped: true },
      { summary: 'A cat.', clipped: true },
    ])
    const whole = await start(agent, { summaryOnly: false })
    expect(said(whole.sessionContext.facts)).toEqual([content, content])
  })

  it('respects the requested maximum of each section in every mode', async () => {
    const agent = await agentIn()
    for (let n = 0; n < 6; n++) {
      for (const memoryType of ['fact', 'constraint', 'episodic', 'task'])
        await agent.write({ content: `${memoryType} ${n}`, memoryType })
      clock.advance(1000)
    }
    const sizes = async (body: Record<string, unknown>) => {
      const { sessionContext: told, documents } = await start(agent, body)
      return [told.episodic.length, told.facts.length, told.tasks.length, told.constraints.length, documents.length]
    }
    expect(await sizes({})).toEqual([3, 6, 5, 6, 1])
    expect(await sizes({ mode: 'minimal' })).toEqual([1, 3, 3, 5, 0])
    expect(await sizes({ mode: 'none' })).toEqual([0, 0, 0, 0, 0])
    expect(await sizes({ mode: 'deep' })).toEqual([6, 6, 6, 6, 4])
    const own = { maxEpisodic: 2, maxFacts: 1, maxTasks: 0, maxConstraints: 4, includeDocuments: ['checks', 'checks'] }
    for (const mode of ['deep', 'none', 'incident', undefined])
      expect(await sizes({ mode, ...own })).toEqual([2, 1, 0, 4, 1])
  })

  it('orders facts by importance, then age, and episodes by age', async () => {
    const agent = await agentIn()
    for (const [content, importance, days] of [
      ['old vital', 5, 300],
      ['new trivial', 1, 0],
      ['new vital', 5, 1],
      ['middling', 3, 2],
    ] as const) {
      const occurredAt = clock.iso(-days * dayMs)
      await agent.write({ content, importance, occurredAt })
      await agent.write({ content, importance, occurredAt, memoryType: 'episodic' })
    }
    const { sessionContext } = await start(agent, { maxEpisodic: 4 })
    expect(said(sessionContext.facts)).toEqual(['new vital', 'old vital', 'middling', 'new trivial'])
    expect(said(sessionContext.episodic)).toEqual(['new trivial', 'new vital', 'middling', 'old vital'])
    const incident = await start(agent, { mode: 'incident' })
    expect(said(incident.sessionContext.facts)).toEqual(['new trivial', 'new vital', 'middling', 'old vital'])
    const minimal = await start(agent, { mode: 'minimal' })
    expect(said(minimal.sessionContext.episodic)).toEqual(['new vital'])
  })

  it('begins with the constraints of people, however many agents write', async () => {
    const agent = await startAgent(test())
    const { vaultId, dashboardToken: key } = agent.user
    await test().call('write-memory', { vaultId, content: 'mine', memoryType: 'constraint', importance: 1 }, { key })
    for (let at = 0; at < 12; at++)
      await agent.write({ content: `theirs ${at}`, memoryType: 'constraint', importance: 5 })
    const { constraints } = (await start(agent)).sessionContext
    expect(constraints).toHaveLength(10)
    expect(constraints[0]).toMatchObject({ summary: 'mine' })
    // A person's constraint that is also among the most important ones is listed once.
    expect((await start(agent, { maxConstraints: 20 })).sessionContext.constraints).toHaveLength(13)
  })

  it('puts facts that match the query first, then adds others', async () => {
    const agent = await agentIn()
    await agent.write({ content: 'The billing service runs on port 5432', importance: 1 })
    for (let n = 0; n < 4; n++) await agent.write({ content: `Something else number ${n}`, importance: 5 })
    const { sessionContext } = await start(agent, { query: 'which port has billing?', maxFacts: 3 })
    expect(said(sessionContext.facts)[0]).toBe('The billing service runs on port 5432')
    expect(sessionContext.facts).toHaveLength(3)
    const without = await start(agent, { maxFacts: 3 })
    expect(said(without.sessionContext.facts)).not.toContain('The billing service runs on port 5432')
  })

  it('puts corrections and skills first in an incident, and decisions first for planning', async () => {
    const agent = await agentIn()
    await agent.write({ content: 'We decided to use PostgreSQL', importance: 2 })
    await agent.write({ content: 'How to restart', memoryType: 'skill', importance: 1 })
    await agent.write({ content: 'It was the cache, not the disk', memoryType: 'correction', importance: 1 })
    clock.advance(1000)
    for (let n = 0; n < 10; n++) await agent.write({ content: `Fact ${n}`, importance: 5 })
    const incident = await start(agent, { mode: 'incident' })
    expect(said(incident.sessionContext.facts).slice(0, 2).toSorted()).toEqual([
      'How to restart',
      'It was the cache, not the disk',
    ])
    const planning = await start(agent, { mode: 'planning' })
    expect(said(planning.sessionContext.facts)[0]).toBe('We decided to use PostgreSQL')
  })

  it('orders tasks by status, and only by urgency in the modes planning and minimal', async () => {
    const agent = await agentIn()
    for (const [title, status, priority] of [
      ['waits', 'backlog', 5],
      ['stuck', 'blocked', 4],
      ['next', 'todo', 1],
      ['now', 'in_progress', 1],
      ['soon', 'todo', 3],
    ])
      await agent.call('create-task', { title, status, priority })
    const { sessionContext } = await start(agent)
    expect(said(sessionContext.tasks)).toEqual(['now', 'soon', 'next', 'stuck', 'waits'])
    const planning = await start(agent, { mode: 'planning', maxTasks: 2 })
    expect(said(planning.sessionContext.tasks)).toEqual(['waits', 'stuck'])
    const minimal = await start(agent, { mode: 'minimal' })
    expect(said(minimal.sessionContext.tasks)).toEqual(['waits', 'stuck', 'soon'])
  })

  it("uses the vault's settings for values that the call leaves out", async () => {
    const agent = await agentIn({ preset: 'admin' })
    for (let n = 0; n < 4; n++) await agent.write({ content: `constraint ${n}`, memoryType: 'constraint' })
    const settings = { defaultMode: 'minimal', sessionProfiles: { minimal: { maxConstraints: 2 } } }
    await agent.call('update-settings', { vaultId: agent.user.vaultId, settings })
    const told = async (body: Record<string, unknown>) => {
      const { mode, constraints } = (await start(agent, body)).sessionContext
      return [mode, constraints.length]
    }
    expect(await told({})).toEqual(['minimal', 2])
    expect(await told({ maxConstraints: 3 })).toEqual(['minimal', 3])
    expect(await told({ mode: 'default' })).toEqual(['default', 4])
  })

  it('lists recently active agents', async () => {
    const user = await makeUser(test())
    const [ada, bob] = [await agentIn({ user }), await startAgent(test(), { user, agentId: 'bob', label: 'Bob' })]
    await bob.call('session-track', { agentRunId: 'run-7', currentActivity: 'thinking' })
    const { recentAgents } = await start(ada)
    expect(recentAgents.find(({ agentId }) => agentId === 'bob')).toMatchObject({
      label: 'Bob',
      agentRunId: 'run-7',
      currentActivity: 'thinking',
    })
    clock.advance(61 * 60_000)
    expect((await start(ada)).recentAgents.map(({ agentId }) => agentId)).toEqual(['ada'])
  })

  it('shows a restricted key only its own vaults', async () => {
    const user = await makeUser(test())
    const second = await makeVault(test(), user, 'Granted')
    const free = await agentIn({ user })
    await free.write('in the first')
    const vaults = [{ vaultId: second }]
    const agent = await agentIn({ user, restrictToVault: true, vaults, primaryVaultId: null })
    const answer = await start(agent)
    expect(answer.sessionContext).toMatchObject({ vault: { vaultId: second, name: 'Granted' }, facts: [] })
    expect(answer.vaults).toEqual([{ vaultId: second, name: 'Granted', isDefault: false }])
  })

  it('returns only vaults and the number of pending messages in the mode none', async () => {
    const user = await makeUser(test())
    const [ada, bob] = [await agentIn({ user }), await startAgent(test(), { user, agentId: 'bob' })]
    await start(ada)
    clock.advance(1000)
    await bob.call('session-track', { agentRunId: 'run-7' })
    await bob.call('send-message', { targetId: 'ada', content: 'hello' })
    const { vaults, pendingCount, recentAgents, changesSinceLastSession } = await start(ada, { mode: 'none' })
    expect([vaults.length, pendingCount, recentAgents, changesSinceLastSession]).toEqual([1, 1, [], null])
  })

  it("returns the caller's run id", async () => {
    const agent = await agentIn()
    expect((await start(agent, { agentRunId: 'mine' })).agentRunId).toBe('mine')
    const { body } = await agent.call('session-start', {}, { headers: { 'x-agent-run-id': 'of the header' } })
    expect(body.agentRunId).toBe('of the header')
  })
})
