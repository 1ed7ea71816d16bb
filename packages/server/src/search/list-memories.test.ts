import { beforeAll, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'

eachDialect('list-memories', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })
  let ada: TestAgent
  let others: TestAgent
  /** Named after their content, in the order in which they were written, a minute apart. */
  const ids: Record<string, string> = {}
  const nameOf = (id: unknown) => Object.keys(ids).find((name) => ids[name] === id) ?? String(id)

  const browse = (query: Record<string, unknown> = {}, agent = ada) =>
    test().call('list-memories', { vaultId: agent.user.vaultId, ...query }, { key: agent.user.dashboardToken })
  const listed = async (query: Record<string, unknown> = {}) => {
    const { status, body, text } = await browse(query)
    expect([200, text]).toEqual([status, text])
    return (body.memories as { memoryId: string }[]).map(({ memoryId }) => nameOf(memoryId))
  }

  beforeAll(async () => {
    ada = await startAgent(test(), { agentId: 'ada' })
    const bob = await startAgent(test(), { user: ada.user, agentId: 'code-bob' })
    others = await startAgent(test(), { agentId: 'ada' })
    await others.write({ content: 'Gold violets of others', entities: ['Violets'] })
    const write = async (agent: TestAgent, name: string, more: object = {}) => {
      clock.advance(60_000)
      ids[name] = await agent.write({ content: `${name}\nand more of it`, ...more })
    }
    await write(ada, 'oldest', { importance: 5, memoryType: 'constraint', entities: ['Violets', 'Ann Lee'] })
    await write(bob, 'by bob', { importance: 1, entities: ['violets'], agentRunId: 'run-7' })
    await write(ada, 'superseded', { importance: 4 })
    await write(ada, 'successor', { importance: 4, supersededById: ids.superseded, agentRunId: 'run-8' })
    await write(ada, 'archived', { entities: ['Violets'], importance: 2 })
    await write(ada, 'expired', { expiresAt: clock.iso(90_000) })
    await write(bob, 'newest', { memoryType: 'skill', summary: 'How violets grow', agentId: 'Ada Two' })
    await ada.call('archive-memory', { memoryId: ids.archived })
    const link = { sourceType: 'memory', targetType: 'memory', relationType: 'contradicts', label: 'a day' }
    await ada.call('add-link', { ...link, sourceId: ids.newest, targetId: ids.oldest })
    clock.advance(60_000)
    await ada.call('update-memory', { memoryId: ids['by bob'], confidence: 5 })
    await ada.read(ids.oldest ?? '')
    clock.advance(60_000)
    await ada.read(ids.successor ?? '')
    await test().app.services.lastUsed.flush()
  })

  it('lists live memories, newest first, a page at a time', async () => {
    expect(await listed()).toEqual(['newest', 'successor', 'by bob', 'oldest'])
    const { body } = await browse({ limit: 2, offset: 1 })
    expect(body).toMatchObject({ total: 4, limit: 2, offset: 1, hasMore: true })
    expect(body.memories).toMatchObject([{ memoryId: ids.successor }, { memoryId: ids['by bob'] }])
  })

  it('shows only what a row needs of each, without its content', async () => {
    const { body } = await browse({ limit: 1 })
    const [row] = body.memories as Record<string, unknown>[]
    expect(row).toMatchObject({
      title: 'How violets grow',
      preview: 'newest and more of it',
      memoryType: 'skill',
      agentId: 'Ada Two',
      accessCount: 0,
      lastAccessedAt: null,
      source: { route: 'write-memory', trust: 'agent_authored' },
    })
    expect(row).not.toHaveProperty('content')
  })

  it('lists archived ones, superseded and expired ones, or all', async () => {
    expect(await listed({ state: 'archived' })).toEqual(['archived'])
    expect(await listed({ state: 'superseded' })).toEqual(['expired', 'superseded'])
    const all = ['newest', 'expired', 'archived', 'successor', 'superseded', 'by bob', 'oldest']
    expect(await listed({ state: 'all' })).toEqual(all)
  })

  it.each([
    ['newest', ['newest', 'successor', 'by bob', 'oldest']],
    ['oldest', ['oldest', 'by bob', 'successor', 'newest']],
    ['updated', ['by bob', 'newest', 'successor', 'oldest']],
    ['importance', ['oldest', 'successor', 'newest', 'by bob']],
    ['recalled', ['successor', 'oldest', 'newest', 'by bob']],
  ])('sorts them by %s, in the database or in the index', async (sort, names) => {
    expect(await listed({ sort })).toEqual(names)
    const violets = names.filter((name) => name === 'oldest' || name === 'by bob')
    expect(await listed({ sort, entity: 'violets' })).toEqual(violets)
  })

  it.each([
    [{ type: 'skill' }, ['newest']],
    [{ type: ['skill', 'constraint'] }, ['newest', 'oldest']],
    [{ importanceMin: 4 }, ['successor', 'oldest']],
    [{ neverRecalled: true }, ['newest', 'by bob']],
    [{ neverRecalled: false }, ['newest', 'successor', 'by bob', 'oldest']],
    [{ agent: 'ada' }, ['successor', 'oldest']],
    [{ agent: 'code-bob' }, ['by bob']],
    [{ agent: 'bob' }, []],
    [{ agent: 'Ada Two' }, ['newest']],
    [{ agent: 'nobody' }, []],
    [{ entity: 'VIOLETS' }, ['by bob', 'oldest']],
    [{ entity: 'ann lee' }, ['oldest']],
    [{ entity: 'Ann' }, []],
    [{ entity: 'violets', state: 'archived' }, ['archived']],
    [{ agent: 'ada', state: 'superseded' }, ['expired', 'superseded']],
    [{ agent: 'ada', state: 'archived' }, ['archived']],
    [{ q: 'superseded', state: 'superseded' }, ['superseded']],
    [{ q: 'superseded', state: 'all' }, ['superseded', 'successor']],
    [{ q: 'superseded' }, []],
    [{ q: 'expired', state: 'superseded' }, ['expired']],
    [{ entity: 'violets', state: 'all', sort: 'oldest' }, ['oldest', 'by bob', 'archived']],
    [{ agent: 'ada', state: 'all', importanceMin: 4 }, ['successor', 'superseded', 'oldest']],
    [{ runId: 'run-7' }, ['by bob']],
    [{ runId: 'run-9' }, []],
    [{ contradicts: true }, ['newest', 'oldest']],
    [{ contradicts: true, neverRecalled: true, type: 'skill' }, ['newest']],
  ])('filters them by %o', async (query, names) => {
    expect(await listed(query)).toEqual(names)
    expect((await browse(query)).body.total).toBe(names.length)
  })

  it('filters them by time, including its start', async () => {
    const { createdAt } = await ada.read(ids.successor ?? '')
    expect(await listed({ createdFrom: createdAt })).toEqual(['newest', 'successor'])
    expect(await listed({ createdTo: createdAt })).toEqual(['by bob', 'oldest'])
    expect(await listed({ createdTo: createdAt, agent: 'ada' })).toEqual(['oldest'])
  })

  it('searches, and sorts what it found on request', async () => {
    expect((await listed({ q: 'violets' })).toSorted()).toEqual(['by bob', 'newest', 'oldest'])
    expect(await listed({ q: 'violets', sort: 'oldest' })).toEqual(['oldest', 'by bob', 'newest'])
    expect(await listed({ q: 'violets', state: 'archived' })).toEqual(['archived'])
    expect(await listed({ q: 'violets', agent: 'code-bob' })).toEqual(['by bob'])
    expect(await listed({ q: 'violets', importanceMin: 4 })).toEqual(['oldest'])
    expect(await listed({ q: 'violets', neverRecalled: true, sort: 'newest' })).toEqual(['newest', 'by bob'])
    const { body } = await browse({ q: 'violets', sort: 'oldest', limit: 1, offset: 1 })
    expect(body).toMatchObject({ memories: [{ memoryId: ids['by bob'] }], total: 3, hasMore: true })
    expect(body.degraded).toMatchObject([{ leg: 'semantic' }])
  })

  it('shows one memory with its full content and what it superseded', async () => {
    const { body } = await browse({ id: ids.newest })
    expect(body).toMatchObject({
      memory: { memoryId: ids.newest, content: 'newest\nand more of it', metadata: {} },
      chain: [{ memoryId: ids.newest, live: true }],
      chainCount: 1,
    })
    const old = await browse({ id: ids.superseded })
    expect(old.body.chain).toMatchObject([
      { memoryId: ids.successor, title: 'successor', live: true },
      { memoryId: ids.superseded, title: 'superseded', live: false },
    ])
  })

  it('does not count as a recall', async () => {
    await browse({ id: ids.newest })
    await browse({ q: 'violets' })
    await test().app.services.lastUsed.flush()
    expect(await listed({ neverRecalled: true })).toEqual(['newest', 'by bob'])
  })

  it('shows nothing of other people or other vaults', async () => {
    for (const id of [newId(), ids.newest])
      expect(await browse({ id }, others)).toMatchObject({ status: 404, body: { error: 'Memory not found' } })
    const { body } = await browse({ state: 'all' }, others)
    expect(body).toMatchObject({ total: 1, memories: [{ title: 'Gold violets of others' }] })
    for (const query of [{ entity: 'violets' }, { agent: 'ada' }, { q: 'violets' }])
      expect((await browse(query, others)).body.total).toBe(1)
    const foreign = await browse({ vaultId: ada.user.vaultId }, others)
    expect([foreign.status, foreign.body]).toEqual([404, { error: 'Vault not found' }])
  })

  it('lists the values to filter by', async () => {
    const facets = async (state: string) => {
      const query = { vaultId: ada.user.vaultId, state }
      return (await test().call('count-memories', query, { key: ada.user.dashboardToken })).body
    }
    const [newest, oldest] = [await ada.read(ids['by bob'] ?? ''), await ada.read(ids.oldest ?? '')]
    expect(await facets('live')).toEqual({
      total: 4,
      types: [
        { value: 'fact', count: 2 },
        { value: 'skill', count: 1 },
        { value: 'constraint', count: 1 },
      ],
      importances: [
        { value: 5, count: 1 },
        { value: 4, count: 1 },
        { value: 3, count: 1 },
        { value: 1, count: 1 },
      ],
      agents: [
        { value: 'ada', count: 2 },
        { value: 'Ada Two', count: 1 },
        { value: 'code-bob', count: 1 },
      ],
      entities: [
        { value: expect.stringMatching(/violets/i), count: 2, lastAt: newest.createdAt },
        { value: 'Ann Lee', count: 1, lastAt: oldest.createdAt },
      ],
      entityTotal: 2,
      states: { live: 4, superseded: 2, archived: 1, all: 7 },
      neverRecalled: 2,
      contradicts: 2,
    })
    expect(await facets('archived')).toMatchObject({ total: 1, importances: [{ value: 2, count: 1 }] })
    expect(await facets('superseded')).toMatchObject({ total: 2 })
    expect(await facets('all')).toMatchObject({ total: 7, neverRecalled: 5 })
  })
})
