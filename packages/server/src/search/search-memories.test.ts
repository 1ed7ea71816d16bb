import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startTestApp, useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeMember, makeUser, makeVault } from '../../test/factories.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { countTurns } from '../core/testing/count-turns.ts'
import { sendJson } from '../core/testing/json-server.ts'
import { startFakeEndpoint, type FakeEndpoint } from '../embeddings/testing/fake-endpoint.ts'

const dayMs = 86_400_000

eachDialect('search-memories', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it("uses the vault's settings for values that the call leaves out", async () => {
    const agent = await startAgent(test(), { preset: 'admin' })
    for (let n = 0; n < 3; n++) await agent.write({ content: `The cat ${n} sleeps`, memoryType: 'episodic' })
    clock.advance(10 * dayMs)
    const detailsOf = async (more: Record<string, unknown> = {}) => {
      const { body } = await agent.call('search-memories', { query: 'cat', topK: 2, explain: true, ...more })
      const [first] = body.memories as { scoreDetails: { mmr: number | null; decay: number } }[]
      return [first?.scoreDetails.mmr === null, Number(first?.scoreDetails.decay.toFixed(4))]
    }
    expect(await detailsOf()).toEqual([false, 0.9794])
    await agent.call('update-settings', { settings: { diversity: 0, decayHalfLife: 10 } })
    expect(await detailsOf()).toEqual([true, 0.95])
    expect(await detailsOf({ diversity: 0.7, decayHalfLife: 30 })).toEqual([false, 0.9794])
  })

  it('runs one search in each turn of the event loop, also if they wait for the same index or the same write', async () => {
    const agent = await startAgent(test())
    for (let n = 0; n < 3; n++) await agent.write(`The heron ${n} waits`)
    const { indexes } = test().app.services
    const read = indexes.read.bind(indexes)
    const turn = countTurns()
    const turns: number[] = []
    const reading = vi.spyOn(indexes, 'read').mockImplementation((vault, work, beforeWork) => {
      const noting: typeof work = (index) => {
        if (beforeWork !== undefined) turns.push(turn())
        return work(index)
      }
      return read(vault, noting, beforeWork)
    })
    onTestFinished(() => reading.mockRestore())
    const turnsOf = async () => {
      turns.length = 0
      await Promise.all(Array.from({ length: 12 }, () => agent.call('search-memories', { query: 'heron' })))
      expect(turns).toHaveLength(12)
      return new Set(turns).size
    }
    await agent.write('The heron flies')
    expect(await turnsOf()).toBe(12)
    indexes.forget(agent.user.vaultId)
    expect(await turnsOf()).toBe(12)
  })

  it("takes turns by caller, so a member of a busy vault does not wait for all of its owner's searches", async () => {
    const agent = await startAgent(test())
    await agent.write('The heron waits')
    const { user } = agent
    const member = await makeUser(test())
    await makeMember(test(), user, member.userId, 'viewer')
    const { indexes } = test().app.services
    const read = indexes.read.bind(indexes)
    const [ownersArrived, allArrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const ran: number[] = []
    let arrived = 0
    const reading = vi.spyOn(indexes, 'read').mockImplementation((vault, work, beforeWork) =>
      read(vault, work, async () => {
        const place = ++arrived
        if (place === 20) ownersArrived.resolve()
        if (place === 21) allArrived.resolve()
        await allArrived.promise
        await beforeWork?.()
        ran.push(place)
      }),
    )
    onTestFinished(() => reading.mockRestore())
    const ofOwner = Array.from({ length: 20 }, () => agent.search('heron'))
    await ownersArrived.promise
    const question = { vaultId: user.vaultId, query: 'heron' }
    await test().call('preview-search', question, { key: member.dashboardToken })
    await Promise.all(ofOwner)
    expect(ran).toHaveLength(21)
    expect(ran.indexOf(21)).toBeLessThan(3)
  })

  it('does not find a vault that is deleted while the search waits for its turn', async () => {
    const agent = await startAgent(test())
    const vaultId = await makeVault(test(), agent.user)
    await agent.write({ content: 'The heron waits', vaultId })
    const { indexes } = test().app.services
    const read = indexes.read.bind(indexes)
    const remove = { id: vaultId, name: 'Second' }
    const reading = vi.spyOn(indexes, 'read').mockImplementationOnce((vault, work, beforeWork) =>
      read(vault, work, async () => {
        await beforeWork?.()
        expect((await test().call('delete-vault', remove, { key: agent.user.dashboardToken })).status).toBe(200)
      }),
    )
    onTestFinished(() => reading.mockRestore())
    const search = () => agent.call('search-memories', { query: 'heron', vaultId })
    const { status, body } = await search()
    expect([status, body]).toEqual([404, (await search()).body])
  })

  it('leaves out a record whose index entry is damaged, says so, and finds it again once it is changed', async () => {
    const agent = await startAgent(test())
    const [memoryId, other] = [await agent.write('The owl sleeps'), await agent.write('The owl hunts')]
    const { db, indexes } = test().app.services
    const stored = db.read.selectFrom('indexEntries').select('entry').where('itemId', '=', other)
    const { entry } = await stored.executeTakeFirstOrThrow()
    await db.write((tx) => tx.updateTable('indexEntries').set({ entry }).where('itemId', '=', memoryId).execute())
    indexes.forget(agent.user.vaultId)
    const { status, body } = await agent.call('search-memories', { query: 'owl' })
    expect([status, body]).toMatchObject([200, { memories: [{ memoryId: other }] }])
    expect(body['degraded']).toContainEqual({ leg: 'blind', reason: expect.stringContaining('damaged: 1 ') as unknown })
    const line = test()
      .log()
      .split('\n')
      .find((text) => text.includes('an index entry is damaged'))
    expect(line).toContain(memoryId)
    expect(line).not.toContain('owl')
    await agent.call('update-memory', { memoryId, content: 'The owl sleeps now' })
    const { body: whole } = await agent.call('search-memories', { query: 'owl' })
    expect(whole['memories']).toHaveLength(2)
    expect(whole['degraded']).not.toContainEqual(expect.objectContaining({ leg: 'blind' }))
  })

  it('returns full records, best first, with how they were found', async () => {
    const agent = await startAgent(test())
    const best = await agent.write({
      content: 'The espresso machine needs descaling',
      summary: 'Coffee',
      entities: ['Kitchen'],
    })
    const weaker = await agent.write('The washing machine is new')
    await agent.write('The garden has roses')
    const { status, body } = await agent.call('search-memories', { query: 'espresso machine' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      searchMode: 'blind_only',
      degraded: [{ leg: 'semantic', reason: expect.stringContaining('no embedding provider') }],
      unitsUsed: 1,
      embeddingTokens: 0,
      semanticMatchCount: 0,
      blindIndexMatchCount: 2,
      graphExpansionCount: 0,
    })
    expect(body.memories).toMatchObject([
      {
        memoryId: best,
        content: 'The espresso machine needs descaling',
        summary: 'Coffee',
        entities: ['Kitchen'],
        similarity: null,
        matchSources: ['blind'],
      },
      { memoryId: weaker },
    ])
    const [first, second] = body.memories as { score: number }[]
    expect(first?.score).toBeGreaterThan(second?.score ?? Infinity)
    expect(first).not.toHaveProperty('scoreDetails')
  })

  it('finds what was written a moment ago, each time', async () => {
    const agent = await startAgent(test())
    for (let round = 0; round < 5; round++) {
      const id = await agent.write(`Round ${round} mentions the zeppelin${round}`)
      expect(await agent.search(`zeppelin${round}`)).toEqual([id])
    }
    const burst = await Promise.all(Array.from({ length: 20 }, (_, n) => agent.write(`Burst ${n} about dirigibles`)))
    expect((await agent.search('dirigibles', { topK: 50 })).toSorted()).toEqual(burst.toSorted())
  })

  it('searches only one vault of one person', async () => {
    const agent = await startAgent(test())
    const stranger = await startAgent(test())
    const vaultId = await makeVault(test(), agent.user)
    const here = await agent.write('A shared word: xylophone')
    const there = await agent.write({ content: 'A shared word: xylophone', vaultId })
    await stranger.write('A shared word: xylophone')
    expect(await agent.search('xylophone')).toEqual([here])
    expect(await agent.search('xylophone', { vaultId })).toEqual([there])
  })

  it('returns as many as requested', async () => {
    const agent = await startAgent(test())
    await Promise.all(Array.from({ length: 15 }, (_, n) => agent.write(`Candidate ${n} about submarines`)))
    expect(await agent.search('submarines')).toHaveLength(10)
    expect(await agent.search('submarines', { topK: 3 })).toHaveLength(3)
    expect(await agent.search('submarines', { topK: 50 })).toHaveLength(15)
  })

  it('returns an empty result without an error', async () => {
    const agent = await startAgent(test())
    expect(await agent.search('anything')).toEqual([])
    await agent.write('The cat sleeps')
    for (const query of ['zzzz', '???', ' ', 'the of and', '🦊', '\u0000', "'; drop table memories; --"])
      expect(await agent.search(query)).toEqual([])
  })

  it('finds by the words of the summary and in other forms of a word', async () => {
    const agent = await startAgent(test())
    const id = await agent.write({ content: 'Boil it twice', summary: 'Preparing chickpeas' })
    expect(await agent.search('prepare chickpea')).toEqual([id])
  })

  it('filters by type, types, entity and importance', async () => {
    const agent = await startAgent(test())
    const base = { content: 'About lanterns' }
    const fact = await agent.write({ ...base, memoryType: 'fact', importance: 1, entities: ['Ada Lovelace'] })
    const skill = await agent.write({ ...base, memoryType: 'skill', importance: 3, entities: ['Grace'] })
    const task = await agent.write({ ...base, memoryType: 'task', importance: 5 })
    const found = async (filter: object) => (await agent.search('lanterns', { ...filter })).toSorted()
    expect(await found({})).toEqual([fact, skill, task].toSorted())
    expect(await found({ memoryType: 'skill' })).toEqual([skill])
    expect(await found({ memoryTypes: ['fact', 'task'] })).toEqual([fact, task].toSorted())
    expect(await found({ minImportance: 3 })).toEqual([skill, task].toSorted())
    expect(await found({ entities: ['Ada Lovelace'] })).toEqual([fact])
    expect(await found({ entities: ['ada lovelace', 'Grace'] })).toEqual([fact, skill].toSorted())
    expect(await found({ entities: ['Ada'] })).toEqual([])
    expect(await found({ memoryType: 'skill', minImportance: 4 })).toEqual([])
  })

  it('filters by when a memory was stored: from one time, and before another', async () => {
    const agent = await startAgent(test())
    const first = await agent.write('First about harbours')
    const firstAt = clock.iso()
    clock.advance(1_000)
    const second = await agent.write('Second about harbours')
    const secondAt = clock.iso()
    const found = async (filter: object) => (await agent.search('harbours', { ...filter })).toSorted()
    expect(await found({ createdAfter: firstAt })).toEqual([first, second].toSorted())
    expect(await found({ createdAfter: secondAt })).toEqual([second])
    expect(await found({ createdBefore: secondAt })).toEqual([first])
    expect(await found({ createdAfter: secondAt, createdBefore: secondAt })).toEqual([])
  })

  it('never finds archived, expired or superseded memories', async () => {
    const agent = await startAgent(test())
    const archived = await agent.write('Archived falcon')
    await agent.call('archive-memory', { memoryId: archived })
    const expired = [
      await agent.write({ content: 'Expired falcon', expiresAt: clock.iso(1) }),
      await agent.write({ content: 'Expired from the start, falcon', expiresAt: clock.iso(-1) }),
    ]
    const old = await agent.write('Superseded falcon')
    const newer = await agent.write({ content: 'Newer falcon', supersededById: old, occurredAt: clock.iso(30 * dayMs) })
    clock.advance(1)
    expect(await agent.search('falcon')).toEqual([newer])
    // Expired memories count as archived, even before the job has archived them.
    const all = (await agent.search('falcon', { includeArchived: true })).toSorted()
    expect(all).toEqual([archived, ...expired, newer].toSorted())
  })

  it('searches as of an earlier day: without later memories, with those superseded only later', async () => {
    const agent = await startAgent(test())
    const old = await agent.write({ content: 'The office is in Berlin', expiresAt: clock.iso(20 * dayMs) })
    clock.advance(10 * dayMs)
    const newer = await agent.write({ content: 'The office is in Hamburg', supersededById: old })
    expect(await agent.search('office')).toEqual([newer])
    expect(await agent.search('office', { asOf: clock.iso(-5 * dayMs) })).toEqual([old])
    expect(await agent.search('office', { asOf: clock.iso(-11 * dayMs) })).toEqual([])
    expect(await agent.search('office', { asOf: clock.iso(30 * dayMs) })).toEqual([newer])
  })

  it('does not treat an entity that is a common word as a name in other texts', async () => {
    const agent = await startAgent(test())
    const tabs = await agent.write({ content: 'The user prefers tabs over spaces in Go code.', entities: ['Go'] })
    await agent.write('On Fridays we often go to Luigi')
    expect(await agent.search('tabs or spaces?')).toEqual([tabs])
  })

  it('returns summaries instead of contents on request, if there are any', async () => {
    const agent = await startAgent(test())
    await agent.write({ content: 'A long text about volcanoes', summary: 'Volcanoes' })
    await agent.write('A text about volcanoes without a summary')
    const { body } = await agent.call('search-memories', { query: 'volcanoes', summaryOnly: true })
    const shown = (body.memories as Record<string, unknown>[]).map(({ summary, content }) => [summary, content])
    expect(shown).toContainEqual(['Volcanoes', undefined])
    expect(shown).toContainEqual([null, 'A text about volcanoes without a summary'])
  })

  it('explains its scores on request', async () => {
    const agent = await startAgent(test())
    await agent.write({ content: 'Explained lighthouse', importance: 4 })
    const { body } = await agent.call('search-memories', { query: 'lighthouse', explain: true })
    expect(body.memories).toMatchObject([
      {
        scoreDetails: {
          semanticRank: null,
          blindRank: 1,
          graphRank: null,
          rrf: expect.any(Number),
          decay: expect.any(Number),
          importance: expect.any(Number),
          mmr: 0.65,
        },
      },
    ])
  })

  it('finds linked memories that share no word with the question', async () => {
    const agent = await startAgent(test())
    const linked = await agent.write('Ask Miriam on the second floor')
    const hit = await agent.write({ content: 'How to get a parking permit', relatedMemoryIds: [linked] })
    const { body } = await agent.call('search-memories', { query: 'parking permit' })
    expect((body.memories as object[]).slice(0, 2)).toMatchObject([
      { memoryId: hit, relatedMemories: [{ memoryId: linked, relationType: 'references' }] },
      { memoryId: linked, matchSources: ['graph'] },
    ])
    expect(body.graphExpansionCount).toBe(1)
    await agent.call('archive-memory', { memoryId: linked })
    expect(await agent.search('parking permit')).toEqual([hit])
  })

  it('finds memories named in the texts of the hits, under their current name', async () => {
    const agent = await startAgent(test())
    const hit = await agent.write('The parking permit comes from Miriam Vale')
    const named = await agent.write({ content: 'Second floor, door 12', entities: ['Miriam Vale'] })
    const { body } = await agent.call('search-memories', { query: 'parking permit' })
    expect(body.memories).toMatchObject([{ memoryId: hit }, { memoryId: named, matchSources: ['graph'] }])
    await agent.call('update-memory', { memoryId: named, entities: ['Someone Else'] })
    expect(await agent.search('parking permit')).toEqual([hit])
  })

  it('counts returned memories as read', async () => {
    const agent = await startAgent(test())
    const id = await agent.write('Counted nightingale')
    await agent.search('nightingale')
    await test().app.services.lastUsed.flush()
    expect(await agent.read(id)).toMatchObject({ accessCount: 1, version: 1 })
  })
})

describe('with an embedding service', () => {
  let endpoint: FakeEndpoint
  beforeAll(async () => {
    endpoint = await startFakeEndpoint()
  })
  afterAll(() => endpoint.close())

  const startWithService = () =>
    startTestApp({
      config: { embeddings: { provider: 'openai', url: endpoint.url, key: undefined, model: 'hashed-trigrams' } },
    })

  it('finds by similarity as well as by words, and says so', async () => {
    endpoint.reset()
    const agent = await startAgent(await startWithService())
    const id = await agent.write('photosynthesis of underwater plants')
    const { body } = await agent.call('search-memories', {
      query: 'photosynthesising underwater plantlife',
      threshold: 0.2,
    })
    expect(body).toMatchObject({ searchMode: 'hybrid', degraded: [], semanticMatchCount: 1 })
    expect(body.embeddingTokens).toBeGreaterThan(0)
    expect(body.memories).toMatchObject([
      { memoryId: id, similarity: expect.any(Number), matchSources: expect.arrayContaining(['semantic', 'blind']) },
    ])
  })

  it('applies the threshold to similarity, and never to a hit by words', async () => {
    endpoint.reset()
    const agent = await startAgent(await startWithService())
    const id = await agent.write('A single pelican among many other words that make this text unlike the question')
    const { body } = await agent.call('search-memories', { query: 'pelican', threshold: 1 })
    expect(body).toMatchObject({ semanticMatchCount: 0, memories: [{ memoryId: id, matchSources: ['blind'] }] })
  })

  it('returns the nearest although they are not similar, unless the threshold is above the default', async () => {
    endpoint.reset()
    const test = await startWithService()
    const agent = await startAgent(test)
    for (let i = 0; i < 20; i++) await agent.write(`cormorants number ${i} and herons wade through the shallows`)
    const found = async (more: object) =>
      (await agent.call('search-memories', { query: 'corm shall', ...more })).body.memories as { similarity: number }[]
    const nearest = await found({ threshold: 0.4 })
    expect(nearest.length).toBeGreaterThan(0)
    expect(nearest.length).toBeLessThanOrEqual(4)
    expect(nearest.filter(({ similarity }) => similarity >= 0.4)).toEqual([])
    expect(await found({ threshold: 0.41 })).toEqual([])
    const { vaultId, dashboardToken } = agent.user
    const listed = await test.call('list-memories', { vaultId, q: 'corm shall' }, { key: dashboardToken })
    expect(listed.body).toMatchObject({ total: 0, memories: [] })
  })

  it('writes and searches by words while the service is down, and says so', async () => {
    endpoint.reset()
    const agent = await startAgent(await startWithService())
    endpoint.respond = (_seen, response) => sendJson(response, { error: 'planted words of the service' }, 500)
    const id = await agent.write('Written in the dark')
    const { status, body, text } = await agent.call('search-memories', { query: 'dark' })
    expect([status, body]).toMatchObject([200, { searchMode: 'blind_only', memories: [{ memoryId: id }] }])
    expect(body.degraded).toContainEqual({ leg: 'semantic', reason: expect.any(String) })
    expect(text).not.toContain('planted')
  })
})

describe('diversity', () => {
  const test = useTestApp()

  it('replaces a near copy by a different memory, but not at 0', async () => {
    const agent = await startAgent(test())
    const text = 'The heron fishes at dawn by the river bank near the mill'
    const twins = [await agent.write(text), await agent.write(`${text}.`)]
    const other = await agent.write('A heron was seen on the roof')
    const best = async (diversity: number) =>
      (await agent.search('heron dawn river', { diversity, topK: 2 })).toSorted()
    expect(await best(0)).toEqual(twins.toSorted())
    const diverse = await best(1)
    expect(diverse).toContain(other)
    expect(diverse.filter((id) => twins.includes(id))).toHaveLength(1)
  })
})
