import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser, makeVault } from '../../test/factories.ts'
import { makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { createVault } from '../vaults/vault.ts'
import { sectionNames } from './profiles.ts'

const dayMs = 86_400_000

interface Entry {
  memoryId?: string
  taskId?: string
  summary?: string
  title?: string
  content?: string
  clipped?: boolean
}

interface Started {
  sessionContext: {
    mode: string
    vault: { vaultId: string; name: string | null }
    episodic: Entry[]
    facts: Entry[]
    tasks: Entry[]
    constraints: Entry[]
  }
  vaults: { name: string }[]
  recentAgents: { agentId: string }[]
  documents: { documentType: string; content: string; truncated?: boolean }[]
  pendingMessages: Entry[]
  pendingCount: number
  changesSinceLastSession: Record<string, unknown> | null
  agentRunId: string | null
  budget: { maxResponseChars: number; usedChars: number; omitted: Record<string, number> }
  degraded: { part: string }[]
}

/** What is left out is told of; where a test does not say so, nothing may be. */
async function start(agent: TestAgent, body: Record<string, unknown> = {}, degraded: unknown = []): Promise<Started> {
  const { status, text } = await agent.call('session-start', body)
  expect([status, text]).toEqual([200, text])
  const answer = JSON.parse(text) as Started
  expect(answer.degraded).toEqual(degraded)
  expect(answer.budget.usedChars).toBe(text.length)
  expect(text.length).toBeLessThanOrEqual(answer.budget.maxResponseChars)
  return answer
}

const said = (entries: readonly Entry[]) =>
  entries.map(({ summary, title, content }) => summary ?? title ?? content ?? '')

eachDialect('session-start', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })
  const agentIn = (over: Parameters<typeof startAgent>[1] = {}) => startAgent(test(), { agentId: 'ada', ...over })

  it('tells an agent in an empty vault what there is', async () => {
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

  it('puts each memory where it belongs, with its id, age and source, and leaves out what is not live', async () => {
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
      source: { agentId: 'ada', route: 'write-memory' },
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
        source: { agentId: 'ada', route: 'write-memory' },
      },
    ])
  })

  it('gives clipped summaries, marked, or whole contents where they are asked for', async () => {
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

  it('keeps to the most of each kind that is asked for, whatever the mode', async () => {
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

  it('puts the facts that fit a question first, and fills up with the others', async () => {
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

  it('shows tasks by what is being done, and by urgency alone for planning and where only the least is told', async () => {
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

  it('counts what has changed since the agent was here last, and nothing at its first session', async () => {
    const user = await makeUser(test())
    const [ada, bob] = [await agentIn({ user }), await startAgent(test(), { user, agentId: 'bob' })]
    const before = await ada.write('there before')
    const since = clock.iso()
    expect((await start(ada)).changesSinceLastSession).toBeNull()
    clock.advance(1000)
    const made = await bob.write('new')
    const archived = await bob.write('archived')
    await bob.call('archive-memory', { memoryId: archived })
    await bob.call('update-memory', { memoryId: before, content: 'changed' })
    await bob.call('create-task', { title: 'a task' })
    await bob.call('create-note', { title: 'a note', content: 'text' })
    await bob.call('send-message', { targetId: 'ada', content: 'hello' })
    clock.advance(1000)
    expect((await start(ada)).changesSinceLastSession).toEqual({
      since,
      created: 1,
      updated: 1,
      archived: 1,
      tasksChanged: 1,
      notesChanged: 1,
      messages: 1,
      isPartial: false,
    })
    const calm = (await start(ada)).changesSinceLastSession
    expect(calm).toMatchObject({ created: 0, updated: 0, archived: 0, tasksChanged: 0, notesChanged: 0, messages: 0 })
    expect((await start(bob)).changesSinceLastSession).toBeNull()
    expect(made).not.toBe(before)
  })

  it('counts a task that only its state tells of, and a note that was only moved, as changed', async () => {
    const user = await makeUser(test())
    const [ada, bob] = [await agentIn({ user }), await startAgent(test(), { user, agentId: 'bob' })]
    const { taskId } = (await bob.call('create-task', { title: 'a task' })).body
    const { noteId } = (await bob.call('create-note', { title: 'a note' })).body
    await start(ada)
    const changesAfter = async (name: string, body: Record<string, unknown>) => {
      clock.advance(1000)
      expect((await bob.call(name, body)).status).toBe(200)
      const { tasksChanged, notesChanged } = (await start(ada)).changesSinceLastSession ?? {}
      return [tasksChanged, notesChanged]
    }
    expect(await changesAfter('update-task', { taskId, status: 'in_progress' })).toEqual([1, 0])
    expect(await changesAfter('update-task', { taskId, assignedAgentId: 'ada' })).toEqual([1, 0])
    expect(await changesAfter('update-task', { taskId, blockedReason: 'no key' })).toEqual([1, 0])
    expect(await changesAfter('move-note', { noteId, folderPath: 'Plans' })).toEqual([0, 1])
    expect(await changesAfter('move-note', { noteId, folderPath: 'Plans' })).toEqual([0, 0])
  })

  it('lists pending messages of all vaults by urgency, alerts first in an incident, and acknowledges none', async () => {
    const user = await makeUser(test())
    const second = await makeVault(test(), user)
    const [ada, bob] = [await agentIn({ user }), await startAgent(test(), { user, agentId: 'bob' })]
    const send = (content: string, more: object) => bob.call('send-message', { targetId: 'ada', content, ...more })
    await send('urgent', { priority: 5 })
    await send('alarm', { category: 'alert', priority: 2 })
    await send('elsewhere', { vaultId: second, priority: 3 })
    const answer = await start(ada)
    expect(said(answer.pendingMessages)).toEqual(['urgent', 'elsewhere', 'alarm'])
    expect(answer.pendingCount).toBe(3)
    expect(said((await start(ada, { mode: 'incident' })).pendingMessages)).toEqual(['alarm', 'urgent', 'elsewhere'])
    expect(await start(ada, { mode: 'none' })).toMatchObject({ pendingMessages: [], pendingCount: 3 })
    expect((await ada.call('pending-messages')).body.count).toBe(3)
    expect((await start(bob)).pendingCount).toBe(0)
  })

  it('goes by the settings of the vault where the call says nothing', async () => {
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

  it('names the agents that were there lately', async () => {
    const user = await makeUser(test())
    const [ada, bob] = [await agentIn({ user }), await startAgent(test(), { user, agentId: 'bob', label: 'Bob' })]
    await bob.call('session-track', { agentRunId: 'run-7', currentActivity: 'thinking' })
    expect((await start(ada)).recentAgents).toMatchObject([
      { agentId: 'bob', label: 'Bob', agentRunId: 'run-7', currentActivity: 'thinking' },
    ])
    clock.advance(61 * 60_000)
    expect((await start(ada)).recentAgents).toEqual([])
  })

  it('shows a restricted key its own vaults alone', async () => {
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

  it('tells in the mode none which vaults there are, how much is pending, and nothing else', async () => {
    const user = await makeUser(test())
    const [ada, bob] = [await agentIn({ user }), await startAgent(test(), { user, agentId: 'bob' })]
    await start(ada)
    clock.advance(1000)
    await bob.call('session-track', { agentRunId: 'run-7' })
    await bob.call('send-message', { targetId: 'ada', content: 'hello' })
    const { vaults, pendingCount, recentAgents, changesSinceLastSession } = await start(ada, { mode: 'none' })
    expect([vaults.length, pendingCount, recentAgents, changesSinceLastSession]).toEqual([1, 1, [], null])
  })

  it('counts a message that came with the last session no second time', async () => {
    const user = await makeUser(test())
    const [ada, bob] = [await agentIn({ user }), await startAgent(test(), { user, agentId: 'bob' })]
    await start(ada)
    clock.advance(1000)
    await bob.call('send-message', { targetId: 'ada', content: 'hello' })
    const counts = [await start(ada), await start(ada)].map((told) => told.changesSinceLastSession?.messages)
    expect(counts).toEqual([1, 0])
  })

  it('gives back the run that the caller names', async () => {
    const agent = await agentIn()
    expect((await start(agent, { agentRunId: 'mine' })).agentRunId).toBe('mine')
    const { body } = await agent.call('session-start', {}, { headers: { 'x-agent-run-id': 'of the header' } })
    expect(body.agentRunId).toBe('of the header')
  })

  it('fits into the least that may be asked for, whatever lies in the vault, and says what it left out', async () => {
    const user = await makeUser(test())
    const { db, keyring, now } = test().app.services
    const name = '\u0001'.repeat(200)
    const add = { profile: { name, description: undefined }, isDefault: false, at: now() }
    const vaultId = await db.write((tx) => createVault(tx, keyring, user, add))
    for (let n = 0; n < 40; n++)
      await db.write((tx) =>
        createVault(tx, keyring, user, { ...add, profile: { ...add.profile, name: `Vault ${n}` } }),
      )
    const agent = await agentIn({ user, agentId: '"'.repeat(200) })
    const content = '\u0000"\\👩‍👩‍👧‍👦漢字 '.repeat(60)
    for (const memoryType of ['fact', 'constraint', 'episodic', 'task', 'skill'])
      for (let n = 0; n < 4; n++) await agent.write({ content: `${n} ${content}`, memoryType, vaultId })
    for (let n = 0; n < 25; n++)
      await agent.call('send-message', { targetId: '*', content, agentId: 'bob', subject: '\u0000'.repeat(200) })
    for (const mode of ['default', 'planning', 'incident', 'handoff', 'deep', 'minimal', 'none'])
      for (const maxResponseChars of [2000, 2001, 5000, 100_000]) {
        const agentRunId = '\u0001'.repeat(200)
        const { budget } = await start(agent, { vaultId, mode, maxResponseChars, agentRunId, summaryOnly: false })
        const left = Object.values(budget.omitted).reduce((sum, count) => sum + count, 0)
        expect([mode, left > 0 || maxResponseChars === 100_000]).toEqual([mode, true])
      }
    const answer = await start(agent, { vaultId, maxResponseChars: 3000 })
    expect(answer.budget.omitted.vaults).toBe(42 - answer.vaults.length)
    expect(answer.budget.omitted.pendingMessages).toBe(25 - answer.pendingMessages.length)
  })

  it('gives up facts before episodes, documents, tasks and constraints', async () => {
    const agent = await agentIn()
    const content = 'x'.repeat(150)
    for (const memoryType of ['fact', 'constraint', 'episodic', 'task'])
      for (let n = 0; n < 3; n++) await agent.write({ content: `${memoryType} ${n} ${content}`, memoryType })
    const kept = async (maxResponseChars: number) => {
      const { facts, episodic, tasks, constraints } = (await start(agent, { maxResponseChars })).sessionContext
      return [facts, episodic, tasks, constraints].map((entries) => entries.length)
    }
    const [few, more] = [await kept(3000), await kept(4600)]
    expect([few[0], few[2], few[3]]).toEqual([0, 3, 3])
    expect((more[1] ?? 0) >= (more[0] ?? 0)).toBe(true)
    expect(await kept(16_000)).toEqual([3, 3, 3, 3])
  })

  it('tells the most important facts where search cannot answer the question', async () => {
    const agent = await agentIn()
    const memoryId = await agent.write('whole')
    const { db } = test().app.services
    await db.write((tx) => tx.updateTable('indexEntries').set({ revision: 7 }).where('itemId', '=', memoryId).execute())
    const answer = await start(agent, { query: 'anything' }, [{ part: 'search', reason: 'could not be read' }])
    expect(said(answer.sessionContext.facts)).toEqual(['whole'])
  })

  it('leaves out a part that cannot be read, and names it', async () => {
    const agent = await agentIn()
    const memoryId = await agent.write({ content: 'damaged', memoryType: 'constraint' })
    await agent.write('whole')
    const { db } = test().app.services
    await db.write((tx) => tx.updateTable('memories').set({ contentRevision: 7 }).where('id', '=', memoryId).execute())
    const answer = await start(agent, {}, [{ part: 'constraints', reason: 'could not be read' }])
    expect(said(answer.sessionContext.facts)).toEqual(['whole'])
  })
})
