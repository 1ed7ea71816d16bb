import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makePerson, type TestPerson } from '../../test/person.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { link, writeChain } from './testing/link-memories.ts'

interface Graph {
  nodes: { id: string; title: string; hop: number; degree: number; live: boolean }[]
  edges: { linkId: string; sourceId: string; targetId: string; origin: string }[]
  entities?: { id: string; name: string; count: number; nodeIds: string[] }[]
  totalNodes: number
  truncated: boolean
}

const graph = async (person: TestPerson, query: Record<string, unknown> = {}) => {
  const { status, body, text } = await person.call('read-graph', query)
  expect([200, text]).toEqual([status, text])
  const found = body as unknown as Graph
  return { ...found, titles: found.nodes.map(({ title }) => title).join('') }
}

eachDialect('the graph of the dashboard', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const start = async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user })
    return { person, agent }
  }

  it('starts from a node and goes to the requested depth', async () => {
    const { person, agent } = await start()
    const [a = '', b, c] = await writeChain(agent, ['a', 'b', 'c', 'd'])
    expect(await graph(person, { nodeId: a })).toMatchObject({
      titles: 'ab',
      nodes: [
        { hop: 0, degree: 1, live: true },
        { hop: 1, degree: 2 },
      ],
      edges: [{ sourceId: a, targetId: b }],
      totalNodes: 4,
      truncated: false,
    })
    const two = await graph(person, { nodeId: a, depth: 2 })
    expect([two.titles, two.edges.length]).toEqual(['abc', 2])
    expect(await graph(person, { nodeId: a, depth: 5, limit: 2 })).toMatchObject({ titles: 'ab', truncated: true })
    await agent.call('archive-memory', { memoryId: c })
    expect((await graph(person, { nodeId: a, depth: 5 })).titles).toBe('ab')
    expect(await graph(person, { nodeId: c })).toMatchObject({ titles: 'cbd', nodes: [{ live: false }, {}, {}] })
  })

  it('shows the best connected nodes without a node, then the more important ones', async () => {
    const { person, agent } = await start()
    await agent.write({ content: 'w', importance: 2 })
    const [a = '', b = ''] = await writeChain(agent, ['a', 'b', 'c'])
    await link(agent, b, await agent.write({ content: 'v', importance: 5 }))
    const gone = await agent.write('gone')
    await link(agent, b, gone)
    await agent.call('archive-memory', { memoryId: gone })
    expect(await graph(person)).toMatchObject({ titles: 'bvacw', totalNodes: 5, truncated: false })
    const best = await graph(person, { limit: 2 })
    expect(best).toMatchObject({ titles: 'bv', totalNodes: 5, truncated: true })
    expect(best.edges).toHaveLength(1)
    const { body } = await agent.call('create-note', { title: 'n', content: 'x' })
    await link(agent, String(body.noteId), a, { sourceType: 'note' })
    expect((await graph(person, { nodeId: String(body.noteId) })).titles).toBe('na')
  })

  it('can be filtered by nodes and links', async () => {
    const { person, agent } = await start()
    const fact = { memoryType: 'fact', agentId: 'scout' }
    const [hub, a] = [await agent.write({ content: 'h', ...fact }), await agent.write({ content: 'a', ...fact })]
    clock.advance(60_000)
    const middle = new Date(clock.now()).toISOString()
    const skill = { memoryType: 'skill', entities: ['Ferns'], agentId: 'codex' }
    const [b, gone] = [await agent.write({ content: 'b', ...skill }), await agent.write({ content: 'g', ...skill })]
    for (const id of [a, b, gone]) await link(agent, hub, id)
    await link(agent, b, a, { relationType: 'contradicts' })
    await agent.call('archive-memory', { memoryId: gone })
    const { body } = await agent.call('create-note', { title: 'n', content: '' })
    await link(agent, String(body.noteId), hub, { sourceType: 'note' })
    const titles = async (query: Record<string, unknown>) =>
      (await graph(person, query)).nodes
        .map(({ title }) => title)
        .toSorted()
        .join('')
    expect(await titles({})).toBe('abhn')
    expect(await titles({ state: 'all' })).toBe('abghn')
    expect((await graph(person, { state: 'all', nodeId: gone })).nodes).toMatchObject([{ live: false }, { live: true }])
    expect(await titles({ types: ['note', 'skill'] })).toBe('bn')
    expect(await titles({ entity: 'Ferns' })).toBe('b')
    expect(await titles({ agent: 'scout' })).toBe('ah')
    expect(await titles({ until: middle })).toBe('ah')
    expect(await titles({ since: middle })).toBe('bn')
    const contradicting = await graph(person, { relations: 'contradicts' })
    expect(contradicting).toMatchObject({ titles: 'ba', totalNodes: 2, edges: [{ sourceId: b, targetId: a }] })
    expect(await titles({ nodeId: hub, depth: 2, types: 'fact' })).toBe('ah')
    expect(await titles({ nodeId: b, depth: 2, relations: 'contradicts' })).toBe('ab')
    expect((await person.call('read-graph', { types: 'nonsense' })).status).toBe(400)
  })

  it('returns what several records are about on request, and counts it as a connection', async () => {
    const { person, agent } = await start()
    const alone = await agent.write({ content: 'a', importance: 5, entities: ['Moss'] })
    const [b, c] = [
      await agent.write({ content: 'b', entities: ['Ferns', 'Shade'] }),
      await agent.write({ content: 'c', entities: ['ferns'] }),
    ]
    const gone = await agent.write({ content: 'g', entities: ['Moss'] })
    await agent.call('archive-memory', { memoryId: gone })
    expect(await graph(person)).not.toHaveProperty('entities')
    const { titles, entities = [] } = await graph(person, { entities: true })
    expect(titles).toBe('bca')
    expect(entities).toMatchObject([{ name: expect.stringMatching(/^ferns$/i), count: 2, nodeIds: [b, c] }])
    expect(entities[0]?.id).not.toMatch(/ferns/i)
    const all = (await graph(person, { entities: true, state: 'all' })).entities ?? []
    expect(all.map(({ name }) => name.toLowerCase()).toSorted()).toEqual(['ferns', 'moss'])
    const around = (await graph(person, { entities: true, nodeId: b })).entities ?? []
    expect(around).toMatchObject([{ id: entities[0]?.id, count: 2, nodeIds: [b] }])
    expect((await graph(person, { entities: true, nodeId: alone })).entities).toEqual([])
  })

  it('says how each link was made', async () => {
    const { person, agent } = await start()
    const [a = '', b = ''] = await writeChain(agent, ['a', 'b'])
    expect((await graph(person)).edges).toMatchObject([{ sourceId: a, targetId: b, origin: 'agent' }])
    const path = await person.call('find-path', { sourceId: a, targetId: b })
    expect(path.body.edges).toMatchObject([{ origin: 'agent' }])
  })

  it('finds the shortest path between two nodes', async () => {
    const { person, agent } = await start()
    const [a = '', b = '', c = '', d = ''] = await writeChain(agent, ['a', 'b', 'c', 'd'])
    const way = async (query: object) => (await person.call('find-path', { sourceId: d, targetId: a, ...query })).body
    expect(await way({})).toMatchObject({
      nodes: ['d', 'c', 'b', 'a'].map((title, hop) => ({ title, hop })),
      edges: { length: 3 },
      truncated: false,
    })
    await link(agent, a, d, { relationType: 'contradicts' })
    expect(await way({})).toMatchObject({ nodes: [{ id: d }, { id: a }], edges: [{ sourceId: a, targetId: d }] })
    await agent.call('archive-memory', { memoryId: b })
    expect(await way({ relations: 'references' })).toEqual({ nodes: [], edges: [], truncated: false })
    expect(await way({ relations: 'references', state: 'all' })).toMatchObject({
      nodes: [{}, { id: c }, { live: false }, {}],
    })
    expect((await person.call('find-path', { sourceId: d, targetId: newId() })).status).toBe(404)
  })

  it('lists the links of a node, and links among nodes from several answers', async () => {
    const { person, agent } = await start()
    const [a = '', b = '', c = '', d = ''] = await writeChain(agent, ['a', 'b', 'c', 'd'])
    expect((await person.call('get-links', { nodeType: 'memory', nodeId: b, limit: 1 })).body).toMatchObject({
      links: [{ direction: 'outgoing', other: { title: 'c' } }],
      total: 2,
      hasMore: true,
    })
    const among = async (input: object) =>
      ((await person.call('find-links-among', { ids: [b], ...input })).body.edges as { sourceId: string }[]).length
    expect(await among({})).toBe(0)
    expect(await among({ otherIds: [a, c, d, newId()] })).toBe(2)
    expect(await among({ ids: [a, b, c, newId()] })).toBe(2)
    expect(await among({ otherIds: [a], relations: ['contradicts'] })).toBe(0)
  })

  it('lets people add links, marked as such, and remove them', async () => {
    const { person, agent } = await start()
    const [a, b] = [await agent.write('a'), await agent.write('b')]
    const ends = { sourceType: 'memory', sourceId: a, targetType: 'memory', targetId: b, relationType: 'contradicts' }
    const made = await person.call('add-link', { ...ends, label: 'not both' })
    expect(made).toMatchObject({
      status: 201,
      body: { ...ends, created: true },
    })
    const again = await person.call('add-link', ends)
    expect([again.status, again.body]).toEqual([200, { ...made.body, created: false, idempotent: true }])
    const { linkId } = made.body
    expect((await agent.call('get-links', { nodeType: 'memory', nodeId: b })).body.links).toMatchObject([
      { linkId, label: 'not both', origin: 'dashboard', direction: 'incoming' },
    ])
    expect(await person.call('remove-link', { linkId })).toMatchObject({ status: 200, body: { linkId, removed: true } })
    expect(await person.call('remove-link', { linkId })).toMatchObject({
      status: 200,
      body: { linkId, removed: false },
    })
    expect((await graph(person, { nodeId: a })).titles).toBe('a')
    expect(await person.call('add-link', { ...ends, targetId: a })).toMatchObject({ status: 400 })
  })

  it('does not remove links that are in the text of a note', async () => {
    const { person } = await start()
    await person.call('create-note', { title: 'Ferns' })
    const { body } = await person.call('create-note', { title: 'Shade', content: '[[Ferns]]' })
    const { edges } = await graph(person, { nodeId: body.noteId })
    expect(await person.call('remove-link', { linkId: edges[0]?.linkId })).toMatchObject({ status: 400 })
  })

  it('shows no node to another user', async () => {
    const [{ person, agent }, stranger] = [await start(), await makePerson(test())]
    const [a = '', b = ''] = await writeChain(agent, ['a', 'b'])
    const [edge] = (await graph(person)).edges
    expect(await graph(stranger)).toMatchObject({ nodes: [], edges: [], totalNodes: 0 })
    for (const nodeId of [a, newId()])
      expect(await stranger.call('read-graph', { nodeId })).toMatchObject({
        status: 404,
        body: { error: 'Node not found' },
      })
    const ends = { sourceType: 'memory', sourceId: a, targetType: 'memory', targetId: b, relationType: 'refines' }
    expect((await stranger.call('add-link', ends)).status).toBe(404)
    expect(await stranger.call('remove-link', { linkId: edge?.linkId })).toMatchObject({
      status: 404,
      body: { error: 'Link not found' },
    })
    expect((await stranger.call('find-path', ends)).status).toBe(404)
    expect((await stranger.call('get-links', { nodeType: 'memory', nodeId: a })).status).toBe(404)
    expect((await stranger.call('find-links-among', { ids: [a, b] })).body).toEqual({ edges: [], truncated: false })
    for (const name of ['read-graph', 'add-link', 'remove-link'])
      expect((await stranger.call(name, { ...ends, linkId: a, vaultId: person.user.vaultId })).status).toBe(404)
    expect((await graph(person)).edges).toHaveLength(1)
  })
})
