import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makePerson, type TestPerson } from '../../test/person.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'

const list = async (person: TestPerson, name: 'runs' | 'agents', query: Record<string, unknown> = {}) => {
  const asked = name === 'agents' ? { withinDays: 30, ...query } : query
  const { body, text } = await person.call(name === 'agents' ? 'list-active-agents' : 'list-runs', asked)
  expect(body[name], text).toBeDefined()
  return body[name] as Record<string, unknown>[]
}

eachDialect('runs of the dashboard', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const start = async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user, label: 'Laptop', agentType: 'coding' })
    const call = (agentId: string, agentRunId: string, content = 'noted') => {
      clock.advance(1000)
      return agent.call('write-memory', { content, agentId, agentRunId, modelId: 'model-1' })
    }
    return { person, agent, call }
  }

  it('are listed from their first call, last active first, optionally of one agent', async () => {
    const { person, agent, call } = await start()
    const begin = clock.now() + 1000
    await call('ada', 'one', 'a')
    await call('bob', 'two', 'b')
    await call('ada', 'one', 'c')
    await call('ada', 'three', 'd')
    await agent.call('session-track', {
      agentId: 'ada',
      agentRunId: 'three',
      event: 'end',
      currentActivity: 'Tidying up',
      metadata: { branch: 'main' },
    })
    const runs = await list(person, 'runs')
    expect(runs.map(({ agentRunId, agentId, toolCalls }) => [agentRunId, agentId, toolCalls])).toEqual([
      ['three', 'ada', 1],
      ['one', 'ada', 2],
      ['two', 'bob', 1],
    ])
    expect(runs[0]).toMatchObject({
      label: 'Laptop',
      agentType: 'coding',
      modelId: 'model-1',
      currentActivity: 'Tidying up',
      metadata: { branch: 'main' },
      endedAt: clock.iso(),
    })
    expect(runs[1]).toMatchObject({ startedAt: new Date(begin).toISOString(), endedAt: null })
    expect((await list(person, 'runs', { agentId: 'bob' })).map(({ agentRunId }) => agentRunId)).toEqual(['two'])
    const { body } = await person.call('list-runs', { agentId: 'ada', limit: 1, offset: 1 })
    expect(body).toMatchObject({ runs: [{ agentRunId: 'one' }], total: 2, hasMore: false })
  })

  it('are read with the memories that they wrote, including archived ones', async () => {
    const { person, agent, call } = await start()
    await call('ada', 'one', 'first thought')
    const archived = String((await call('ada', 'one', 'second thought')).body.memoryId)
    await call('ada', 'other', 'of another run')
    await agent.call('archive-memory', { memoryId: archived })
    const run = (await list(person, 'runs')).find(({ agentRunId }) => agentRunId === 'one')
    const { body } = await person.call('list-runs', { id: run?.id })
    expect(body).toMatchObject({
      run: { agentRunId: 'one', agentId: 'ada' },
      memories: [
        { memoryId: archived, title: 'second thought', live: false },
        { title: 'first thought', memoryType: 'fact', live: true },
      ],
      memoryCount: 2,
    })
  })

  it('say what they did: their summary or their most important record, and how much they wrote', async () => {
    const { person, agent, call } = await start()
    const work = async (agentRunId: string) =>
      (await list(person, 'runs')).find((run) => run['agentRunId'] === agentRunId)?.['work']
    const other = await startAgent(test(), { user: person.user, label: 'Phone' })
    await other.call('write-memory', { content: 'Of another agent.', importance: 5, agentRunId: 'one' })
    await call('ada', 'one', 'An aside.')
    const inRun = { agentId: 'ada', agentRunId: 'one' }
    await agent.call('write-memory', { content: 'The pier is closed.\nUntil May.', importance: 5, ...inRun })
    await agent.call('create-task', { title: 'Paint the pier', ...inRun })
    await agent.call('create-note', { title: 'Plan', ...inRun })
    const own = (await list(person, 'runs')).find((run) => run['label'] === 'Laptop')
    expect(own?.['work']).toEqual({ title: 'The pier is closed.', memories: 2, tasks: 1, notes: 1 })
    const summed = { agentId: 'ada', agentRunId: 'two' }
    await agent.call('context-checkpoint', {
      memories: [{ content: 'Mails go out twice.', importance: 5 }],
      sessionSummary: 'Traced mails to spam.',
      ...summed,
    })
    expect(await work('two')).toEqual({ title: 'Traced mails to spam.', memories: 2, tasks: 0, notes: 0 })
    await agent.call('create-note', { title: 'Only a note', agentId: 'ada', agentRunId: 'three' })
    expect(await work('three')).toEqual({ title: 'Only a note', memories: 0, tasks: 0, notes: 1 })
    await agent.call('session-track', { event: 'start', agentId: 'ada', agentRunId: 'idle' })
    expect(await work('idle')).toEqual({ title: null, memories: 0, tasks: 0, notes: 0 })
  })

  it('are filtered by whether they ended', async () => {
    const { person, agent, call } = await start()
    await call('ada', 'open')
    await agent.call('session-track', { event: 'end', agentId: 'ada', agentRunId: 'over' })
    const named = async (ended: boolean) => (await list(person, 'runs', { ended })).map((run) => run['agentRunId'])
    expect([await named(true), await named(false)]).toEqual([['over'], ['open']])
  })

  it('list each agent once, with its calls', async () => {
    const { person, call } = await start()
    await call('ada', 'old')
    clock.advance(8 * 86_400_000)
    await call('ada', 'one', 'a')
    await call('bob', 'two', 'b')
    await call('ada', 'three', 'c')
    const told = (agents: Record<string, unknown>[]) =>
      agents.map(({ agentId, agentRunId, runs, allCalls }) => [agentId, agentRunId, runs, allCalls])
    expect(told(await list(person, 'agents'))).toEqual([
      ['ada', 'three', 3, 3],
      ['bob', 'two', 1, 1],
    ])
    expect(told(await list(person, 'agents', { withinDays: 7 }))).toEqual([
      ['ada', 'three', 2, 2],
      ['bob', 'two', 1, 1],
    ])
    const { body } = await person.call('list-active-agents', { limit: 1, offset: 1 })
    expect(body).toMatchObject({ agents: [{ agentId: 'bob' }], total: 2, hasMore: false })
  })

  it('cannot be read by another user', async () => {
    const [{ person, call }, stranger] = [await start(), await makePerson(test())]
    await call('ada', 'one')
    const [run] = await list(person, 'runs')
    expect([await list(stranger, 'runs'), await list(stranger, 'agents')]).toEqual([[], []])
    for (const id of [run?.id, newId()])
      expect(await stranger.call('list-runs', { id })).toMatchObject({
        status: 404,
        body: { error: 'Run not found' },
      })
    for (const name of ['list-runs', 'list-active-agents'])
      expect((await stranger.call(name, { vaultId: person.user.vaultId })).status).toBe(404)
  })
})
