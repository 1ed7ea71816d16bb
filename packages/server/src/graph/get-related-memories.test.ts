import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { makeVault } from '../../test/factories.ts'
import { startAgent, type TestAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { link, writeChain } from './testing/link-memories.ts'

describe('related memories', () => {
  const test = useTestApp()
  interface Related {
    memoryId: string
    content: string
    relationType: string
    direction: string
    hops: number
    path: Record<string, unknown>[]
  }
  const relatedTo = async (agent: TestAgent, memoryId: string, more: Record<string, unknown> = {}) => {
    const { body, text } = await agent.call('get-related-memories', { memoryId, ...more })
    expect(body.memories, text).toBeDefined()
    return { ...body, memories: body.memories as Related[], total: body.total }
  }

  it('are returned in full, with the path that leads to them', async () => {
    const agent = await startAgent(test())
    const [a = '', b = '', c = ''] = await writeChain(agent, ['violets', 'wet stone', 'falcon'])
    const one = await relatedTo(agent, b)
    expect(one).toMatchObject({ memoryId: b, total: 2, hasMore: false, truncated: false })
    expect(new Map(one.memories.map((memory) => [memory.memoryId, memory.direction]))).toEqual(
      new Map([
        [a, 'incoming'],
        [c, 'outgoing'],
      ]),
    )
    const far = await relatedTo(agent, a, { maxHops: 3 })
    expect(far.memories.map(({ memoryId, content, hops }) => [memoryId, content, hops])).toEqual([
      [b, 'wet stone', 1],
      [c, 'falcon', 2],
    ])
    const step = { type: 'memory', relationType: 'references', direction: 'outgoing' }
    expect(far.memories[1]).toMatchObject({
      relationType: 'references',
      direction: 'outgoing',
      path: [
        { id: b, ...step },
        { id: c, ...step },
      ],
      relatedMemories: [],
      status: 'active',
    })
    expect((await relatedTo(agent, a)).memories).toHaveLength(1)
  })

  it('can be filtered by relation, and are listed in pages', async () => {
    const agent = await startAgent(test())
    const [start, ...others] = await Promise.all(['start', 'a', 'b', 'c'].map((content) => agent.write(content)))
    if (start === undefined) throw new RangeError('four memories')
    for (const [n, id] of others.entries())
      await link(agent, start, id, { relationType: n === 0 ? 'contradicts' : 'refines' })
    const refining = await relatedTo(agent, start, { relationTypes: ['refines'] })
    expect(refining.memories.map(({ memoryId }) => memoryId).toSorted()).toEqual(others.slice(1).toSorted())
    const pages = [await relatedTo(agent, start, { limit: 2 }), await relatedTo(agent, start, { limit: 2, offset: 2 })]
    expect(pages).toMatchObject([
      { total: 3, hasMore: true },
      { total: 3, hasMore: false },
    ])
    expect(new Set(pages.flatMap(({ memories }) => memories.map(({ memoryId }) => memoryId)))).toEqual(new Set(others))
  })

  it('can be linked through a note', async () => {
    const agent = await startAgent(test())
    const { noteId } = (await agent.call('create-note', { title: 'Birds', content: 'violets' })).body
    const [a, b] = [await agent.write('falcons'), await agent.write('copper')]
    for (const id of [a, b]) await link(agent, id, String(noteId), { targetType: 'note', relationType: 'derived_from' })
    expect((await relatedTo(agent, a)).total).toBe(0)
    const { memories, total } = await relatedTo(agent, a, { maxHops: 2 })
    expect([memories.map(({ memoryId }) => memoryId), total]).toEqual([[b], 1])
    expect(memories[0]?.path).toEqual([
      { id: noteId, type: 'note', relationType: 'derived_from', direction: 'outgoing' },
      { id: b, type: 'memory', relationType: 'derived_from', direction: 'incoming' },
    ])
  })

  it('leave out records that are not live, but can be read for an archived memory', async () => {
    const agent = await startAgent(test())
    const [a = '', b = ''] = await writeChain(agent, ['violets', 'wet stone'])
    await agent.call('archive-memory', { memoryId: b })
    expect((await relatedTo(agent, a)).total).toBe(0)
    expect((await relatedTo(agent, b)).memories).toMatchObject([{ memoryId: a, direction: 'incoming' }])
  })

  it('are not returned for a memory that is missing, foreign or in another vault', async () => {
    const agent = await startAgent(test())
    const stranger = await (await startAgent(test())).write('theirs')
    const elsewhere = await agent.write({ content: 'x', vaultId: await makeVault(test(), agent.user) })
    for (const memoryId of [newId(), stranger, elsewhere])
      expect(await agent.call('get-related-memories', { memoryId })).toMatchObject({
        status: 404,
        body: { error: 'Memory not found' },
      })
  })
})
