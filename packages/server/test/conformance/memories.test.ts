import { describe, expect, it } from 'vitest'
import { callAgent, eachService, newVault, succeed } from './service.ts'

/** What the API says about memories and tasks, beyond the shape of single calls. */

const idsOf = (records: unknown) => (records as { memoryId: string }[]).map(({ memoryId }) => memoryId)

eachService('memories', (service) => {
  const start = async () => {
    const vaultId = await newVault(service())
    const call = (name: string, body: object = {}) => succeed(service(), name, { vaultId, ...body })
    const write = async (body: object) => String((await call('write-memory', body))['memoryId'])
    const read = async (memoryId: string) =>
      ((await call('read-memories', { memoryIds: [memoryId] }))['memories'] as Record<string, unknown>[])[0] ?? {}
    const search = async (query: string, more: object = {}) =>
      idsOf((await call('search-memories', { query, ...more }))['memories'])
    return { vaultId, call, write, read, search }
  }

  it('are returned exactly as they were sent, with the defaults', async () => {
    const { vaultId, write, read } = await start()
    const content = '  Grüße, 世界 👩‍👩‍👧‍👦 e\u0301\r\n\ttab\u0000 '
    const memoryId = await write({ content, entities: ['Ada'], metadata: { a: [1, { b: null }] }, agentId: 'me' })
    expect(await read(memoryId)).toMatchObject({
      memoryId,
      vaultId,
      content,
      memoryType: 'fact',
      importance: 3,
      confidence: 3,
      entities: ['Ada'],
      metadata: { a: [1, { b: null }] },
      agentId: 'me',
      status: 'active',
      version: 1,
      archivedAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  it('are found by a search that starts after they were acknowledged, and are read in the requested order', async () => {
    const { write, search, call } = await start()
    const [heron, otter] = [await write({ content: 'Herons fish at dawn.' }), await write({ content: 'Otters play.' })]
    expect(await search('herons')).toEqual([heron])
    const unknown = crypto.randomUUID()
    const { memories, notFound } = await call('read-memories', { memoryIds: [otter, unknown, heron] })
    expect([idsOf(memories), notFound]).toEqual([[otter, heron], [unknown]])
  })

  it('are written once under one externalWriteId, even twice concurrently, and never overwritten', async () => {
    const { vaultId, read } = await start()
    const write = (content: string) =>
      callAgent(service(), 'write-memory', { vaultId, content, externalWriteId: 'once' })
    const replies = await Promise.all([write('Same.'), write('Same.'), write('Same.')])
    expect(replies.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1)
    expect(new Set(replies.map(({ body }) => body['memoryId'])).size).toBe(1)
    const { status, body } = await write('Another text.')
    expect([status, body]).toMatchObject([200, { created: false, idempotent: true }])
    expect(await read(String(body['memoryId']))).toMatchObject({ content: 'Same.', version: 1 })
  })

  it('that are archived are left out of searches unless requested, can be read, and can be restored', async () => {
    const { call, write, read, search } = await start()
    const memoryId = await write({ content: 'Herons fish at dawn.' })
    expect(await call('archive-memory', { memoryId })).toMatchObject({ archived: true, alreadyArchived: false })
    expect(await call('archive-memory', { memoryId })).toMatchObject({ archived: true, alreadyArchived: true })
    expect(await search('herons')).toEqual([])
    expect(await search('herons', { includeArchived: true })).toEqual([memoryId])
    expect(await read(memoryId)).toMatchObject({ status: 'archived', archivedAt: expect.any(String) })
    await call('update-memory', { memoryId, archived: false })
    expect(await search('herons')).toEqual([memoryId])
  })

  it('that have expired are not found anywhere', async () => {
    const { write, search } = await start()
    await write({ content: 'Herons fish at dawn.', expiresAt: new Date(Date.now() - 1000).toISOString() })
    const later = await write({ content: 'Herons sleep.', expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
    expect(await search('herons')).toEqual([later])
  })

  it('are changed one version at a time, also in the index, and not against an expected version', async () => {
    const { vaultId, call, write, read, search } = await start()
    const memoryId = await write({ content: 'Herons fish at dawn.', metadata: { a: 1, b: 2 } })
    const change = { memoryId, content: 'Otters play.', metadata: { a: null, c: 3 }, expectedVersion: 1 }
    expect(await call('update-memory', change)).toMatchObject({ updated: true, version: 2 })
    expect(await read(memoryId)).toMatchObject({ content: 'Otters play.', metadata: { b: 2, c: 3 }, version: 2 })
    expect([await search('herons'), await search('otters')]).toEqual([[], [memoryId]])
    const { status } = await callAgent(service(), 'update-memory', { vaultId, ...change })
    expect(status).toBe(409)
  })

  it('can supersede one another: the old one is no longer live, and both name the other', async () => {
    const { vaultId, write, read, search } = await start()
    const old = await write({ content: 'The heron nests by the lake.' })
    const fresh = await write({ content: 'The heron nests by the river.', supersededById: old })
    expect(await search('heron nests')).toEqual([fresh])
    expect(await read(old)).toMatchObject({ supersededById: fresh })
    expect(await read(fresh)).toMatchObject({ supersedesId: old })
    const nobody = { vaultId, content: 'x', supersededById: crypto.randomUUID() }
    expect((await callAgent(service(), 'write-memory', nobody)).status).toBe(404)
  })

  it('are deduplicated on request only', async () => {
    const { call } = await start()
    const text = 'The build runs on Tuesdays at nine.'
    const first = await call('write-memory', { content: text, dedup: true })
    expect(first).toMatchObject({ created: true, dedupAction: 'none' })
    expect(await call('write-memory', { content: ` ${text.toUpperCase()} `, dedup: true })).toMatchObject({
      memoryId: first['memoryId'],
      created: false,
      dedupAction: 'exact_match',
    })
    const other = await call('write-memory', { content: text.replace('nine', 'ten'), dedup: true })
    expect(other['memoryId']).not.toBe(first['memoryId'])
    expect(await call('write-memory', { content: text })).toMatchObject({ created: true })
  })

  it('are searched within one vault, with filters, and up to the requested number', async () => {
    const [here, elsewhere] = [await start(), await start()]
    await elsewhere.write({ content: 'Herons elsewhere.' })
    const rule = await here.write({ content: 'Herons are protected.', memoryType: 'constraint', importance: 5 })
    for (let number = 0; number < 4; number++) await here.write({ content: `Heron number ${number}.` })
    expect(await here.search('herons', { memoryType: 'constraint' })).toEqual([rule])
    expect(await here.search('heron', { topK: 2 })).toHaveLength(2)
    expect(await here.call('search-memories', { query: 'heron' })).toMatchObject({
      searchMode: expect.stringMatching(/^(hybrid|blind_only|semantic_only)$/),
      unitsUsed: 1,
      blindIndexMatchCount: expect.any(Number),
    })
  })

  it('are cleaned up only with a filter, with a preview by default, and never if protected', async () => {
    const { vaultId, call, write, read } = await start()
    const [low, rule] = [
      await write({ content: 'Trivial.', importance: 1 }),
      await write({ content: 'A rule.', importance: 1, memoryType: 'constraint' }),
    ]
    expect((await callAgent(service(), 'cleanup-memories', { vaultId })).status).toBe(400)
    expect(await call('cleanup-memories', { maxImportance: 2 })).toMatchObject({ dryRun: true, archived: 0 })
    expect(await read(low)).toMatchObject({ status: 'active' })
    const done = await call('cleanup-memories', { maxImportance: 2, dryRun: false })
    expect(done).toMatchObject({ dryRun: false, archived: 1, memoryIds: [low], skippedProtected: 1 })
    expect([await read(low), await read(rule)]).toMatchObject([{ status: 'archived' }, { status: 'active' }])
  })

  describe('tasks', () => {
    it('are memories of type task, from todo to done and back', async () => {
      const { call, read } = await start()
      const { taskId, status } = await call('create-task', { title: 'Count the herons', priority: 5 })
      expect(status).toBe('todo')
      expect(await read(String(taskId))).toMatchObject({ memoryType: 'task', importance: 5 })
      expect(await call('update-task', { taskId, status: 'done' })).toMatchObject({
        status: 'done',
        previousStatus: 'todo',
        completedAt: expect.any(String),
        version: 2,
      })
      expect(await call('update-task', { taskId, status: 'blocked', comment: 'Fog.' })).toMatchObject({
        completedAt: null,
      })
      const { tasks } = await call('list-tasks')
      expect(tasks).toMatchObject([{ taskId, statusHistory: [{ to: 'done' }, { from: 'done', to: 'blocked' }] }])
    })

    it('can be claimed by exactly one of several agents', async () => {
      const { vaultId, call } = await start()
      const { taskId } = await call('create-task', { title: 'Count the herons' })
      const claims = ['a', 'b', 'c', 'd'].map((agentId) => {
        const claim = { vaultId, taskId, status: 'in_progress', assignedAgentId: agentId, expectedStatus: 'todo' }
        return callAgent(service(), 'update-task', claim)
      })
      const statuses = (await Promise.all(claims)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status === 409)).toHaveLength(3)
    })

    it('are listed by priority, filtered, and counted by status', async () => {
      const { call } = await start()
      for (const [title, priority] of [
        ['low', 1],
        ['high', 5],
      ] as const)
        await call('create-task', { title, priority })
      await call('create-task', { title: 'done', status: 'done' })
      const { tasks, counts, total } = await call('list-tasks', { includeDone: false })
      expect((tasks as { title: string }[]).map(({ title }) => title)).toEqual(['high', 'low'])
      expect([total, counts]).toMatchObject([2, { todo: 2 }])
      expect((await call('list-tasks', { status: ['done'] }))['total']).toBe(1)
    })
  })
})
