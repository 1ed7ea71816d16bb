import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makePerson } from '../../test/person.ts'
import { ascending, makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { list, make } from './testing/call-tasks.ts'

eachDialect('tasks in the dashboard', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('are created by the person, under their name, and trusted as their own words', async () => {
    const person = await makePerson(test())
    const { status, body } = await person.call('create-task', {
      title: 'Water the ferns',
      description: 'Twice',
      priority: 4,
    })
    expect([status, body]).toMatchObject([201, { created: true, status: 'todo', version: 1 }])
    const { taskId } = body as { taskId: string }
    const agent = await startAgent(test(), { user: person.user })
    expect((await list(agent)).tasks).toMatchObject([
      { title: 'Water the ferns', description: 'Twice', status: 'todo', priority: 4, agentId: 'user', version: 1 },
    ])
    expect((await person.call('list-tasks')).body.tasks).toEqual((await list(agent)).tasks)
    expect(await agent.search('ferns')).toEqual([taskId])
    expect(await agent.read(taskId)).toMatchObject({
      source: { route: 'add-task', trust: 'user_authored', integrationId: null },
    })
  })

  it('are filtered by statuses, assignee, priority and state, counted, sorted and paged', async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user })
    const ids: string[] = []
    for (const task of [
      { title: 'a', priority: 2, status: 'todo', assignedAgentId: 'fern' },
      { title: 'b', priority: 5, status: 'blocked' },
      { title: 'c', priority: 3, status: 'done', assignedAgentId: 'fern' },
      { title: 'd', priority: 3, status: 'todo' },
    ]) {
      clock.advance(1)
      ids.push(await make(agent, task))
    }
    const titles = async (query: Record<string, unknown>) => {
      const { body, text } = await person.call('list-tasks', query)
      expect(body.tasks, text).toBeDefined()
      return [(body.tasks as { title: string }[]).map(({ title }) => title).join(''), body.total]
    }
    expect(await titles({})).toEqual(['bdca', 4])
    expect(await titles({ sort: 'newest' })).toEqual(['dcba', 4])
    expect(await titles({ status: 'todo' })).toEqual(['da', 2])
    expect(await titles({ status: ['todo', 'done'], limit: 1, offset: 1 })).toEqual(['c', 3])
    expect(await titles({ assignedAgentId: 'fern' })).toEqual(['ca', 2])
    expect(await titles({ priorityMin: 3, sort: 'updated' })).toEqual(['dcb', 3])
    clock.advance(1)
    await person.call('update-task', { id: ids[1], comment: 'Still waiting' })
    expect(await titles({ sort: 'updated' })).toEqual(['bdca', 4])
    await person.call('archive-memories', { ids: [ids[1]] })
    expect([await titles({}), await titles({ state: 'archived' }), await titles({ state: 'all' })]).toEqual([
      ['dca', 3],
      ['b', 1],
      ['bdca', 4],
    ])
    const { body } = await person.call('list-tasks', { status: 'done' })
    expect(body).toMatchObject({ counts: { backlog: 0, todo: 2, in_progress: 0, done: 1, blocked: 0 }, hasMore: false })
    for (const query of [{ status: 'open' }, { priorityMin: '6' }, { sort: 'oldest' }, { state: 'true' }])
      expect(await person.call('list-tasks', query)).toMatchObject({ status: 400 })
  })

  it('are filtered by the run that created them', async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user })
    const inRun = await make(agent, { title: 'Made in a run', agentRunId: 'run-7' })
    await make(agent, { title: 'Made in another', agentRunId: 'run-8' })
    await make(agent, 'Made in none')
    const ids = async (query: Record<string, unknown>) =>
      ((await person.call('list-tasks', query)).body.tasks as { taskId: string }[]).map(({ taskId }) => taskId)
    expect(await ids({ runId: 'run-7' })).toEqual([inRun])
    expect([await ids({ runId: 'run-7', q: 'another' }), await ids({ runId: 'run-9' })]).toEqual([[], []])
  })

  it('are found by words whose stems have stems', async () => {
    const person = await makePerson(test())
    await person.call('create-task', { title: 'Renew the lease of employees who отменили поездку' })
    for (const q of ['lease', 'employees', 'отменили'])
      expect((await person.call('list-tasks', { q })).body).toMatchObject({ total: 1 })
  })

  it('are filtered by words, entity and missing assignee, and counted for each filter value', async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user })
    const add = async (task: Record<string, unknown>) => {
      clock.advance(1)
      return ((await person.call('create-task', task)).body as { taskId: string }).taskId
    }
    await add({ title: 'Paint the red door', entities: ['House', 'door'], priority: 2, status: 'backlog' })
    const green = await add({ title: 'Paint the green door', entities: ['house'], assignedAgentId: 'Fern Lee' })
    await add({ title: 'Oil the hinges', description: 'of every green thing', assignedAgentId: 'Fern Lee' })
    await agent.write({ content: 'A green door that is no task', entities: ['House'] })
    const found = async (query: Record<string, unknown>) => {
      const { body, text } = await person.call('list-tasks', { sort: 'newest', ...query })
      expect(body.tasks, text).toBeDefined()
      return [(body.tasks as { title: string }[]).map(({ title }) => title.split(' ')[2]).join(' '), body.total]
    }
    expect(await found({ q: 'green' })).toEqual(['hinges green', 2])
    expect(await found({ q: 'painting doors' })).toEqual(['green red', 2])
    expect(await found({ q: 'green door' })).toEqual(['green', 1])
    expect(await found({ q: 'door gree' })).toEqual(['green red', 2])
    expect(await found({ q: 'zeppelin' })).toEqual(['', 0])
    expect(await found({ q: '!' })).toEqual(['', 0])
    expect(await found({ q: 'paint', status: 'backlog' })).toEqual(['red', 1])
    expect(await found({ q: 'paint', limit: 1, offset: 1 })).toEqual(['red', 2])
    expect(await found({ q: 'paint', sort: 'urgent', limit: 1 })).toEqual(['green', 2])
    expect(await found({ entity: 'HOUSE' })).toEqual(['green red', 2])
    expect(await found({ entity: 'house', q: 'red' })).toEqual(['red', 1])
    expect(await found({ unassigned: true })).toEqual(['red', 1])
    await person.call('archive-memories', { ids: [green] })
    expect([await found({ q: 'paint' }), await found({ q: 'paint', state: 'archived' })]).toEqual([
      ['red', 1],
      ['green', 1],
    ])
    const facets = async (state: string) => (await person.call('count-tasks', { state })).body
    expect(await facets('live')).toEqual({
      total: 2,
      priorities: [
        { value: 3, count: 1 },
        { value: 2, count: 1 },
      ],
      assignees: [{ value: 'Fern Lee', count: 1 }],
      unassigned: 1,
      entities: [
        { value: 'House', count: 1 },
        { value: 'door', count: 1 },
      ],
      states: { live: 2, archived: 1, all: 3 },
    })
    expect(await facets('all')).toMatchObject({
      total: 3,
      assignees: [{ value: 'Fern Lee', count: 2 }],
      entities: [{ value: expect.stringMatching(/house/i), count: 2 }, { value: 'door' }],
    })
    const stranger = await makePerson(test())
    expect((await stranger.call('count-tasks')).body).toMatchObject({ total: 0, assignees: [], entities: [] })
    expect((await stranger.call('list-tasks', { q: 'green' })).body).toMatchObject({ tasks: [], total: 0 })
  })

  it('show their links, entities, and the run that last changed their status', async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user })
    const [task, fact] = [
      await make(agent, { title: 'Mend the roof', agentRunId: 'run-1' }),
      await agent.write('It leaks'),
    ]
    const link = { sourceType: 'memory', targetType: 'memory', relationType: 'references' }
    await agent.call('add-link', { ...link, sourceId: task, targetId: fact })
    await agent.call('update-task', { taskId: task, status: 'in_progress', agentRunId: 'run-2' })
    await person.call('update-task', { id: task, entities: ['roof'] })
    expect((await person.call('list-tasks', { taskIds: task })).body).toMatchObject({
      tasks: [{ agentRunId: 'run-1', entities: ['roof'], statusHistory: [{ to: 'in_progress', agentRunId: 'run-2' }] }],
      total: 1,
    })
    expect((await person.call('get-links', { nodeType: 'memory', nodeId: task })).body).toMatchObject({
      links: [{ relationType: 'references', direction: 'outgoing', other: { id: fact, title: 'It leaks' } }],
      total: 1,
    })
    expect((await agent.search('roof'))[0]).toBe(task)
  })

  it('are moved by the person, with the change in the history, and by only one of two with the same expectation', async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user })
    const id = await make(agent, 'Sweep the yard')
    const change = { id, status: 'in_progress', comment: 'Mine', expectedVersion: 1 }
    const both = await Promise.all([person.call('update-task', change), person.call('update-task', change)])
    expect(both.map(({ status }) => status).toSorted(ascending)).toEqual([200, 409])
    const { body } = await person.call('list-tasks', { taskIds: id })
    const [task] = body.tasks as unknown[]
    expect(task).toMatchObject({
      status: 'in_progress',
      version: 2,
      agentId: expect.not.stringMatching(/^user$/),
      statusHistory: [{ from: 'todo', to: 'in_progress', agentId: 'user', comment: 'Mine' }],
    })
    expect((await list(agent)).tasks).toEqual([task])
    expect((await person.call('update-task', { id, status: 'in_progress' })).body).toMatchObject({ updated: false })
  })

  it('keep the time when they were done if the person takes back a move, and get another if they are finished again', async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user })
    const id = await make(agent, 'Sweep the stairs')
    const move = async (status: string) => (await person.call('update-task', { id, status })).body.completedAt
    await agent.call('update-task', { taskId: id, status: 'done' })
    const doneAt = clock.iso()
    clock.advance(3 * 86_400_000)
    expect(await move('todo')).toBeNull()
    clock.advance(10_000)
    expect(await move('done')).toBe(doneAt)
    // Undone and redone.
    clock.advance(10_000)
    expect(await move('todo')).toBeNull()
    clock.advance(10_000)
    expect(await move('done')).toBe(doneAt)
    await move('todo')
    await agent.call('update-task', { taskId: id, comment: 'Swept the lower ones' })
    clock.advance(10_000)
    expect(await move('done')).toBe(clock.iso())
    await move('todo')
    clock.advance(3_600_000)
    expect(await move('done')).toBe(clock.iso())
  })

  it('keep the time when they were created as done', async () => {
    const person = await makePerson(test())
    const { body } = await person.call('create-task', { title: 'Sweep the stairs', status: 'done' })
    const createdAt = clock.iso()
    const move = async (status: string) => {
      clock.advance(10_000)
      return (await person.call('update-task', { id: body.taskId, status })).body.completedAt
    }
    expect([await move('todo'), await move('done')]).toEqual([null, createdAt])
    expect((await person.call('list-tasks', { taskIds: String(body.taskId) })).body.tasks).toMatchObject([
      { completedAt: createdAt },
    ])
    await move('todo')
    expect((await person.call('list-tasks', { taskIds: String(body.taskId) })).body.tasks).toMatchObject([
      { status: 'todo', completedAt: null },
    ])
  })

  it('leave lists and search when they are archived, once', async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user })
    const id = await make(agent, 'Prune the roses')
    const archivedAt = clock.iso()
    const archive = async () => (await person.call('archive-memories', { ids: [id] })).body
    expect(await archive()).toMatchObject({ memories: [{ memoryId: id, changed: true }] })
    clock.advance(5)
    expect(await archive()).toMatchObject({ memories: [{ memoryId: id, changed: false }] })
    expect([(await list(agent)).total, await agent.search('roses')]).toEqual([0, []])
    expect((await person.call('list-tasks', { taskIds: id, includeArchived: true })).body.tasks).toMatchObject([
      { archivedAt },
    ])
  })

  it('exclude memories of other types, and are invisible to other users', async () => {
    const [person, stranger] = [await makePerson(test()), await makePerson(test())]
    const agent = await startAgent(test(), { user: person.user })
    const [task, fact] = [await make(agent, 'Mine alone'), await agent.write('a fact')]
    const missing = { status: 404, body: { error: 'Task not found' } }
    for (const id of [task, newId()])
      expect((await stranger.call('archive-memories', { ids: [id] })).body).toMatchObject({
        memories: [],
        notFound: [id],
      })
    for (const [who, id] of [
      [person, fact],
      [stranger, task],
      [stranger, newId()],
    ] as const) {
      expect(await who.call('update-task', { id })).toMatchObject(missing)
      expect((await who.call('list-tasks', { taskIds: id, state: 'all' })).body).toMatchObject({ tasks: [], total: 0 })
    }
    expect((await stranger.call('list-tasks', { state: 'all' })).body).toMatchObject({ tasks: [], total: 0 })
    expect(await stranger.call('list-tasks', { vaultId: person.user.vaultId })).toMatchObject({ status: 404 })
  })
})
