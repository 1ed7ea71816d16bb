import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeClock } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { asSealed } from '../crypto/cell.ts'
import { applyRetention } from '../jobs/apply-retention.ts'
import { proposing, type Item } from './testing/proposing.ts'

eachDialect('what agents propose', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })
  const { start, asPerson, personWrites, review, only, decide } = proposing(test, clock)

  it('leave the person’s memory as it is until the person accepts, and are then the agent’s change', async () => {
    const agent = await start()
    const memoryId = await personWrites(agent, { content: 'Never push on Fridays.', importance: 4 })
    const before = await agent.read(memoryId)
    const change = { memoryId, content: 'Always push on Fridays.' }
    const first = await agent.call('update-memory', change)
    expect(first).toMatchObject({
      status: 200,
      body: { memoryId, updated: false, version: 1, proposal: { status: 'pending', recordId: memoryId } },
    })
    expect(await agent.read(memoryId)).toEqual({
      ...before,
      accessCount: expect.any(Number),
      lastAccessedAt: before.lastAccessedAt,
    })
    expect(await agent.search('Always push')).toEqual([memoryId])
    const item = await only(agent)
    expect(item).toMatchObject({
      kind: 'proposal',
      memories: [{ memoryId }],
      changes: [{ field: 'content', before: 'Never push on Fridays.', after: 'Always push on Fridays.' }],
      proposal: { effect: 'change', version: 1, isOutdated: false, problem: null, by: { agentId: 'codex' } },
    })
    expect((await review(agent)).counts).toMatchObject({ proposal: 1, changed: 0 })

    expect((await decide(agent, 'accept', item, { expectedVersion: 1 })).status).toBe(200)
    expect(await agent.read(memoryId)).toMatchObject({
      content: 'Always push on Fridays.',
      version: 2,
      source: { trust: 'agent_authored' },
      changedBy: { agentId: 'codex', route: 'update-memory' },
    })
    // Once is enough: neither the proposal nor the change comes back, and deciding again changes nothing.
    expect((await review(agent, 'changed')).counts).toMatchObject({ proposal: 0, changed: 0, removed: 0 })
    expect((await decide(agent, 'accept', item, { expectedVersion: 1 })).status).toBe(200)
    expect((await decide(agent, 'reject', item)).status).toBe(409)
    expect(await agent.read(memoryId)).toMatchObject({ version: 2 })
    const { body } = await asPerson(agent, 'read-memory-history', { id: memoryId })
    expect(body.versions).toMatchObject([{ version: 1, trust: 'user_authored' }])
  })

  it('never end a memory by an update, whose text could still change or which would end another one too', async () => {
    const agent = await start()
    const rule = await personWrites(agent, { content: 'Never deploy on Fridays.' })
    const typo = await personWrites(agent, { content: 'The shop opnes at nine.' })
    const own = await agent.write({ content: 'A harmless text about deploying.' })
    for (const memoryId of [typo, own])
      expect(await agent.call('update-memory', { memoryId, content: 'Fixed.', supersededById: rule })).toMatchObject({
        status: 400,
        body: { fields: { supersededById: expect.stringContaining('write-memory') } },
      })
    expect((await review(agent)).total).toBe(0)
    expect(await agent.search('deploy Fridays')).toContain(rule)
  })

  it('are needed again to change or hide what replaced a person’s memory', async () => {
    const agent = await start()
    const rule = await personWrites(agent, { content: 'Deploy only after a review.' })
    await agent.call('write-memory', { content: 'Deploy after two reviews.', supersededById: rule })
    expect((await decide(agent, 'accept', await only(agent))).status).toBe(200)
    const [successor = ''] = await agent.search('Deploy after reviews')
    expect(successor).not.toBe(rule)
    const pending = { proposal: { status: 'pending', recordId: successor } }
    const changes = [
      ['update-memory', { memoryId: successor, content: 'Deploy at once.' }],
      ['archive-memory', { memoryId: successor }],
      ['write-memory', { content: 'Deploy at any time.', supersededById: successor }],
    ] as const
    for (const [name, input] of changes) expect((await agent.call(name, input)).body).toMatchObject(pending)
    expect((await review(agent)).total).toBe(changes.length)
    clock.advance(30 * 86_400_000)
    expect((await agent.call('cleanup-memories', { olderThanDays: 7, dryRun: false })).body).toMatchObject({
      skippedProtected: 1,
    })
    expect(await agent.search('Deploy')).toEqual([successor])
  })

  it('are not accepted if another memory has taken their idempotency key', async () => {
    const agent = await start()
    const rule = await personWrites(agent, { content: 'Deploy only after a review.' })
    const key = { externalWriteId: 'k1' }
    await agent.call('write-memory', { content: 'Deploy after two reviews.', supersededById: rule, ...key })
    expect((await agent.call('write-memory', { content: 'Something else.', ...key })).status).toBe(201)
    const item = await only(agent)
    expect(await decide(agent, 'accept', item)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('Reject') },
    })
    expect((await decide(agent, 'reject', item)).status).toBe(200)
  })

  it('are stored once, and stay rejected while the record says the same', async () => {
    const agent = await start()
    const memoryId = await personWrites(agent, { content: 'Tea at four.' })
    const call = async () =>
      (await agent.call('update-memory', { memoryId, summary: 'Coffee' })).body.proposal as Record<string, string>
    const { proposalId } = await call()
    expect(await call()).toMatchObject({ proposalId, status: 'pending' })
    const item = await only(agent)
    expect((await decide(agent, 'reject', item)).status).toBe(200)
    expect((await decide(agent, 'reject', item)).status).toBe(200)
    expect((await decide(agent, 'accept', item)).status).toBe(409)
    expect(await call()).toMatchObject({ proposalId, status: 'rejected', message: expect.stringContaining('rejected') })
    expect((await review(agent)).total).toBe(0)
    await asPerson(agent, 'update-memory', { memoryId, content: 'Tea at five.' })
    expect(await call()).toMatchObject({ status: 'pending' })
    expect((await only(agent)).proposal.proposalId).not.toBe(proposalId)
  })

  it('are one proposal with the latest reason, however often the agent gives another', async () => {
    const agent = await start()
    const memoryId = await personWrites(agent, { content: 'Tea at four.' })
    const propose = async (writeReason: string | undefined) =>
      (await agent.call('update-memory', { memoryId, content: 'Coffee at four.', writeReason })).body.proposal as {
        proposalId: string
        status: string
      }
    await propose('I read it somewhere')
    const first = await only(agent)
    clock.advance(60_000)
    const { proposalId, status } = await propose('The person said so')
    expect(status).toBe('pending')
    const latest = await only(agent)
    // Who accepts what they have seen doesn't store another reason.
    expect(proposalId).not.toBe(first.proposal.proposalId)
    expect((await decide(agent, 'accept', first)).status).toBe(404)
    expect(await agent.read(memoryId)).toMatchObject({ content: 'Tea at four.' })
    expect(latest.proposal).toMatchObject({ proposalId, reason: 'The person said so', by: first.proposal.by })
    for (const wholeTag of [undefined, first.proposal.wholeTag])
      expect((await decide(agent, 'accept', latest, { wholeTag })).status).toBe(409)
    // Archiving has a reason of its own.
    for (const reason of ['Old', 'Wrong']) await agent.call('archive-memory', { memoryId, reason })
    const reasons = (await review(agent)).items.map(({ proposal }) => proposal.reason)
    expect(reasons).toEqual(['The person said so', 'Wrong'])
    expect((await decide(agent, 'reject', latest)).status).toBe(200)
    expect(await propose('Please')).toMatchObject({ proposalId, status: 'rejected' })
    expect((await review(agent)).total).toBe(1)
  })

  it('are rejected together, exactly those that the person has seen and that still wait', async () => {
    const agent = await start()
    const { db } = test().app.services
    const ids = [await personWrites(agent, { content: 'One.' }), await personWrites(agent, { content: 'Two.' })]
    const { noteId } = (await asPerson(agent, 'create-note', { title: 'Plan', content: 'Three.' })).body
    for (const memoryId of ids) await agent.call('update-memory', { memoryId, content: 'Flood.' })
    await agent.call('update-note', { noteId, content: 'Flood.' })
    const { items: all, proposed } = await review(agent)
    expect(Object.values(proposed)).toEqual([3])
    const seen = all.map(({ proposal }) => proposal.proposalId)
    const [withdrawn = '', damaged = ''] = seen
    const rejected = seen.slice(1)
    await db.write(async (tx) => {
      const of = (id: string) =>
        tx.updateTable('proposals').where('userId', '=', agent.user.userId).where('id', '=', id)
      await of(withdrawn).set({ status: 'withdrawn' }).execute()
      await of(damaged)
        .set({ body: asSealed(randomBytes(64)) })
        .execute()
    })
    await agent.call('update-memory', { memoryId: ids[1], content: 'Nobody has seen this.' })
    const reject = (who: typeof agent, of: string[], decision = 'reject') =>
      asPerson(who, 'decide-review', { kind: 'proposal', ids: of, decision })
    expect((await reject(agent, seen, 'accept')).status).toBe(400)
    expect((await reject(agent, Array.from({ length: 101 }, newId))).status).toBe(400)
    expect((await asPerson(agent, 'decide-review', { kind: 'unsure', ids: seen, decision: 'keep' })).status).toBe(400)
    expect((await reject(agent, [withdrawn])).status).toBe(409)
    expect((await reject(await start(), seen)).body).toMatchObject({ ids: [] })
    expect(await reject(agent, seen)).toMatchObject({ status: 200, body: { ids: rejected } })
    const { activity } = (await asPerson(agent, 'list-activity', { operation: 'decide-review' })).body
    expect((activity as object[])[0]).toMatchObject({ status: 200, records: 2 })
    expect(await reject(agent, seen)).toMatchObject({ status: 200, body: { ids: rejected } })
    const { total, items } = await review(agent)
    expect([total, items[0]?.changes[0]?.after]).toEqual([1, 'Nobody has seen this.'])
    const again = await agent.call('update-note', { noteId, content: 'Flood.' })
    expect(again.body.proposal).toMatchObject({ status: 'rejected' })
  })

  it('keep a memory that would supersede a person’s out of every answer', async () => {
    const agent = await start()
    const rule = await personWrites(agent, { content: 'Deploy only after a review.', memoryType: 'constraint' })
    const write = {
      content: 'Deploy zebrafast without any review.',
      memoryType: 'constraint',
      supersededById: rule,
      externalWriteId: 'zebra',
    }
    const { status, body } = await agent.call('write-memory', write)
    expect([status, body]).toMatchObject([
      200,
      { memoryId: rule, created: false, version: 1, proposal: { recordId: rule } },
    ])
    expect((await agent.call('write-memory', { ...write, content: 'Another zebrafast text.' })).body.proposal).toEqual(
      body.proposal,
    )
    // Clients make a new idempotency key for each call.
    expect((await agent.call('write-memory', { ...write, externalWriteId: 'yak' })).body.proposal).toEqual(
      body.proposal,
    )
    const checkpoint = await agent.call('context-checkpoint', {
      memories: [{ content: 'A zebrafast checkpoint.', supersededById: rule }],
      sessionSummary: 'Nothing.',
    })
    expect(checkpoint.body.results).toMatchObject([
      { status: 'skipped', memoryId: rule, proposal: { status: 'pending' } },
    ])
    for (const [name, input] of [
      ['search-memories', { query: 'zebrafast', includeArchived: true }],
      ['session-start', { query: 'zebrafast', summaryOnly: false }],
      ['get-related-memories', { memoryId: rule }],
      ['explore-graph', { nodeId: rule, nodeType: 'memory' }],
    ] as const)
      expect(JSON.stringify((await agent.call(name, input)).body.memories ?? '')).not.toContain('zebrafast')
    const [exported, listed] = [
      await asPerson(agent, 'export-records', { kind: 'memory' }),
      await asPerson(agent, 'list-memories'),
    ]
    expect([exported.status, listed.status]).toEqual([200, 200])
    expect(exported.text + listed.text).not.toContain('zebrafast')
    // Nor is it a duplicate of what is written later.
    const later = await agent.call('write-memory', { content: write.content, memoryType: 'constraint', dedup: true })
    expect(later.body).toMatchObject({ created: true })
    await agent.call('archive-memory', { memoryId: later.body.memoryId })

    const { items } = await review(agent)
    const item = items.find(
      ({ proposal }) => proposal.proposalId === (body.proposal as { proposalId: string }).proposalId,
    )
    expect(item).toMatchObject({ memories: [{ memoryId: rule }], proposal: { effect: 'supersede' } })
    expect((await decide(agent, 'accept', item as Item)).status).toBe(200)
    const [found] = await agent.search('zebrafast without any review')
    expect(await agent.read(String(found))).toMatchObject({
      content: write.content,
      supersedesId: rule,
      agentId: 'codex',
      externalWriteId: 'zebra',
    })
    expect(await agent.read(rule)).toMatchObject({ supersededById: found })
    expect((await review(agent, 'removed')).total).toBe(0)
    expect((await agent.call('write-memory', write)).body).toMatchObject({ memoryId: found, idempotent: true })
    // The other proposal can no longer supersede it.
    expect(await only(agent)).toMatchObject({ proposal: { problem: expect.stringContaining('superseded') } })
  })

  it('are about archiving, expiry and restored versions, too, and about tasks apart from the work on them', async () => {
    const agent = await start()
    const memoryId = await personWrites(agent, { content: 'The safe opens at nine.' })
    const { taskId } = (await asPerson(agent, 'create-task', { title: 'Rotate', doneWhen: 'all verify' })).body
    const archived = await agent.call('archive-memory', { memoryId, reason: 'Old' })
    expect(archived.body).toMatchObject({ archived: false, archivedAt: null, proposal: { status: 'pending' } })
    await agent.call('update-memory', { memoryId, expiresAt: clock.iso(60_000) })
    const worked = await agent.call('update-task', {
      taskId,
      title: 'Rotate nothing',
      status: 'blocked',
      blockedReason: 'no access',
      assignedAgentId: 'codex',
    })
    expect(worked.body).toMatchObject({ updated: true, status: 'blocked', proposal: { recordId: taskId } })
    const { items } = await review(agent)
    expect(items).toMatchObject([
      { proposal: { effect: 'archive', reason: 'Old' }, changes: [] },
      { proposal: { effect: 'change' }, changes: [{ field: 'expiresAt', before: null }] },
      { proposal: { operation: 'update-task' }, changes: [{ field: 'content', after: 'Rotate nothing' }] },
    ])
    const accept = (item: Item, more: object = {}) =>
      decide(agent, 'accept', item, { wholeTag: item.proposal.wholeTag, ...more })
    for (const item of items.toReversed()) expect((await accept(item)).status).toBe(item === items[0] ? 409 : 200)
    expect((await accept(items[0] as Item, { expectedVersion: 2 })).status).toBe(200)
    expect(await agent.read(memoryId)).toMatchObject({ status: 'archived' })
    const { body } = await agent.call('list-tasks', {})
    expect(body.tasks).toMatchObject([{ title: 'Rotate nothing', status: 'blocked', blockedReason: 'no access' }])
    expect((await review(agent, 'removed')).counts).toMatchObject({ proposal: 0, changed: 0, removed: 0 })
  })

  it('are about notes: texts, titles that other notes link to, and the trash', async () => {
    const agent = await start()
    const write = async (input: object) => String((await asPerson(agent, 'create-note', input)).body.noteId)
    const noteId = await write({ title: 'Plan', content: 'One.\n' })
    await write({ title: 'Index', content: 'See [[Own]].' })
    const own = (await agent.call('create-note', { title: 'Own', content: 'Mine.' })).body.noteId
    const append = { noteId, content: 'Two.\n', mode: 'append' }
    expect((await agent.call('update-note', append)).body).toMatchObject({
      updated: false,
      proposal: { recordId: noteId },
    })
    expect((await agent.call('update-note', { noteId: own, content: 'Mine again.' })).body).not.toHaveProperty(
      'proposal',
    )
    // The person's index would be rewritten.
    expect((await agent.call('update-note', { noteId: own, title: 'Other' })).body).toMatchObject({ updated: false })
    expect((await agent.call('delete-note', { noteId })).body).toMatchObject({ trashed: false, trashedAt: null })
    const { items } = await review(agent)
    expect(items).toMatchObject([
      { memories: [], changes: [{ field: 'content', before: 'One.\n', after: 'One.\nTwo.\n' }] },
      { changes: [{ field: 'title', before: 'Own', after: 'Other' }] },
      { proposal: { effect: 'trash', title: 'Plan' } },
    ])
    await asPerson(agent, 'update-note', { noteId, content: 'Zero.\n' })
    const [appended] = (await review(agent)).items
    expect(appended).toMatchObject({ proposal: { isOutdated: true, version: 2 }, changes: [{ before: 'Zero.\n' }] })
    expect((await decide(agent, 'accept', appended as Item)).status).toBe(409)
    expect((await decide(agent, 'accept', appended as Item, { expectedVersion: 1 })).status).toBe(409)
    expect((await decide(agent, 'accept', appended as Item, { expectedVersion: 2 })).status).toBe(200)
    const read = async (id: unknown) => (await agent.call('read-note', { noteId: id })).body.note
    expect(await read(noteId)).toMatchObject({ content: 'Zero.\nTwo.\n', changedBy: { agentId: 'codex' } })
    expect((await decide(agent, 'accept', items[1] as Item)).status).toBe(200)
    expect(await read(own)).toMatchObject({ title: 'Other' })
    expect((await decide(agent, 'accept', items[2] as Item, { expectedVersion: 3 })).status).toBe(200)
    expect(await read(noteId)).toMatchObject({ status: 'trashed' })
  })

  it('are not needed for an agent’s own records, for what isn’t a text, and where the policy says yes', async () => {
    const agent = await start()
    const other = await start({ user: agent.user, label: 'claude', writePolicy: { persons: 'yes', agents: 'no' } })
    const memoryId = await personWrites(agent, { content: 'Lunch at noon.' })
    const mine = await agent.write('Dinner at six.')
    expect((await agent.call('update-memory', { memoryId: mine, content: 'Dinner at seven.' })).body.updated).toBe(true)
    expect((await other.call('update-memory', { memoryId, content: 'Lunch at one.' })).body.updated).toBe(true)
    const refused = await other.call('update-memory', { memoryId: mine, content: 'Dinner at eight.' })
    expect(refused).toMatchObject({ status: 403, body: { error: expect.stringContaining('send-message') } })
    for (const [name, input] of [
      ['archive-memory', { memoryId: mine }],
      ['write-memory', { content: 'Dinner at nine.', supersededById: mine }],
    ] as const)
      expect((await other.call(name, input)).status).toBe(403)
    expect(await agent.read(mine)).toMatchObject({
      content: 'Dinner at seven.',
      supersededById: null,
      status: 'active',
    })
    // Once a person has corrected an agent, the text is the person's.
    await asPerson(agent, 'update-memory', { memoryId: mine, content: 'Dinner at five.' })
    expect((await agent.call('update-memory', { memoryId: mine, content: 'No dinner.' })).body.updated).toBe(false)
    // A rating is no correction.
    const rated = await agent.write('Supper at ten.')
    await asPerson(agent, 'update-memories', { ids: [rated], importance: 5 })
    expect((await agent.call('update-memory', { memoryId: rated, content: 'Supper late.' })).body.updated).toBe(true)
  })

  it('are not avoided by clean-ups and deduplication', async () => {
    const agent = await start()
    const memoryId = await personWrites(agent, {
      content: 'The harbour office of Ingrid Solheim opens at 8 in the morning on weekdays.',
      entities: ['Ingrid Solheim'],
      importance: 1,
    })
    const mine = await agent.write({ content: 'Lamps burn paraffin.', importance: 1 })
    const cleaned = await agent.call('cleanup-memories', { maxImportance: 1, dryRun: false })
    expect(cleaned.body).toMatchObject({ matched: 2, archived: 1, skippedProtected: 1, memoryIds: [mine] })
    expect(await agent.read(memoryId)).toMatchObject({ status: 'active' })
  })

  it('are withdrawn with the first run and with the last that made them, whatever reason each gave', async () => {
    const agent = await start()
    const revert = async (agentRunId: string, dryRun = false) => {
      const { runs } = (await asPerson(agent, 'list-runs')).body as { runs: { id: string; agentRunId: string }[] }
      const id = runs.find((run) => run.agentRunId === agentRunId)?.id
      return (await asPerson(agent, 'revert-run', { id, dryRun })).body
    }
    const memoryId = await personWrites(agent, { content: 'Keep this.' })
    const propose = (writeReason: string, run: Record<string, string> = {}) =>
      agent.call('update-memory', { memoryId, content: 'Keep that.', writeReason, ...run })
    const [night, morning] = [{ agentRunId: 'night' }, { agentRunId: 'morning' }]
    await propose('First.', night)
    await propose('Second.')
    expect(await revert('night', true)).toMatchObject({ proposals: 1 })
    expect(await revert('night')).toMatchObject({ withdrawn: 1 })
    expect((await review(agent)).total).toBe(0)
    await propose('Third.', night)
    await propose('Fourth.', morning)
    expect(await revert('night', true)).toMatchObject({ proposals: 1 })
    expect(await revert('morning')).toMatchObject({ withdrawn: 1 })
    expect((await review(agent)).total).toBe(0)
  })

  it('wait for the person in a limited number, and are withdrawn with their run', async () => {
    const agent = await start()
    const memoryId = await personWrites(agent, { content: 'Keep this.' })
    const run = { agentRunId: 'run-1' }
    await agent.call('session-track', { ...run, status: 'active' })
    await agent.call('update-memory', { memoryId, content: 'Keep that.', ...run })
    await agent.call('update-memory', { memoryId, importance: 5, ...run })
    const [, rating] = (await review(agent)).items
    expect((await decide(agent, 'accept', rating as Item)).status).toBe(200)
    const { runs } = (await asPerson(agent, 'list-runs')).body as { runs: { id: string; agentRunId: string }[] }
    const id = runs.find(({ agentRunId }) => agentRunId === 'run-1')?.id
    expect((await asPerson(agent, 'revert-run', { id, dryRun: true })).body).toMatchObject({
      proposals: 1,
      updated: 1,
      kept: [],
    })
    const reverted = await asPerson(agent, 'revert-run', { id })
    expect(reverted.body).toMatchObject({ withdrawn: 1, restored: [{ type: 'memory', id: memoryId }] })
    expect(await agent.read(memoryId)).toMatchObject({ importance: 3, content: 'Keep this.' })
    expect((await review(agent)).total).toBe(0)
    await agent.call('update-memory', { memoryId, content: 'Text 0' })
    const { db } = test().app.services
    const one = await db.read
      .selectFrom('proposals')
      .selectAll()
      .where('userId', '=', agent.user.userId)
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow()
    const more = Array.from({ length: 99 }, () => ({ ...one, id: newId(), tag: randomBytes(16) }))
    await db.write((tx) => tx.insertInto('proposals').values(more).execute())
    const refused = await agent.call('update-memory', { memoryId, content: 'One more' })
    expect(refused).toMatchObject({ status: 429, body: { error: expect.stringMatching(/^Quota exceeded: 100/) } })
    expect((await agent.call('update-memory', { memoryId, content: 'Text 0' })).status).toBe(200)
  })

  it('are deleted with their record or integration, and some time after they were decided', async () => {
    const agent = await start()
    const { db } = test().app.services
    const stored = async () =>
      (await db.read.selectFrom('proposals').select('id').where('userId', '=', agent.user.userId).execute()).length
    const propose = async () => {
      const memoryId = await personWrites(agent, { content: 'Soon gone.' })
      await agent.call('update-memory', { memoryId, content: 'Gone.' })
      return memoryId
    }
    const memoryId = await propose()
    await asPerson(agent, 'archive-memories', { ids: [memoryId] })
    await asPerson(agent, 'erase-memory', { id: memoryId })
    expect(await stored()).toBe(0)
    await propose()
    await decide(agent, 'reject', await only(agent))
    await propose()
    clock.advance(31 * 86_400_000)
    await applyRetention(test().app.services).run(AbortSignal.timeout(60_000))
    expect(await stored()).toBe(1)
    const { body } = await test().call('list-integrations', {}, { key: agent.user.dashboardToken })
    const [integration] = body.integrations as { id: string }[]
    await test().call('delete-integration', { id: integration?.id }, { key: agent.user.dashboardToken })
    expect(await stored()).toBe(0)
  })

  it('are nobody else’s to see or decide', async () => {
    const [agent, stranger] = [await start(), await start()]
    const memoryId = await personWrites(agent, { content: 'Private.' })
    await agent.call('update-memory', { memoryId, content: 'Public.' })
    const item = await only(agent)
    expect((await decide(stranger, 'accept', item)).status).toBe(404)
    expect((await review(stranger)).total).toBe(0)
    expect((await review(stranger, 'proposal', { id: item.proposal.proposalId })).total).toBe(0)
    expect((await decide(agent, 'keep', item)).status).toBe(400)
    expect(await agent.read(memoryId)).toMatchObject({ content: 'Private.' })
  })

  it('accepted by two people at once happen once', async () => {
    const agent = await start()
    const { noteId } = (await asPerson(agent, 'create-note', { title: 'Log', content: 'a' })).body
    await agent.call('update-note', { noteId, content: 'b', mode: 'append' })
    const item = await only(agent)
    const answers = await Promise.all([decide(agent, 'accept', item), decide(agent, 'accept', item)])
    expect(answers.map(({ status }) => status)).toContain(200)
    expect((await agent.call('read-note', { noteId })).body.note).toMatchObject({ content: 'ab' })
  })
})
