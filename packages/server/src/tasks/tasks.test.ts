import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { ascending, makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'

type Record_ = Record<string, unknown>

const make = async (agent: TestAgent, task: string | Record_) => {
  const { status, body, text } = await agent.call('create-task', typeof task === 'string' ? { title: task } : task)
  expect([201, text]).toEqual([status, text])
  return String(body.taskId)
}

const list = async (agent: TestAgent, filter: Record_ = {}) => {
  const { status, body, text } = await agent.call('list-tasks', filter)
  expect([200, text]).toEqual([status, text])
  return body as Record_ & { tasks: Record_[]; counts: Record<string, number>; total: number }
}

const titles = async (agent: TestAgent, filter: Record_ = {}) =>
  (await list(agent, filter)).tasks.map(({ title }) => title)

const taskOf = async (agent: TestAgent, taskId: string) => {
  const { tasks } = await list(agent, { limit: 100, includeArchived: true })
  const task = tasks.find((each) => each.taskId === taskId)
  expect(task).toBeDefined()
  return task ?? {}
}

const update = (agent: TestAgent, taskId: string, change: Record_) => agent.call('update-task', { taskId, ...change })

eachDialect('tasks', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('are made with 201 and the defaults, and are memories of type task', async () => {
    const agent = await startAgent(test(), { label: 'Desk' })
    const { status, body } = await agent.call('create-task', { title: 'Water the plants' })
    const taskId = String(body.taskId)
    const made = { taskId, created: true, idempotent: false, status: 'todo', vaultId: agent.user.vaultId, version: 1 }
    expect([status, body]).toEqual([201, made])
    expect(await taskOf(agent, taskId)).toEqual({
      taskId,
      memoryId: taskId,
      vaultId: agent.user.vaultId,
      title: 'Water the plants',
      description: null,
      status: 'todo',
      priority: 3,
      importance: 3,
      assignedAgentId: null,
      doneWhen: null,
      blockedReason: null,
      completedAt: null,
      statusHistory: [],
      archivedAt: null,
      externalWriteId: null,
      metadata: {},
      agentId: 'Desk',
      agentRunId: null,
      version: 1,
      createdAt: clock.iso(),
      updatedAt: clock.iso(),
    })
    expect(await agent.read(taskId)).toMatchObject({
      memoryType: 'task',
      content: 'Water the plants',
      importance: 3,
      source: { route: 'create-task' },
    })
    expect(await agent.search('plants', { memoryType: 'task' })).toEqual([taskId])
    expect(await agent.search('plants', { memoryType: 'fact' })).toEqual([])
  })

  it('keep every field exactly as it was sent', async () => {
    const agent = await startAgent(test())
    const sent = {
      title: ' Ünï\n\ncödé 𝄞 ',
      description: '\n\n first\n\nsecond ',
      status: 'blocked',
      priority: 5,
      assignedAgentId: ' agent-7 ',
      doneWhen: 'it is "done"',
      blockedReason: 'waits',
      metadata: { nested: [1, null] },
      externalWriteId: 'id 1',
      agentId: 'planner',
      agentRunId: 'run-7',
    }
    expect(await taskOf(agent, await make(agent, sent))).toMatchObject({ ...sent, importance: 5 })
  })

  it('answer a repeated externalWriteId with the first task, never with a memory', async () => {
    const agent = await startAgent(test())
    await agent.write({ content: 'a memory', externalWriteId: 'same' })
    const taskId = await make(agent, { title: 'first', externalWriteId: 'same', status: 'backlog' })
    await update(agent, taskId, { status: 'blocked' })
    const again = await agent.call('create-task', { title: 'second', externalWriteId: 'same' })
    expect([again.status, again.body]).toEqual([
      200,
      { taskId, created: false, idempotent: true, status: 'blocked', vaultId: agent.user.vaultId, version: 2 },
    ])
    expect(await titles(agent)).toEqual(['first'])
  })

  it('move between all statuses, with when they were done and what has been', async () => {
    const agent = await startAgent(test(), { agentId: 'worker' })
    const taskId = await make(agent, 'Go round')
    const steps = ['in_progress', 'blocked', 'done', 'todo', 'backlog', 'done', 'in_progress'] as const
    let from = 'todo'
    for (const [at, status] of steps.entries()) {
      clock.advance(1_000)
      const { body } = await update(agent, taskId, { status, comment: `step ${at}` })
      expect(body).toEqual({
        taskId,
        updated: true,
        status,
        previousStatus: from,
        version: at + 2,
        completedAt: status === 'done' ? clock.iso() : null,
        vaultId: agent.user.vaultId,
      })
      from = status
    }
    const { statusHistory, completedAt } = await taskOf(agent, taskId)
    expect(completedAt).toBeNull()
    expect(statusHistory).toEqual(
      steps.map((to, at) => ({
        from: at === 0 ? 'todo' : steps[at - 1],
        to,
        at: clock.iso((at + 1 - steps.length) * 1_000),
        agentId: 'worker',
        comment: `step ${at}`,
      })),
    )
  })

  it('stay done since they were first done, and keep a comment also where nothing else changes', async () => {
    const agent = await startAgent(test())
    const taskId = await make(agent, { title: 'x', status: 'done' })
    const doneAt = clock.iso()
    clock.advance(1_000)
    expect((await update(agent, taskId, { status: 'done' })).body).toMatchObject({
      updated: false,
      completedAt: doneAt,
    })
    expect((await update(agent, taskId, { comment: 'checked' })).body).toMatchObject({
      updated: true,
      version: 2,
      completedAt: doneAt,
    })
    expect((await taskOf(agent, taskId)).statusHistory).toMatchObject([
      { from: 'done', to: 'done', comment: 'checked' },
    ])
  })

  it('lose what they are blocked by once they are not', async () => {
    const agent = await startAgent(test())
    const taskId = await make(agent, 'x')
    await update(agent, taskId, { status: 'blocked', blockedReason: 'no key' })
    await update(agent, taskId, { priority: 4 })
    expect(await taskOf(agent, taskId)).toMatchObject({ blockedReason: 'no key', priority: 4 })
    await update(agent, taskId, { status: 'todo' })
    expect(await taskOf(agent, taskId)).toMatchObject({ blockedReason: null })
  })

  it('are given to an agent and taken back with null', async () => {
    const agent = await startAgent(test())
    const taskId = await make(agent, { title: 'x', assignedAgentId: 'a' })
    await update(agent, taskId, { assignedAgentId: 'b' })
    expect([await titles(agent, { assignedAgentId: 'a' }), await titles(agent, { assignedAgentId: 'b' })]).toEqual([
      [],
      ['x'],
    ])
    await update(agent, taskId, { assignedAgentId: null, title: null })
    expect(await taskOf(agent, taskId)).toMatchObject({ assignedAgentId: null, title: 'x' })
    expect(await titles(agent, { assignedAgentId: 'b' })).toEqual([])
  })

  it('merge metadata', async () => {
    const agent = await startAgent(test())
    const taskId = await make(agent, { title: 'x', metadata: { keep: 1, drop: 2, nest: { a: 1 } } })
    await update(agent, taskId, { metadata: { drop: null, nest: { b: 2 } } })
    expect((await taskOf(agent, taskId)).metadata).toEqual({ keep: 1, nest: { a: 1, b: 2 } })
    const big = { big: 'x'.repeat(65_520) }
    const { status, body } = await update(agent, taskId, { metadata: big })
    expect([status, body.fields]).toEqual([400, { metadata: 'at most 65536 characters as JSON, once merged' }])
  })

  it('refuse a change that expects another state, and change nothing', async () => {
    const agent = await startAgent(test())
    const taskId = await make(agent, 'x')
    for (const expectation of [{ expectedStatus: 'backlog' }, { expectedVersion: 2 }]) {
      const { status, body } = await update(agent, taskId, { status: 'done', ...expectation })
      expect([status, body.error]).toEqual([409, expect.stringContaining('The task')])
    }
    expect(await taskOf(agent, taskId)).toMatchObject({ status: 'todo', version: 1 })
    const { status } = await update(agent, taskId, { status: 'done', expectedStatus: 'todo', expectedVersion: 1 })
    expect(status).toBe(200)
  })

  it('are claimed by one of many at once', async () => {
    const agent = await startAgent(test())
    const taskId = await make(agent, 'contested')
    const claims = Array.from({ length: 12 }, (_, at) =>
      update(agent, taskId, { status: 'in_progress', expectedStatus: 'todo', assignedAgentId: `agent ${at}` }),
    )
    const statuses = (await Promise.all(claims)).map(({ status }) => status)
    expect(statuses.toSorted(ascending)).toEqual([200, ...Array<number>(11).fill(409)])
    const { statusHistory, assignedAgentId } = await taskOf(agent, taskId)
    expect([statusHistory, assignedAgentId]).toEqual([[expect.anything()], `agent ${statuses.indexOf(200)}`])
  })

  it('take all changes at once that expect nothing', async () => {
    const agent = await startAgent(test())
    const taskId = await make(agent, 'busy')
    await Promise.all(Array.from({ length: 10 }, (_, at) => update(agent, taskId, { comment: `${at}` })))
    const { statusHistory, version } = await taskOf(agent, taskId)
    expect([(statusHistory as unknown[]).length, version]).toEqual([10, 11])
  })

  it('are listed by priority, then by their latest change', async () => {
    const agent = await startAgent(test())
    const old = await make(agent, { title: 'old', priority: 4 })
    for (const [title, priority] of [
      ['low', 1],
      ['new', 4],
      ['top', 5],
    ] as const) {
      clock.advance(1)
      await make(agent, { title, priority })
    }
    expect(await titles(agent)).toEqual(['top', 'new', 'old', 'low'])
    clock.advance(1)
    await update(agent, old, { comment: 'touched' })
    expect(await titles(agent)).toEqual(['top', 'old', 'new', 'low'])
    const pages = [await list(agent, { limit: 3 }), await list(agent, { limit: 3, offset: 3 })]
    expect(pages.map(({ tasks, total, hasMore }) => [tasks.length, total, hasMore])).toEqual([
      [3, 4, true],
      [1, 4, false],
    ])
  })

  it('are filtered by status, agent, priority and whether they are done, and counted past the status', async () => {
    const agent = await startAgent(test())
    await make(agent, { title: 'a', status: 'todo', priority: 5, assignedAgentId: 'me' })
    await make(agent, { title: 'b', status: 'todo', priority: 2 })
    await make(agent, { title: 'c', status: 'blocked', priority: 4, assignedAgentId: 'me' })
    await make(agent, { title: 'd', status: 'done', priority: 3, assignedAgentId: 'Me' })
    const all = { backlog: 0, todo: 2, in_progress: 0, done: 1, blocked: 1 }
    const mine = { ...all, todo: 1, done: 0 }
    const cases: [Record_, string[], Record<string, number>][] = [
      [{}, ['a', 'c', 'd', 'b'], all],
      [{ includeDone: false }, ['a', 'c', 'b'], all],
      [{ status: 'todo' }, ['a', 'b'], all],
      [{ status: ['done', 'blocked'] }, ['c', 'd'], all],
      [{ status: [] }, ['a', 'c', 'd', 'b'], all],
      [{ status: 'done', includeDone: false }, [], all],
      [{ assignedAgentId: 'me' }, ['a', 'c'], mine],
      [{ assignedAgentId: 'me', status: 'blocked' }, ['c'], mine],
      [{ priorityMin: 4 }, ['a', 'c'], mine],
      [{ assignedAgentId: 'nobody' }, [], { ...mine, todo: 0, blocked: 0 }],
    ]
    for (const [filter, expected, counts] of cases) {
      const found = await list(agent, filter)
      expect([filter, found.tasks.map(({ title }) => title), found.total]).toEqual([filter, expected, expected.length])
      expect([filter, found.counts]).toEqual([filter, counts])
    }
    expect((await agent.call('list-tasks', { status: 'open' })).status).toBe(400)
  })

  it('leave the list when they are archived, expired, superseded or turned into something else', async () => {
    const agent = await startAgent(test())
    const archived = await make(agent, 'archived')
    await agent.call('archive-memory', { memoryId: archived })
    const superseded = await make(agent, 'superseded')
    await agent.write({ content: 'heir', supersededById: superseded })
    await agent.write({ content: 'expired', memoryType: 'task', expiresAt: clock.iso(1) })
    const turned = await make(agent, 'turned')
    await agent.call('update-memory', { memoryId: turned, memoryType: 'fact' })
    await make(agent, 'open')
    await make(agent, { title: 'finished', status: 'done' })
    clock.advance(1)
    expect(new Set(await titles(agent))).toEqual(new Set(['finished', 'open']))
    expect(new Set(await titles(agent, { includeArchived: true }))).toEqual(new Set(['archived', 'finished', 'open']))
    const { body } = await agent.call('list-vaults')
    expect(body.vaults).toMatchObject([{ openTaskCount: 1, memoryCount: 4 }])
    expect((await update(agent, turned, { status: 'done' })).status).toBe(404)
  })

  it('are made by write-memory, with the first line as title', async () => {
    const agent = await startAgent(test())
    const cases: [string, string, string | null][] = [
      ['Just this', 'Just this', null],
      ['First line\nsecond\n\nthird', 'First line', 'second\n\nthird'],
      ['First line\r\n\r\nsecond', 'First line', 'second'],
      ['\n  After blanks  \nmore', 'After blanks  ', 'more'],
      ['   ', '   ', null],
    ]
    for (const [content, title, description] of cases) {
      const taskId = await agent.write({ content, memoryType: 'task', importance: 4 })
      expect(await taskOf(agent, taskId)).toMatchObject({ title, description, status: 'todo', priority: 4, version: 1 })
      expect((await agent.read(taskId)).content).toBe(content)
    }
  })

  it('are in step with their memories, whichever of both is changed', async () => {
    const agent = await startAgent(test())
    const taskId = await make(agent, { title: 'Paint the\n\ndoor', description: 'in green' })
    expect((await agent.read(taskId)).content).toBe('Paint the\n\ndoor\n\nin green')
    await update(agent, taskId, { description: 'in blue', priority: 5 })
    expect(await agent.read(taskId)).toMatchObject({
      content: 'Paint the\n\ndoor\n\nin blue',
      importance: 5,
      version: 2,
    })
    expect(await agent.search('green')).toEqual([])
    expect(await agent.search('blue')).toEqual([taskId])
    await agent.call('update-memory', { memoryId: taskId, content: 'Paint the gate\nin red', importance: 2 })
    expect(await taskOf(agent, taskId)).toMatchObject({ title: 'Paint the gate', description: 'in red', priority: 2 })
    await update(agent, taskId, { description: '' })
    expect(await taskOf(agent, taskId)).toMatchObject({ title: 'Paint the gate', description: null, version: 4 })
    // The same content, but cut elsewhere.
    await update(agent, taskId, { title: 'a\n\nb' })
    await update(agent, taskId, { title: 'a', description: 'b' })
    expect(await taskOf(agent, taskId)).toMatchObject({ title: 'a', description: 'b', version: 6 })
    expect((await agent.read(taskId)).content).toBe('a\n\nb')
  })

  it('begin as todo where a memory becomes one, and are again what they were where it was one before', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write('Call the bank\nabout the card')
    await agent.call('update-memory', { memoryId, memoryType: 'task' })
    expect(await taskOf(agent, memoryId)).toMatchObject({ title: 'Call the bank', status: 'todo', statusHistory: [] })
    await update(agent, memoryId, { status: 'in_progress', assignedAgentId: 'me' })
    await agent.call('update-memory', { memoryId, memoryType: 'episodic' })
    expect(await titles(agent)).toEqual([])
    await agent.call('update-memory', { memoryId, memoryType: 'task' })
    expect(await taskOf(agent, memoryId)).toMatchObject({ status: 'in_progress', assignedAgentId: 'me' })
  })

  it('are not found by the ids of memories, of other vaults and of other people', async () => {
    const agent = await startAgent(test())
    const stranger = await startAgent(test())
    const second = await makeVault(test(), agent.user)
    const ids = [
      newId(),
      await agent.write('a fact'),
      await make(agent, { title: 'elsewhere', vaultId: second }),
      await make(stranger, 'of a stranger'),
    ]
    for (const id of ids) {
      const { status, body } = await update(agent, id, { status: 'done' })
      expect([status, body]).toEqual([404, { error: 'Task not found' }])
    }
    expect(await titles(agent)).toEqual([])
    expect(await titles(agent, { vaultId: second })).toEqual(['elsewhere'])
  })
})

describe('tasks', () => {
  const test = useTestApp()

  it('take the longest title and description, and nothing longer', async () => {
    const agent = await startAgent(test())
    const longest = { title: 't'.repeat(10_000), description: '\u0001'.repeat(100_000) }
    const taskId = await make(agent, longest)
    expect(await taskOf(agent, taskId)).toMatchObject(longest)
    for (const over of [
      { title: 't'.repeat(10_001) },
      { title: '' },
      { description: 'd'.repeat(100_001) },
      { priority: 6 },
      { priority: 0 },
      { status: 'open' },
      { assignedAgentId: '' },
    ]) {
      const [field = ''] = Object.keys(over)
      const { status, body } = await agent.call('create-task', { title: 'x', ...over })
      expect([field, status, Object.keys(body.fields as object)]).toEqual([field, 400, [field]])
    }
    expect((await agent.call('update-task', { id: taskId, comment: 'by its alias' })).status).toBe(200)
  })
})
