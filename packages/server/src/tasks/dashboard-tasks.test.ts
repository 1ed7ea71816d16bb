import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makePerson } from '../../test/person.ts'
import { ascending, makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { list, make } from './testing/call-tasks.ts'

eachDialect('tasks of the dashboard', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('are made by the person, under their name, and told as their own words', async () => {
    const person = await makePerson(test())
    const { status, body } = await person.call('add-task', {
      title: 'Water the ferns',
      description: 'Twice',
      priority: 4,
    })
    expect([status, body.task]).toMatchObject([
      201,
      { title: 'Water the ferns', description: 'Twice', status: 'todo', priority: 4, agentId: 'user', version: 1 },
    ])
    const { taskId } = body.task as { taskId: string }
    const agent = await startAgent(test(), { user: person.user })
    expect((await list(agent)).tasks).toEqual([body.task])
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
      const { body, text } = await person.call('browse-tasks', query)
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
    await person.call('edit-task', { id: ids[1], comment: 'Still waiting' })
    expect(await titles({ sort: 'updated' })).toEqual(['bdca', 4])
    await person.call('archive-task', { id: ids[1] })
    expect([await titles({}), await titles({ state: 'archived' }), await titles({ state: 'all' })]).toEqual([
      ['dca', 3],
      ['b', 1],
      ['bdca', 4],
    ])
    const { body } = await person.call('browse-tasks', { status: 'done' })
    expect(body).toMatchObject({ counts: { backlog: 0, todo: 2, in_progress: 0, done: 1, blocked: 0 }, hasMore: false })
    for (const query of [{ status: 'open' }, { priorityMin: '6' }, { sort: 'oldest' }, { state: 'true' }])
      expect(await person.call('browse-tasks', query)).toMatchObject({ status: 400 })
  })

  it('are moved on by the person, whose change is in the history, and by one of two that expect the same', async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user })
    const id = await make(agent, 'Sweep the yard')
    const change = { id, status: 'in_progress', comment: 'Mine', expectedVersion: 1 }
    const both = await Promise.all([person.call('edit-task', change), person.call('edit-task', change)])
    expect(both.map(({ status }) => status).toSorted(ascending)).toEqual([200, 409])
    const { body } = await person.call('browse-tasks', { id })
    expect(body.task).toMatchObject({
      status: 'in_progress',
      version: 2,
      agentId: expect.not.stringMatching(/^user$/),
      statusHistory: [{ from: 'todo', to: 'in_progress', agentId: 'user', comment: 'Mine' }],
    })
    expect((await list(agent)).tasks).toEqual([body.task])
    expect((await person.call('edit-task', { id, status: 'in_progress' })).body).toMatchObject({ updated: false })
  })

  it('leave lists and search when they are archived, once', async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user })
    const id = await make(agent, 'Prune the roses')
    const first = await person.call('archive-task', { id })
    expect(first.body).toEqual({ id, archived: true, alreadyArchived: false, archivedAt: clock.iso() })
    clock.advance(5)
    expect((await person.call('archive-task', { id })).body).toEqual({ ...first.body, alreadyArchived: true })
    expect([(await list(agent)).total, await agent.search('roses')]).toEqual([0, []])
    expect((await person.call('browse-tasks', { id })).body.task).toMatchObject({ archivedAt: first.body.archivedAt })
  })

  it('are no memories of other types, and nobody else sees a trace of them', async () => {
    const [person, stranger] = [await makePerson(test()), await makePerson(test())]
    const agent = await startAgent(test(), { user: person.user })
    const [task, fact] = [await make(agent, 'Mine alone'), await agent.write('a fact')]
    const missing = { status: 404, body: { error: 'Task not found' } }
    for (const [who, id] of [
      [person, fact],
      [stranger, task],
      [stranger, newId()],
    ] as const)
      for (const name of ['browse-tasks', 'edit-task', 'archive-task'])
        expect(await who.call(name, { id })).toMatchObject(missing)
    expect((await stranger.call('browse-tasks', { state: 'all' })).body).toMatchObject({ tasks: [], total: 0 })
    expect(await stranger.call('browse-tasks', { vaultId: person.user.vaultId })).toMatchObject({ status: 404 })
  })
})
