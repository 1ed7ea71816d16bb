import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { make, list, titles, update, type Record_ } from './testing/call-tasks.ts'

eachDialect('tasks', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

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

  it('are filtered by status, agent, priority and whether they are done, with counts for all statuses', async () => {
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

  it('are filtered by when they were created, together with other filters', async () => {
    const agent = await startAgent(test())
    const from = clock.iso()
    await make(agent, { title: 'first gate', priority: 4 })
    clock.advance(10)
    const between = clock.iso()
    await make(agent, { title: 'second gate', priority: 2 })
    clock.advance(10)
    const to = clock.iso()
    await make(agent, { title: 'third gate', priority: 3 })
    const cases: [Record_, string[]][] = [
      [{ createdFrom: between }, ['third gate', 'second gate']],
      [{ createdTo: between }, ['first gate']],
      [{ createdFrom: from, createdTo: to }, ['first gate', 'second gate']],
      [{ createdFrom: between, createdTo: to, q: 'gate' }, ['second gate']],
      [{ createdFrom: between, priorityMin: 3 }, ['third gate']],
    ]
    for (const [filter, expected] of cases) {
      const found = await list(agent, filter)
      expect([filter, found.tasks.map(({ title }) => title), found.total]).toEqual([filter, expected, expected.length])
      expect([filter, found.counts.todo]).toEqual([filter, expected.length])
    }
    expect((await agent.call('list-tasks', { createdFrom: 'yesterday' })).status).toBe(400)
  })

  it('leave the list when they are archived, expired, superseded or given another type', async () => {
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

  it('are not found by ids of memories, of other vaults and of other people', async () => {
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
