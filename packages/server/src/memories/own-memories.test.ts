import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser } from '../../test/factories.ts'
import { makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { archiveExpired } from './purge-store.ts'

/** What people can do with the memories in their vaults, and what their agents see of it. */
eachDialect('memories managed by their owner', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const start = async () => {
    const agent = await startAgent(test())
    return { agent, call: callAs(agent) }
  }
  const callAs =
    ({ user }: Pick<TestAgent, 'user'>) =>
    (name: string, body: object = {}) =>
      test().call(name, { vaultId: user.vaultId, ...body }, { key: user.dashboardToken })

  it('are written as the person, and trusted accordingly', async () => {
    const { agent, call } = await start()
    const linked = await agent.write('The garden has a pond.')
    const { status, body } = await call('write-memory', {
      content: 'Violets need shade.',
      entities: ['Violets'],
      relatedMemoryIds: [linked],
      metadata: { bed: 2 },
      agentId: 'ada',
    })
    expect([status, body]).toMatchObject([201, { created: true, version: 1 }])
    const { memoryId } = body as { memoryId: string }
    expect(await agent.read(memoryId)).toMatchObject({
      content: 'Violets need shade.',
      agentId: 'user',
      agentRunId: null,
      source: { integrationId: null, route: 'add-memory', trust: 'user_authored' },
      relatedMemories: [{ memoryId: linked, relationType: 'references' }],
      version: 1,
    })
    expect(await agent.search('violets')).toContain(memoryId)
  })

  it('can be changed like by an agent, and keep their author', async () => {
    const { agent, call } = await start()
    const id = await agent.write({ content: 'Roses need shade.', metadata: { a: 1 } })
    const change = { id, content: 'Violets need shade.', metadata: { b: 2 }, importance: 5, expectedVersion: 1 }
    const { status, body } = await call('update-memory', change)
    expect([status, body]).toMatchObject([200, { version: 2, updated: true }])
    expect(await agent.read(id)).toMatchObject({ version: 2, importance: 5, metadata: { a: 1, b: 2 } })
    expect(await agent.search('violets')).toEqual([id])
    expect(await agent.search('roses')).toEqual([])
    expect(await agent.read(id)).toMatchObject({ source: { route: 'write-memory', trust: 'agent_authored' } })
    expect((await call('update-memory', { id, importance: 5 })).body).toMatchObject({ updated: false })
    expect((await call('update-memory', change)).status).toBe(409)
    expect((await call('update-memory', { ...change, id: newId() })).status).toBe(404)
  })

  it('are archived and restored together, and each answer says whether it changed', async () => {
    const { agent, call } = await start()
    const [a, b, unknown] = [await agent.write('violets'), await agent.write('violets too'), newId()]
    await agent.call('archive-memory', { memoryId: a })
    expect((await call('archive-memories', { ids: [b, unknown, a, b], reason: 'wilted' })).body).toEqual({
      memories: [
        { memoryId: b, changed: true, version: 2 },
        { memoryId: a, changed: false, version: 2 },
      ],
      notFound: [unknown],
    })
    expect(await agent.read(b)).toMatchObject({ status: 'archived', archiveReason: 'wilted', archivedAt: clock.iso() })
    expect(await agent.search('violets')).toEqual([])
    expect((await call('update-memories', { ids: [a, b], archived: false })).body).toMatchObject({
      memories: [
        { changed: true, version: 3 },
        { changed: true, version: 3 },
      ],
    })
    expect((await call('update-memories', { ids: [a], archived: false })).body).toMatchObject({
      memories: [{ changed: false }],
    })
    expect(await agent.read(b)).toMatchObject({ status: 'active', archiveReason: null })
    expect((await agent.search('violets')).toSorted()).toEqual([a, b].toSorted())
  })

  it('that had expired don’t expire again after they are restored', async () => {
    const { agent, call } = await start()
    const id = await agent.write({ content: 'violets', expiresAt: clock.iso(1000) })
    const { db } = test().app.services
    const expire = () => archiveExpired(db, agent.user.userId, agent.user.vaultId, clock.now())
    clock.advance(2000)
    await expire()
    await call('update-memories', { ids: [id], archived: false })
    expect(await expire()).toBe(0)
    expect(await agent.search('violets')).toEqual([id])
    expect(await agent.read(id)).toMatchObject({ status: 'active', expiresAt: null, changedBy: null })
  })

  it('can be given another type and importance together', async () => {
    const { agent, call } = await start()
    const [a, b] = [await agent.write({ content: 'violets', importance: 2 }), await agent.write('violets too')]
    const rating = { memoryType: 'constraint', importance: 2 }
    expect((await call('update-memories', { ids: [a, b], ...rating })).body).toMatchObject({
      memories: [{ changed: true, version: 2 }, { changed: true }],
      notFound: [],
    })
    expect((await call('update-memories', { ids: [a], ...rating })).body).toMatchObject({
      memories: [{ changed: false, version: 2 }],
    })
    expect((await agent.search('violets', { memoryType: 'constraint' })).toSorted()).toEqual([a, b].toSorted())
    expect(await agent.search('violets', { minImportance: 3 })).toEqual([])
    await call('update-memories', { ids: [a], memoryType: 'task' })
    expect((await agent.call('list-tasks')).body).toMatchObject({ tasks: [{ taskId: a }] })
  })

  it('can be restored and rated in one call, which must name a change', async () => {
    const { agent, call } = await start()
    const [a, b] = [await agent.write('violets'), await agent.write('violets too')]
    await call('archive-memories', { ids: [a] })
    expect((await call('update-memories', { ids: [a, b], archived: false, confidence: 5 })).body).toMatchObject({
      memories: [
        { changed: true, version: 3 },
        { changed: true, version: 2 },
      ],
    })
    for (const id of [a, b]) expect(await agent.read(id)).toMatchObject({ status: 'active', confidence: 5 })
    expect(await call('update-memories', { ids: [a] })).toMatchObject({
      status: 400,
      body: { fields: { '': 'give archived, memoryType, importance or confidence' } },
    })
    expect(await call('update-memories', { ids: [a], archived: true })).toMatchObject({
      status: 400,
      body: { fields: { archived: expect.stringContaining('archive-memories') } },
    })
  })

  it('are deleted permanently once they are archived, with their entries and links', async () => {
    const { agent, call } = await start()
    const [id, other] = [await agent.write('violets'), await agent.write('roses')]
    const ends = { sourceType: 'memory', sourceId: id, targetType: 'memory', targetId: other }
    await agent.call('add-link', { ...ends, relationType: 'refines' })
    expect(await agent.search('violets')).toContain(id)
    expect(await call('erase-memory', { id })).toMatchObject({
      status: 400,
      body: { fields: { id: expect.stringContaining('archive') } },
    })
    await call('archive-memories', { ids: [id] })
    expect((await call('erase-memory', { id })).body).toEqual({ id, deleted: true, deletedTurnIds: [] })
    expect(await call('erase-memory', { id })).toMatchObject({ status: 404, body: { error: 'Memory not found' } })
    const { db } = test().app.services
    for (const table of ['memories', 'indexEntries'] as const) {
      const rows = await db.read.selectFrom(table).selectAll().where('vaultId', '=', agent.user.vaultId).execute()
      expect(JSON.stringify(rows)).not.toContain(id)
    }
    expect((await agent.call('get-links', { nodeType: 'memory', nodeId: other })).body.total).toBe(0)
    expect(await agent.search('violets', { includeArchived: true })).not.toContain(id)
  })

  it('show what superseded what', async () => {
    const { agent, call } = await start()
    const write = async (content: string, supersededById?: string) => {
      clock.advance(1000)
      return agent.write({ content, supersededById })
    }
    const first = await write('first')
    const aside = await write('aside')
    const second = await write('second', first)
    const third = await write('third', second)
    await agent.call('update-memory', { memoryId: third, supersededById: aside })
    for (const id of [first, aside, second, third]) {
      const { body } = await call('read-memory-history', { id })
      expect(body.total).toBe(4)
      expect((body.history as { content: string }[]).map(({ content }) => content)).toEqual([
        'third',
        'second',
        'aside',
        'first',
      ])
    }
    const { body } = await call('read-memory-history', { id: first, limit: 1, offset: 2 })
    expect(body).toMatchObject({ history: [{ memoryId: aside, supersededById: third }], hasMore: true })
    expect((await call('read-memory-history', { id: newId() })).status).toBe(404)
  })

  it('are not accessible to other users', async () => {
    const { agent } = await start()
    const id = await agent.write('violets')
    const stranger = callAs({ user: await makeUser(test()) })
    for (const name of ['archive-memories', 'update-memories'])
      expect((await stranger(name, { ids: [id], importance: 5 })).body).toEqual({ memories: [], notFound: [id] })
    for (const name of ['update-memory', 'erase-memory', 'read-memory-history'])
      expect(await stranger(name, { id, content: 'x' })).toMatchObject({ status: 404 })
    const linked = await stranger('write-memory', { content: 'x', relatedMemoryIds: [id] })
    expect([linked.status, linked.body]).toEqual([404, { error: 'Memory not found' }])
    expect(await agent.read(id)).toMatchObject({ content: 'violets', version: 1, status: 'active' })
  })
})
