import { describe, expect, it } from 'vitest'
import { startTestApp, useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { link, writeChain } from './testing/link-memories.ts'

interface Node {
  id: string
  hop: number
  degree: number
  title: string
  score?: number
}

interface Edge {
  linkId: string
  sourceId: string
  targetId: string
  label: string | null
}

interface Explored {
  entryPoints: Node[]
  nodes: Node[]
  edges: Edge[]
  stats: Record<string, unknown>
}

async function explore(agent: TestAgent, body: Record<string, unknown>): Promise<Explored> {
  const answer = await agent.call('explore-graph', body)
  expect([200, answer.text]).toEqual([answer.status, answer.text])
  const { nodes, edges, stats } = answer.body as unknown as Explored
  const ids = new Set(nodes.map(({ id }) => id))
  for (const { sourceId, targetId } of edges) expect([ids.has(sourceId), ids.has(targetId)]).toEqual([true, true])
  expect(stats).toMatchObject({ totalNodes: nodes.length, totalEdges: edges.length })
  return answer.body as unknown as Explored
}

describe('exploring the graph', () => {
  const test = useTestApp()

  it('starts from a node and goes to the requested distance', async () => {
    const agent = await startAgent(test())
    const ids = await writeChain(agent, ['violets', 'wet stone', 'falcon', 'copper'])
    const [first = ''] = ids
    const { entryPoints, nodes, edges, stats } = await explore(agent, { nodeId: first })
    expect(entryPoints).toEqual([{ id: first, type: 'memory', title: 'violets' }])
    expect(nodes.map(({ id, hop, degree }) => [id, hop, degree])).toEqual([
      [ids[0], 0, 1],
      [ids[1], 1, 2],
      [ids[2], 2, 2],
    ])
    expect(nodes[0]).toEqual({
      id: first,
      type: 'memory',
      title: 'violets',
      memoryType: 'fact',
      importance: 3,
      hop: 0,
      degree: 1,
    })
    expect(edges.map(({ sourceId, targetId }) => [sourceId, targetId])).toEqual([
      [ids[0], ids[1]],
      [ids[1], ids[2]],
    ])
    expect(stats).toEqual({ totalNodes: 3, totalEdges: 2, maxHopReached: 2, truncated: false })
    expect((await explore(agent, { nodeId: ids[3], maxHops: 5 })).nodes).toHaveLength(4)
    expect((await explore(agent, { nodeId: first, maxHops: 1 })).nodes).toHaveLength(2)
    const two = await explore(agent, { nodeId: first, maxHops: 3, maxNodes: 2 })
    expect(two.stats).toEqual({ totalNodes: 2, totalEdges: 1, maxHopReached: 1, truncated: true })
  })

  it('goes from notes to memories and back, and through no trashed note', async () => {
    const agent = await startAgent(test())
    const createNote = async (title: string, content: string) =>
      String((await agent.call('create-note', { title, content })).body.noteId)
    const [named, naming] = [await createNote('Birds', 'violets'), await createNote('Index', 'see [[Birds]]')]
    const memory = await agent.write('falcons fly')
    await link(agent, memory, named, { targetType: 'note', relationType: 'derived_from' })
    const links = { [naming]: 'wiki_link', [memory]: 'derived_from' }
    const { nodes, edges } = await explore(agent, { nodeId: named })
    expect(nodes[0]).toEqual({ id: named, type: 'note', title: 'Birds', hop: 0, degree: 2 })
    expect(nodes.map(({ id }) => id)).toEqual([named, memory, naming])
    for (const { sourceId, ...edge } of edges) expect(edge).toMatchObject({ relationType: links[sourceId] })
    expect(await agent.call('get-links', { nodeType: 'note', nodeId: naming })).toMatchObject({
      body: { links: [{ other: { id: named, type: 'note', title: 'Birds', live: true } }] },
    })
    expect((await explore(agent, { query: 'violets', nodeType: 'note' })).entryPoints[0]?.id).toBe(named)
    expect((await explore(agent, { query: 'violets', nodeType: 'memory' })).entryPoints).toEqual([])
    await agent.call('delete-note', { noteId: named })
    expect((await explore(agent, { nodeId: memory })).nodes).toHaveLength(1)
    expect((await agent.call('explore-graph', { nodeId: named, nodeType: 'note' })).body.error).toBe('Note not found')
  })

  it('starts from the best hits of a query, at most five, best first', async () => {
    const agent = await startAgent(test())
    const [found = '', linked = ''] = await writeChain(agent, ['the falcon flies', 'wet stone'])
    const one = await explore(agent, { query: 'falcon', maxHops: 1 })
    expect(one.entryPoints).toMatchObject([{ id: found, score: expect.any(Number) }])
    expect(one.nodes.map(({ id, hop }) => [id, hop])).toEqual([
      [found, 0],
      [linked, 1],
    ])
    for (let n = 0; n < 7; n++) await agent.write(`another falcon, number ${n}`)
    const five = await explore(agent, { query: 'falcon' })
    expect(five.entryPoints).toHaveLength(5)
    const scores = five.entryPoints.map(({ score = 0 }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect((await explore(agent, { query: 'falcon', maxNodes: 1 })).nodes).toHaveLength(1)
  })

  it('returns nothing if a query finds nothing', async () => {
    const agent = await startAgent(test())
    await agent.write('violets')
    expect(await explore(agent, { query: 'unheard-of' })).toMatchObject({
      entryPoints: [],
      nodes: [],
      edges: [],
      stats: { totalNodes: 0, totalEdges: 0, maxHopReached: 0, truncated: false },
    })
  })

  it('returns labels and relations of links, each link once', async () => {
    const agent = await startAgent(test())
    const [a = '', b = ''] = await writeChain(agent, ['violets', 'wet stone'])
    await link(agent, b, a, { relationType: 'contradicts', label: 'not so' })
    const { edges } = await explore(agent, { nodeId: a })
    expect(edges).toMatchObject([
      { sourceId: a, targetId: b, relationType: 'references', label: null },
      { sourceId: b, targetId: a, relationType: 'contradicts', label: 'not so' },
    ])
    expect(edges.every((edge) => !('origin' in edge) && edge.linkId !== '')).toBe(true)
  })

  it('passes through nothing that is archived, expired or superseded, and forgets removed links', async () => {
    const clock = makeClock()
    const timed = await startTestApp({ now: clock.now })
    const agent = await startAgent(timed)
    const [start, archived, superseded, kept] = await Promise.all(
      ['start', 'archived', 'superseded', 'kept'].map((content) => agent.write(content)),
    )
    const expiring = await agent.write({ content: 'expiring', expiresAt: clock.iso(1000) })
    const beyond = await agent.write('beyond')
    if (start === undefined || archived === undefined || superseded === undefined || kept === undefined)
      throw new RangeError('four memories')
    for (const id of [archived, superseded, expiring]) {
      await link(agent, start, id)
      await link(agent, id, beyond)
    }
    await link(agent, kept, start)
    expect((await explore(agent, { nodeId: start })).nodes).toHaveLength(6)
    await agent.call('archive-memory', { memoryId: archived })
    const successor = await agent.write({ content: 'successor', supersededById: superseded })
    clock.advance(1000)
    const { nodes } = await explore(agent, { nodeId: start })
    expect(nodes.map(({ id }) => id)).toEqual([start, kept])
    for (const memoryId of [archived, superseded, expiring])
      expect(await agent.call('explore-graph', { nodeId: memoryId })).toMatchObject({
        status: 404,
        body: { error: 'Node not found' },
      })
    expect((await explore(agent, { nodeId: successor })).nodes).toHaveLength(1)
    await agent.call('remove-link', { sourceId: kept, targetId: start, relationType: 'references' })
    expect((await explore(agent, { nodeId: start })).nodes).toHaveLength(1)
  })

  it('finds no node that is missing, foreign, in another vault or of another type', async () => {
    const agent = await startAgent(test())
    const own = await agent.write('mine')
    const stranger = await (await startAgent(test())).write('theirs')
    const elsewhere = await agent.write({ content: 'x', vaultId: await makeVault(test(), agent.user) })
    for (const nodeId of [newId(), stranger, elsewhere]) {
      const call = (more: object) => agent.call('explore-graph', { nodeId, ...more })
      expect(await call({})).toMatchObject({ status: 404, body: { error: 'Node not found' } })
      expect(await call({ nodeType: 'memory' })).toMatchObject({ status: 404, body: { error: 'Memory not found' } })
    }
    expect(await agent.call('explore-graph', { nodeId: own, nodeType: 'note' })).toMatchObject({
      status: 404,
      body: { error: 'Note not found' },
    })
  })

  it('asks for a query or a node', async () => {
    const agent = await startAgent(test())
    expect(await agent.call('explore-graph', { maxHops: 2 })).toMatchObject({
      status: 400,
      body: { fields: { query: 'required without nodeId' } },
    })
  })

  it('returns the same answer each time, and at most 200 nodes of a hub', async () => {
    const agent = await startAgent(test())
    const hub = await agent.write('hub')
    const ids = await Promise.all(Array.from({ length: 230 }, (_, n) => agent.write(`spoke ${n}`)))
    await Promise.all(ids.map((id) => link(agent, hub, id)))
    const first = await explore(agent, { nodeId: hub, maxNodes: 200, maxHops: 5 })
    expect(first.stats).toEqual({ totalNodes: 200, totalEdges: 199, maxHopReached: 1, truncated: true })
    expect(first.nodes[0]?.degree).toBe(230)
    expect(await explore(agent, { nodeId: hub, maxNodes: 200, maxHops: 5 })).toEqual(first)
  })
})

eachDialect('the graph', (dialect) => {
  it('is explored on every database', async () => {
    const test = await startTestApp({ dialect })
    const agent = await startAgent(test)
    const ids = await writeChain(agent, ['violets', 'wet stone', 'falcon'])
    const { nodes, edges } = await explore(agent, { query: 'violets' })
    expect(nodes.map(({ id }) => id)).toEqual(ids)
    expect(edges).toHaveLength(2)
  })
})
