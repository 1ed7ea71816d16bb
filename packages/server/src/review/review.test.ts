import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'

interface Item {
  memories: { memoryId: string; excerpt: string }[]
  label: string | null
  similarity: number | null
}

eachDialect('review', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })
  const asPerson = ({ user }: TestAgent) => ({
    call: async (name: string, input: object) => {
      clock.advance(1)
      return test().call(name, { vaultId: user.vaultId, ...input }, { key: user.dashboardToken })
    },
  })
  const browse = async (agent: TestAgent, kind: string, more: object = {}) => {
    const { status, body, text } = await asPerson(agent).call('browse-review', { kind, ...more })
    expect([200, text]).toEqual([status, text])
    return body as unknown as { items: Item[]; total: number; hasMore: boolean; next: number; counts: object }
  }
  const idsOf = ({ items }: { items: Item[] }) => items.map(({ memories }) => memories.map(({ memoryId }) => memoryId))
  const decide = async (agent: TestAgent, kind: string, ids: string[], decision = 'keep') =>
    (await asPerson(agent).call('decide-review', { kind, ids, decision })).status

  it('tells of live memories that contradict each other, until somebody leaves them so', async () => {
    const agent = await startAgent(test())
    const old = await agent.write('The fare for bicycles is 4.50.')
    const contradiction = { memoryId: old, relationType: 'contradicts', label: 'the poster' }
    const poster = await agent.write({ content: 'A poster says 4.00.', relatedMemoryIds: [contradiction] })
    const gone = await agent.write({ content: 'Somebody says 5.00.', relatedMemoryIds: [contradiction] })
    await agent.call('archive-memory', { memoryId: gone })
    const before = await browse(agent, 'contradiction')
    expect(before).toMatchObject({ total: 1, hasMore: false, counts: { contradiction: 1, unsure: 0 } })
    expect(idsOf(before)).toEqual([[poster, old]])
    expect(before.items[0]).toMatchObject({ label: 'the poster', memories: [{ excerpt: 'A poster says 4.00.' }, {}] })
    expect(await decide(agent, 'contradiction', [old, poster])).toBe(200)
    expect(await browse(agent, 'contradiction')).toMatchObject({ items: [], total: 0 })
    expect(await decide(agent, 'contradiction', [poster, old], 'reopen')).toBe(200)
    expect(idsOf(await browse(agent, 'contradiction'))).toEqual([[poster, old]])
    const overview = await asPerson(agent).call('read-overview', {})
    expect(overview.body).toMatchObject({ overview: { waiting: { review: { contradiction: 1, unsure: 0 } } } })
  })

  it('tells of what agents were hardly sure of, page by page, and not of what people wrote', async () => {
    const agent = await startAgent(test())
    const written: string[] = []
    for (const content of ['dogs pay', 'cats pay', 'birds pay'])
      written.push(await agent.write({ content, confidence: 2 }))
    await agent.write({ content: 'children pay half', confidence: 3 })
    await asPerson(agent).call('add-memory', { content: 'I guess so', confidence: 1 })
    const first = await browse(agent, 'unsure', { limit: 2 })
    expect(first).toMatchObject({ total: 3, hasMore: true, next: 2 })
    const second = await browse(agent, 'unsure', { limit: 2, offset: first.next })
    expect([...idsOf(first), ...idsOf(second)].flat().toSorted()).toEqual(written.toSorted())
    const [one = '', other = '', last = ''] = written
    expect(await decide(agent, 'unsure', [one])).toBe(200)
    await asPerson(agent).call('rate-memories', { ids: [other], confidence: 5 })
    expect(idsOf(await browse(agent, 'unsure'))).toEqual([[last]])
  })

  it('looks for what may say the same, and remembers what does not', async () => {
    const agent = await startAgent(test())
    const ends = [await agent.write('The harbour master is Ingrid Solheim, who answers mail within a day.')]
    await agent.write('Route 7 sails every forty minutes in winter.')
    ends.push(await agent.write('The harbour master is Ingrid Solheim; she answers mail within one day.'))
    await agent.write({ content: 'A quiet night, all boards answered.', memoryType: 'episodic' })
    await agent.write({ content: 'A quiet night, all boards answered.', memoryType: 'episodic' })
    const found = await browse(agent, 'duplicate')
    expect(idsOf(found)).toEqual([ends.toReversed()])
    expect(found.items[0]?.similarity).toBeGreaterThan(0.5)
    expect(found).toMatchObject({ hasMore: false, next: 5 })
    for (const left of [ends, ends.slice(1)]) {
      expect(await decide(agent, 'duplicate', left)).toBe(200)
      expect((await browse(agent, 'duplicate')).items).toEqual([])
      expect(await decide(agent, 'duplicate', left, 'reopen')).toBe(200)
      expect((await browse(agent, 'duplicate')).items).toHaveLength(1)
    }
  })

  it('merges: the kept one has names and links of both, the other is superseded by it', async () => {
    const agent = await startAgent(test())
    const neighbour = await agent.write('Ingrid knows the tides.')
    const one = await agent.write({ content: 'Ingrid is the harbour master.', entities: ['Ingrid'] })
    const other = await agent.write({
      content: 'The harbour master is Ingrid.',
      entities: ['harbour'],
      importance: 5,
      relatedMemoryIds: [{ memoryId: neighbour, relationType: 'refines', label: 'tides' }],
    })
    await agent.call('add-link', {
      sourceType: 'memory',
      sourceId: other,
      targetType: 'memory',
      targetId: one,
      relationType: 'contradicts',
    })
    const { status, body } = await asPerson(agent).call('merge-memories', { id: one, otherIds: [other] })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      mergedIds: [other],
      memory: { entities: ['Ingrid', 'harbour'], importance: 5, supersedesId: other },
    })
    const links = (await agent.call('get-links', { nodeType: 'memory', nodeId: one, direction: 'outgoing' })).body.links
    expect(links).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ targetId: neighbour, relationType: 'refines', label: 'tides' }),
      ]),
    )
    expect(await agent.read(other)).toMatchObject({ supersededById: one })
    expect(await agent.search('harbour master')).not.toContain(other)
    expect((await browse(agent, 'contradiction')).items).toEqual([])
    // What was merged already cannot be merged into another one, nor can a task.
    const again = await asPerson(agent).call('merge-memories', { id: neighbour, otherIds: [other] })
    expect(again.status).toBe(400)
    const task = (await agent.call('create-task', { title: 'Ask Ingrid' })).body.taskId
    expect((await asPerson(agent).call('merge-memories', { id: one, otherIds: [task] })).status).toBe(400)
  })

  it('refuses what is not there or is somebody else’s', async () => {
    const [agent, stranger] = [await startAgent(test()), await startAgent(test())]
    const [mine, theirs] = [await agent.write('mine'), await stranger.write({ content: 'theirs', confidence: 1 })]
    expect(await decide(agent, 'unsure', [theirs])).toBe(404)
    expect((await asPerson(agent).call('merge-memories', { id: mine, otherIds: [theirs] })).status).toBe(404)
    expect((await browse(agent, 'unsure')).items).toEqual([])
    expect((await browse(stranger, 'unsure')).total).toBe(1)
  })
})
