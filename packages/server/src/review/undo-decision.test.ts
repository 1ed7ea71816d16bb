import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeClock, type TestAgent } from '../../test/scenarios.ts'
import { proposing, type Item } from './testing/proposing.ts'

eachDialect('a decision can be undone', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })
  const { start, asPerson, personWrites, review, only, decide } = proposing(test, clock)
  const undo = (agent: TestAgent, kind: string, ids: string[], token: unknown) =>
    asPerson(agent, 'decide-review', { kind, ids, decision: 'undo', undo: token })
  /** Accepts the only proposal, takes that back, and returns the ids of what waits then. */
  const acceptAndUndo = async (agent: TestAgent, between: () => Promise<void>) => {
    const item = await only(agent)
    const { version, proposalId } = item.proposal
    const accepted = await decide(agent, 'accept', item, { expectedVersion: version })
    expect([200, accepted.text]).toEqual([accepted.status, accepted.text])
    expect((await review(agent)).total).toBe(0)
    await between()
    const undone = await undo(agent, 'proposal', [proposalId], accepted.body['undo'])
    expect([200, undone.text]).toEqual([undone.status, undone.text])
    expect((await only(agent)).proposal.proposalId).toBe(proposalId)
    // Once is enough.
    expect((await undo(agent, 'proposal', [proposalId], accepted.body['undo'])).status).toBe(409)
    await decide(agent, 'reject', await only(agent))
  }

  it('that accepted a change of a memory, its end or its successor: the proposal waits again', async () => {
    const agent = await start()
    const memoryId = await personWrites(agent, { content: 'Never push on Fridays.', importance: 4 })
    const reads = (expected: object) => async () => expect(await agent.read(memoryId)).toMatchObject(expected)
    const mine = { content: 'Never push on Fridays.', status: 'active', supersededById: null, importance: 4 }
    await agent.call('update-memory', { memoryId, content: 'Always push.', importance: 1 })
    await acceptAndUndo(agent, reads({ content: 'Always push.', importance: 1 }))
    await reads({ ...mine, source: { trust: 'user_authored' } })()
    await agent.call('archive-memory', { memoryId })
    await acceptAndUndo(agent, reads({ status: 'archived' }))
    await reads(mine)()
    await agent.call('write-memory', { content: 'Push when you like.', supersededById: memoryId })
    await acceptAndUndo(agent, reads({ supersededById: expect.any(String) }))
    await reads(mine)()
    expect(await agent.search('Push when you like')).toEqual([memoryId])
  })

  it('that accepted a change of a task or note, or its way into the trash', async () => {
    const agent = await start()
    const { taskId } = (await asPerson(agent, 'create-task', { title: 'Rotate', doneWhen: 'All verify.' })).body
    const doneWhen = async () => (await agent.call('list-tasks', {})).body['tasks']
    await agent.call('update-task', { taskId, doneWhen: 'Never.' })
    await acceptAndUndo(agent, async () => expect(await doneWhen()).toMatchObject([{ doneWhen: 'Never.' }]))
    expect(await doneWhen()).toMatchObject([{ doneWhen: 'All verify.' }])
    const { noteId } = (await asPerson(agent, 'create-note', { title: 'Plan', content: 'One.' })).body
    const note = async () => (await agent.call('read-note', { noteId })).body['note']
    await agent.call('update-note', { noteId, content: 'Two.' })
    await acceptAndUndo(agent, async () => expect(await note()).toMatchObject({ content: 'Two.' }))
    expect(await note()).toMatchObject({ content: 'One.' })
    await agent.call('delete-note', { noteId })
    await acceptAndUndo(agent, async () => expect(await note()).toMatchObject({ status: 'trashed' }))
    expect(await note()).toMatchObject({ status: 'active', content: 'One.' })
  })

  it('that rejected proposals, alone or together', async () => {
    const agent = await start()
    const memoryId = await personWrites(agent, { content: 'Tea at four.' })
    for (const content of ['Tea at five.', 'Tea at six.']) await agent.call('update-memory', { memoryId, content })
    const ids = (await review(agent)).items.map(({ proposal }) => proposal.proposalId)
    const decideAll = (decision: string) => asPerson(agent, 'decide-review', { kind: 'proposal', ids, decision })
    expect((await decideAll('reject')).status).toBe(200)
    expect((await review(agent)).total).toBe(0)
    expect((await decideAll('reopen')).body).toMatchObject({ ids: ids.toSorted() })
    expect((await review(agent)).total).toBe(2)
  })

  it('unless the record has changed since, and only in its vault', async () => {
    const agent = await start()
    const memoryId = await personWrites(agent, { content: 'Tea at four.' })
    await agent.call('update-memory', { memoryId, content: 'Tea at five.' })
    const item = await only(agent)
    const { body } = await decide(agent, 'accept', item)
    const ids = [item.proposal.proposalId]
    for (const token of ['', 'AAAA', String(body['undo']).slice(0, -4)])
      expect((await undo(agent, 'proposal', ids, token)).status).toBe(400)
    expect((await asPerson(agent, 'decide-review', { kind: 'proposal', ids, decision: 'undo' })).status).toBe(400)
    expect((await undo(await start(), 'proposal', ids, body['undo'])).status).toBe(400)
    await asPerson(agent, 'update-memory', { memoryId, content: 'Tea at six.' })
    expect((await undo(agent, 'proposal', ids, body['undo'])).status).toBe(409)
    expect(await agent.read(memoryId)).toMatchObject({ content: 'Tea at six.' })
  })

  it('about what an agent removed, which waits for a decision again', async () => {
    const agent = await start({ writePolicy: { persons: 'yes', agents: 'yes' } })
    const removed = async () =>
      (await review(agent, 'removed')).items as unknown as (Item & { removed: { recordId: string; how: string } })[]
    const archived = await personWrites(agent, { content: 'Archive me.' })
    const superseded = await personWrites(agent, { content: 'Replace me.' })
    const expired = await personWrites(agent, { content: 'End.' })
    const { noteId } = (await asPerson(agent, 'create-note', { title: 'Plan', content: 'One.' })).body
    await agent.call('archive-memory', { memoryId: archived, reason: 'Old' })
    await agent.call('write-memory', { content: 'Replaced.', supersededById: superseded })
    await agent.call('update-memory', { memoryId: expired, expiresAt: '2020-01-01T00:00:00Z' })
    await agent.call('delete-note', { noteId })
    const before = await removed()
    expect(before).toHaveLength(4)
    const howOf = (items: typeof before) => new Map(items.map(({ removed: { recordId, how } }) => [recordId, how]))
    for (const decision of ['keep', 'restore'])
      for (const {
        removed: { recordId },
      } of before) {
        const decided = await asPerson(agent, 'decide-review', { kind: 'removed', ids: [recordId], decision })
        expect(await removed()).toHaveLength(3)
        const { status, text } = await undo(agent, 'removed', [recordId], decided.body['undo'])
        expect([200, text]).toEqual([status, text])
        expect([decision, howOf(await removed())]).toEqual([decision, howOf(before)])
      }
    expect(await agent.search('Archive me.')).not.toContain(archived)
    expect(await agent.read(superseded)).toMatchObject({ supersededById: expect.any(String) })
  })

  it('that kept a removal, unless the record was restored since', async () => {
    const agent = await start({ writePolicy: { persons: 'yes', agents: 'yes' } })
    const memoryId = await personWrites(agent, { content: 'Archive me.' })
    const noteId = String((await asPerson(agent, 'create-note', { title: 'Plan', content: 'One.' })).body['noteId'])
    await agent.call('archive-memory', { memoryId })
    await agent.call('delete-note', { noteId })
    const keep = async (id: string) =>
      (await asPerson(agent, 'decide-review', { kind: 'removed', ids: [id], decision: 'keep' })).body['undo']
    const [ofMemory, ofNote] = [await keep(memoryId), await keep(noteId)]
    await asPerson(agent, 'update-memories', { ids: [memoryId], archived: false })
    await asPerson(agent, 'restore-note', { id: noteId })
    expect((await undo(agent, 'removed', [memoryId], ofMemory)).status).toBe(409)
    expect((await undo(agent, 'removed', [noteId], ofNote)).status).toBe(409)
    expect((await review(agent, 'removed')).total).toBe(0)
  })

  it('that merged memories: each has its own entities, importance and links again', async () => {
    const agent = await start()
    const neighbour = await agent.write('Ingrid knows the tides.')
    const kept = await personWrites(agent, { content: 'Ingrid is the harbour master.', entities: ['Ingrid'] })
    const other = await agent.write({
      content: 'The harbour master is Ingrid.',
      entities: ['harbour'],
      importance: 5,
      relatedMemoryIds: [{ memoryId: neighbour, relationType: 'refines' }],
    })
    const links = async () =>
      (await agent.call('get-links', { nodeType: 'memory', nodeId: kept, direction: 'both' })).body['links']
    const before = await agent.read(kept)
    const { body } = await asPerson(agent, 'merge-memories', { id: kept, otherIds: [other] })
    expect(await links()).toHaveLength(2)
    expect(await agent.read(kept)).toMatchObject({ importance: 5, source: { trust: 'agent_authored' } })
    const undone = await undo(agent, 'duplicate', [kept, other], body['undo'])
    expect([200, undone.text]).toEqual([undone.status, undone.text])
    expect(await agent.read(other)).toMatchObject({ status: 'active', supersededById: null })
    const { entities, importance, supersedesId, source, content } = before
    expect(await agent.read(kept)).toMatchObject({ entities, importance, supersedesId, source, content })
    expect(await links()).toEqual([])
    expect(await agent.search('harbour master')).toEqual(expect.arrayContaining([kept, other]))
    expect((await undo(agent, 'duplicate', [kept, other], body['undo'])).status).toBe(409)
  })

  it('but no merge in whose middle someone changed the memory, because their change would be undone, too', async () => {
    const agent = await start()
    const kept = await personWrites(agent, { content: 'Gulls nest on the roof.', importance: 2 })
    const other = await personWrites(agent, { content: 'On the roof, gulls nest.', importance: 3 })
    const { db } = test().app.services
    const write = db.write.bind(db)
    db.write = async (work) => {
      db.write = write
      await asPerson(agent, 'update-memory', { memoryId: kept, importance: 5 })
      return write(work)
    }
    const { body } = await asPerson(agent, 'merge-memories', { id: kept, otherIds: [other] })
    expect(body).toMatchObject({ mergedIds: [other], undo: null, memory: { importance: 5 } })
  })
})
