import { expect, it, vi } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'

interface Item {
  memories: { memoryId: string; excerpt: string; integrationId: string }[]
  label: string | null
  similarity: number | null
  former: { version: number } | null
  changes: { field: string; before: string | null; after: string | null }[]
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
    const { status, body, text } = await asPerson(agent).call('list-review', { kind, ...more })
    expect([200, text]).toEqual([status, text])
    return body as unknown as {
      items: Item[]
      total: number
      hasMore: boolean
      next: number | null
      after: string | null
      looked: number | null
      counts: object
      trusted: object
    }
  }
  /** All pages: in a large vault, one ends after a fixed time, wherever the comparison is then. */
  const browseDuplicates = async (agent: TestAgent) => {
    const pages = [await browse(agent, 'duplicate')]
    for (let page = pages[0]; page?.hasMore; pages.push(page))
      page = await browse(agent, 'duplicate', { after: page.after })
    return {
      items: pages.flatMap(({ items }) => items),
      looked: pages.reduce((sum, { looked }) => sum + (looked ?? 0), 0),
      last: pages.at(-1),
    }
  }
  const idsOf = ({ items }: { items: Item[] }) => items.map(({ memories }) => memories.map(({ memoryId }) => memoryId))
  const decide = async (agent: TestAgent, kind: string, ids: string[], decision = 'keep') =>
    (await asPerson(agent).call('decide-review', { kind, ids, decision })).status

  it('lists live memories that contradict each other, until a person dismisses them', async () => {
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

  it('lists what agents changed of a person’s memories and tasks, until a person keeps it or restores their text', async () => {
    const agent = await startAgent(test(), { label: 'codex' })
    const write = async (name: string, input: object) => (await asPerson(agent).call(name, input)).body
    const { memoryId } = await write('write-memory', { content: `${'Long. '.repeat(700)}Never push.`, importance: 5 })
    const { taskId } = await write('create-task', { title: 'Rotate', doneWhen: 'all verify' })
    const changeAll = async () => {
      clock.advance(1)
      await agent.call('update-memory', { memoryId, content: `${'Long. '.repeat(700)}Always push.`, importance: 1 })
      clock.advance(1)
      await agent.call('update-task', { taskId, doneWhen: 'never' })
    }
    // Not what an agent wrote itself, nor what only moved on.
    await agent.call('update-memory', { memoryId: await agent.write('mine'), content: 'mine, too' })
    await agent.call('update-task', { taskId, status: 'in_progress', comment: 'on it' })
    expect(await browse(agent, 'changed')).toMatchObject({ items: [], total: 0, counts: { changed: 0 } })
    await changeAll()
    const found = await browse(agent, 'changed')
    expect(found).toMatchObject({ total: 2, counts: { changed: 2 } })
    expect(idsOf(found)).toEqual([[taskId], [memoryId]])
    expect(found.items).toMatchObject([
      {
        former: { trust: 'user_authored', writtenBy: { integrationId: null } },
        changes: [{ field: 'doneWhen', before: 'all verify', after: 'never' }],
      },
      {
        memories: [{ changedBy: { agentId: 'codex' } }],
        changes: [{ field: 'content' }, { field: 'importance', before: '5', after: '1' }],
      },
    ])
    const [text] = found.items[1]?.changes ?? []
    expect([text?.before, text?.after]).toEqual([
      expect.stringMatching(/^… .{1,400}Never push\.$/),
      expect.stringMatching(/^… .{1,400}Always push\.$/),
    ])
    const overview = await asPerson(agent).call('read-overview', {})
    expect(overview.body).toMatchObject({ overview: { waiting: { review: { changed: 2 } } } })

    const keep = { kind: 'changed', ids: [memoryId], decision: 'keep' }
    expect((await asPerson(agent).call('decide-review', { ...keep, expectedVersion: 1 })).status).toBe(409)
    expect((await asPerson(agent).call('decide-review', { ...keep, expectedVersion: 2 })).status).toBe(200)
    expect(await decide(agent, 'changed', [String(taskId)])).toBe(200)
    expect(await browse(agent, 'changed')).toMatchObject({ items: [], total: 0 })
    await agent.call('update-task', { taskId, status: 'done' })
    expect((await browse(agent, 'changed')).total).toBe(0)
    expect(await decide(agent, 'changed', [String(taskId)], 'reopen')).toBe(200)
    expect(idsOf(await browse(agent, 'changed'))).toEqual([[taskId]])
    await agent.call('update-memory', { memoryId, importance: 2 })
    expect(idsOf(await browse(agent, 'changed'))).toEqual([[memoryId], [taskId]])

    const version = (await browse(agent, 'changed')).items[0]?.former?.version
    expect((await asPerson(agent).call('update-memory', { memoryId, fromVersion: version })).status).toBe(200)
    expect(idsOf(await browse(agent, 'changed'))).toEqual([[taskId]])
    await asPerson(agent).call('archive-memories', { ids: [taskId] })
    expect((await browse(agent, 'changed')).total).toBe(0)
  })

  it('lists memories with low confidence page by page, only by agents', async () => {
    const agent = await startAgent(test())
    const written: string[] = []
    for (const content of ['dogs pay', 'cats pay', 'birds pay'])
      written.push(await agent.write({ content, confidence: 2 }))
    await agent.write({ content: 'children pay half', confidence: 3 })
    await asPerson(agent).call('write-memory', { content: 'I guess so', confidence: 1 })
    const first = await browse(agent, 'unsure', { limit: 2 })
    expect(first).toMatchObject({ total: 3, hasMore: true, next: 2 })
    const second = await browse(agent, 'unsure', { limit: 2, offset: first.next })
    expect([...idsOf(first), ...idsOf(second)].flat().toSorted()).toEqual(written.toSorted())
    const [one = '', other = '', last = ''] = written
    expect(await decide(agent, 'unsure', [one])).toBe(200)
    await asPerson(agent).call('update-memories', { ids: [other], confidence: 5 })
    expect(idsOf(await browse(agent, 'unsure'))).toEqual([[last]])
  })

  it('accepts the guesses of an agent until a person wants to review them again', async () => {
    const agent = await startAgent(test())
    const stranger = await startAgent(test())
    const guess = await agent.write({ content: 'dogs pay', confidence: 1 })
    const { items, trusted } = await browse(agent, 'unsure')
    const integrationId = items[0]?.memories[0]?.integrationId
    expect(trusted).toEqual({})
    const trust = async (isTrusted: boolean, who = agent, id = integrationId) =>
      (await asPerson(who).call('trust-integration', { integrationId: id, trusted: isTrusted })).status
    expect(await trust(true)).toBe(200)
    expect(await trust(true)).toBe(200)
    await agent.write({ content: 'cats pay', confidence: 1 })
    expect(await browse(agent, 'unsure')).toMatchObject({
      items: [],
      trusted: { [integrationId ?? '']: expect.any(String) },
      counts: { unsure: 0 },
    })
    expect(await trust(true, stranger)).toBe(404)
    expect(await trust(true, agent, guess)).toBe(404)
    expect(await trust(false)).toBe(200)
    expect(await browse(agent, 'unsure')).toMatchObject({ total: 2, trusted: {} })
    await trust(true)
    const key = agent.user.dashboardToken
    expect((await test().call('delete-integration', { id: integrationId }, { key })).status).toBe(200)
    expect(await browse(agent, 'unsure')).toMatchObject({ total: 2, trusted: {} })
    expect(await trust(true)).toBe(404)
  })

  it('finds likely duplicates, and remembers dismissed ones', async () => {
    const agent = await startAgent(test())
    const ends = [await agent.write('The harbour master is Ingrid Solheim, who answers mail within a day.')]
    await agent.write('Route 7 sails every forty minutes in winter.')
    ends.push(await agent.write('The harbour master is Ingrid Solheim; she answers mail within one day.'))
    await agent.write({ content: 'A quiet night, all boards answered.', memoryType: 'episodic' })
    await agent.write({ content: 'A quiet night, all boards answered.', memoryType: 'episodic' })
    const found = await browseDuplicates(agent)
    expect(idsOf(found)).toEqual([ends.toReversed()])
    expect(found.items[0]?.similarity).toBeGreaterThan(0.5)
    expect(found).toMatchObject({ looked: 5, last: { hasMore: false, next: null, total: 5 } })
    for (const left of [ends, ends.slice(1)]) {
      expect(await decide(agent, 'duplicate', left)).toBe(200)
      expect((await browseDuplicates(agent)).items).toEqual([])
      expect(await decide(agent, 'duplicate', left, 'reopen')).toBe(200)
      expect((await browseDuplicates(agent)).items).toHaveLength(1)
    }
  })

  it('compares a small vault completely, however slow the server is', async () => {
    const agent = await startAgent(test())
    for (const port of ['Bergen', 'Tromsø', 'Bodø']) await agent.write(`The ferry to ${port} has its own timetable.`)
    const now = performance.now.bind(performance)
    let waited = 0
    const slow = vi.spyOn(performance, 'now').mockImplementation(() => now() + (waited += 1_000))
    try {
      expect(await browse(agent, 'duplicate')).toMatchObject({ looked: 3, hasMore: false })
    } finally {
      slow.mockRestore()
    }
  })

  it('continues at the same place, whatever was merged or erased in the meantime', async () => {
    const agent = await startAgent(test(), { preset: 'admin' })
    const newestFirst: string[][] = []
    for (const text of [
      'Ferries to the northern islands leave at noon on weekdays in winter.',
      'Ingrid repairs violins beside the market hall every second Thursday.',
      'The orchard needs water twice a week while July stays dry.',
      'Lanterns along the quay burn paraffin that Olaf buys from Bergen.',
      'Bicycles must be carried up the eastern stairs, never ridden there.',
    ]) {
      const [older, newer] = [await agent.write(text), await agent.write(`${text} Really!`)]
      newestFirst.unshift([newer, older])
    }
    const found: string[][] = []
    const statuses = new Set<number>()
    let after: string | null = null
    for (;;) {
      const page = await browse(agent, 'duplicate', { limit: 1, ...(after !== null && { after }) })
      const [pair] = idsOf(page)
      if (pair !== undefined) {
        found.push(pair)
        const [newer = '', older = ''] = pair
        for (const [name, input] of [
          ['merge-memories', { id: older, otherIds: [newer] }],
          ['archive-memories', { ids: [newer] }],
          ['erase-memory', { id: newer }],
        ] as const)
          statuses.add((await asPerson(agent).call(name, input)).status)
      }
      if (!page.hasMore) break
      after = page.after
    }
    expect(found).toEqual(newestFirst)
    expect([...statuses]).toEqual([200])
  })

  it('forgets decisions about a memory that is deleted permanently', async () => {
    const agent = await startAgent(test(), { preset: 'admin' })
    const call = async (name: string, input: object) => (await asPerson(agent).call(name, input)).status
    const [kept, gone] = [await agent.write({ content: 'dogs pay', confidence: 1 }), await agent.write('cats pay')]
    await call('decide-review', { kind: 'unsure', ids: [kept], decision: 'keep' })
    await call('decide-review', { kind: 'duplicate', ids: [kept, gone], decision: 'keep' })
    await call('decide-review', { kind: 'contradiction', ids: [gone, kept], decision: 'keep' })
    const { db } = test().app.services
    const decided = async () => {
      const { vaultId } = agent.user
      return (await db.read.selectFrom('reviewDecisions').selectAll().where('vaultId', '=', vaultId).execute()).length
    }
    expect(await decided()).toBe(3)
    expect(await call('archive-memories', { ids: [gone] })).toBe(200)
    expect(await call('erase-memory', { id: gone })).toBe(200)
    expect(await decided()).toBe(1)
  })

  it('rejects the wrong kind of page parameter and says which one to use', async () => {
    const agent = await startAgent(test())
    const ask = async (input: object) => (await asPerson(agent).call('list-review', input)).body
    expect(await ask({ kind: 'duplicate', offset: 5 })).toMatchObject({ fields: { offset: expect.any(String) } })
    expect(await ask({ kind: 'duplicate', after: '5' })).toMatchObject({ fields: { after: expect.any(String) } })
    const place = `5.${crypto.randomUUID()}`
    expect(await ask({ kind: 'unsure', after: place })).toMatchObject({ fields: { after: expect.any(String) } })
  })

  it('merges: the kept one gets names and links of both and supersedes the other', async () => {
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
    // A merged memory cannot be merged again, and neither can a task.
    const again = await asPerson(agent).call('merge-memories', { id: neighbour, otherIds: [other] })
    expect(again.status).toBe(400)
    const task = (await agent.call('create-task', { title: 'Ask Ingrid' })).body.taskId
    expect((await asPerson(agent).call('merge-memories', { id: one, otherIds: [task] })).status).toBe(400)
  })

  it('merges all given memories or none', async () => {
    const agent = await startAgent(test())
    const kept = await agent.write('Violets want shade.')
    const other = await agent.write('Roses bloom in June every year.')
    const { taskId } = (await agent.call('create-task', { title: 'Cut the trees' })).body
    const merge = { id: kept, otherIds: [other, taskId] }
    expect((await asPerson(agent).call('merge-memories', merge)).status).toBe(400)
    expect(await agent.read(other)).toMatchObject({ supersededById: null })
  })

  it('merges into a memory that is edited at the same time, and loses neither change', async () => {
    const agent = await startAgent(test())
    for (let round = 0; round < 5; round++) {
      const kept = await agent.write({ content: `Shed ${round} is locked at night.`, entities: ['shed'] })
      const other = await agent.write({ content: `At night somebody locks shed ${round}.`, entities: ['night'] })
      const [edit, merge] = await Promise.all([
        agent.call('update-memory', { memoryId: kept, importance: 5, entities: ['key'] }),
        asPerson(agent).call('merge-memories', { id: kept, otherIds: [other] }),
      ])
      expect([edit.status, merge.status]).toEqual([200, 200])
      const { importance, entities } = await agent.read(kept)
      expect([importance, entities]).toEqual([5, expect.arrayContaining(['key'])])
    }
  })

  it('moves all links of a hub', async () => {
    const agent = await startAgent(test())
    const hub = await agent.write('The pier has many boards.')
    const kept = await agent.write('Many boards hang at the pier.')
    const relations = ['derived_from', 'contradicts', 'refines', 'part_of', 'source_of', 'references']
    const boards = 90
    for (let n = 0; n < boards; n++) {
      const relatedMemoryIds = relations.map((relationType) => ({ memoryId: hub, relationType }))
      await agent.write({ content: `Board ${n} is lit.`, relatedMemoryIds })
    }
    expect((await asPerson(agent).call('merge-memories', { id: kept, otherIds: [hub] })).status).toBe(200)
    const { body } = await agent.call('get-links', {
      nodeType: 'memory',
      nodeId: kept,
      direction: 'incoming',
      limit: 1,
    })
    expect(body.total).toBe(boards * relations.length)
  })

  it('rejects missing memories and those of other users', async () => {
    const [agent, stranger] = [await startAgent(test()), await startAgent(test())]
    const [mine, theirs] = [await agent.write('mine'), await stranger.write({ content: 'theirs', confidence: 1 })]
    expect(await decide(agent, 'unsure', [theirs])).toBe(404)
    expect((await asPerson(agent).call('merge-memories', { id: mine, otherIds: [theirs] })).status).toBe(404)
    expect((await browse(agent, 'unsure')).items).toEqual([])
    expect((await browse(stranger, 'unsure')).total).toBe(1)
  })
})
