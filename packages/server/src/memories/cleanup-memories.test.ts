import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeAgent, makeVault } from '../../test/factories.ts'
import { makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { countTurns } from '../../test/turns.ts'
import { newId } from '../core/ids.ts'

const dayMs = 86_400_000

const cleanUp = async (agent: TestAgent, request: Record<string, unknown>) => {
  const { status, body, text } = await agent.call('cleanup-memories', request)
  expect([200, text]).toEqual([status, text])
  return body as Record<string, unknown> & { memoryIds: string[] }
}

const names = async (agent: TestAgent, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await agent.read(id)).content))

eachDialect('cleanup-memories', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('shows what it would do, does it on request, and then has nothing left to do', async () => {
    const agent = await startAgent(test())
    const low = [
      await agent.write({ content: 'low one', importance: 1 }),
      await agent.write({ content: 'low two', importance: 2 }),
    ]
    const high = await agent.write({ content: 'high', importance: 3 })
    const dry = await cleanUp(agent, { maxImportance: 2 })
    const base = { matched: 2, skippedProtected: 0, memoryIds: low, vaultId: agent.user.vaultId }
    const hint = expect.stringContaining('dryRun false')
    expect(dry).toEqual({ ...base, dryRun: true, archived: 0, hint })
    expect(await agent.search('low')).toHaveLength(2)
    clock.advance(1_000)
    expect(await cleanUp(agent, { maxImportance: 2, dryRun: false })).toEqual({ ...base, dryRun: false, archived: 2 })
    expect(await agent.search('low')).toEqual([])
    expect(await agent.search('low', { includeArchived: true })).toHaveLength(2)
    expect(await agent.read(low[0] ?? '')).toMatchObject({ status: 'archived', archivedAt: clock.iso(), version: 2 })
    expect(await agent.read(high)).toMatchObject({ status: 'active', version: 1 })
    expect(await cleanUp(agent, { maxImportance: 2, dryRun: false })).toMatchObject({ matched: 0, memoryIds: [] })
  })

  it('requires a filter', async () => {
    const agent = await startAgent(test())
    await agent.write('x')
    for (const none of [
      {},
      { memoryTypes: [] },
      { includeExpired: false, duplicatesOnly: false },
      { dryRun: false, limit: 5 },
    ]) {
      const { status, body } = await agent.call('cleanup-memories', none)
      expect([status, body.error]).toEqual([400, expect.stringContaining('at least one filter')])
    }
  })

  it('selects what matches all filters', async () => {
    const agent = await startAgent(test())
    const old = await agent.write({ content: 'old', importance: 2, confidence: 1, memoryType: 'episodic' })
    await agent.write({ content: 'old fact', importance: 2, confidence: 5 })
    clock.advance(10 * dayMs)
    await agent.write({ content: 'new', importance: 1, confidence: 1, memoryType: 'episodic' })
    const cases: [Record<string, unknown>, string[]][] = [
      [{ olderThanDays: 10 }, ['old', 'old fact']],
      [{ olderThanDays: 11 }, []],
      [{ maxImportance: 1 }, ['new']],
      [{ maxConfidence: 1 }, ['old', 'new']],
      [{ memoryTypes: ['episodic'] }, ['old', 'new']],
      [{ memoryTypes: ['episodic', 'fact'], olderThanDays: 1 }, ['old', 'old fact']],
      [{ notAccessedSinceDays: 5, maxConfidence: 4 }, ['old']],
      [{ olderThanDays: 5, maxImportance: 2, maxConfidence: 1, memoryTypes: ['episodic'] }, ['old']],
    ]
    for (const [filter, expected] of cases) {
      const { memoryIds, matched } = await cleanUp(agent, filter)
      expect([filter, await names(agent, memoryIds), matched]).toEqual([filter, expected, expected.length])
    }
    // Those were read just now.
    await test().app.services.lastUsed.flush()
    expect((await cleanUp(agent, { notAccessedSinceDays: 5 })).matched).toBe(0)
    await agent.call('update-memory', { memoryId: old, importance: 1 })
    expect((await cleanUp(agent, { olderThanDays: 10 })).matched).toBe(1)
  })

  it('skips archived and superseded memories, other vaults, and expired ones unless requested', async () => {
    const agent = await startAgent(test())
    const second = await makeVault(test(), agent.user)
    const gone = await agent.write('gone')
    await agent.call('archive-memory', { memoryId: gone })
    const old = await agent.write('superseded')
    await agent.write({ content: 'heir', supersededById: old, importance: 4 })
    await agent.write({ content: 'elsewhere', vaultId: second })
    const expired = await agent.write({ content: 'expired', expiresAt: clock.iso(1), importance: 4 })
    clock.advance(1)
    expect((await cleanUp(agent, { maxImportance: 3 })).matched).toBe(0)
    expect((await cleanUp(agent, { maxImportance: 5 })).matched).toBe(1)
    expect((await cleanUp(agent, { includeExpired: true })).memoryIds).toEqual([expired])
    expect((await cleanUp(agent, { includeExpired: true, maxImportance: 3 })).memoryIds).not.toContain(expired)
    expect((await cleanUp(agent, { includeExpired: true, maxImportance: 4 })).memoryIds).toContain(expired)
    expect((await cleanUp(agent, { includeExpired: true, memoryTypes: ['episodic'] })).memoryIds).toEqual([])
    expect((await cleanUp(agent, { maxImportance: 3, vaultId: second })).matched).toBe(1)
  })

  it('skips protected memories', async () => {
    const agent = await startAgent(test())
    await agent.write({ content: 'vital', importance: 5 })
    await agent.write({ content: 'constraint', memoryType: 'constraint' })
    await agent.write({ content: 'correction', memoryType: 'correction' })
    await agent.call('create-task', { title: 'open task', status: 'backlog' })
    const source = await agent.write('source')
    await agent.write({ content: 'derived', relatedMemoryIds: [{ memoryId: source, relationType: 'derived_from' }] })
    const from = await agent.write('written source')
    const to = await agent.write('written from it')
    await agent.call('update-memory', {
      memoryId: from,
      relatedMemoryIds: [{ memoryId: to, relationType: 'source_of' }],
    })
    await agent.call('create-task', { title: 'finished task', status: 'done' })
    const { body } = await agent.call('cleanup-memories', { maxConfidence: 3, dryRun: false })
    expect(body).toMatchObject({ matched: 9, archived: 3, skippedProtected: 6 })
    expect(await names(agent, body.memoryIds as string[])).toEqual(['derived', 'written from it', 'finished task'])
  })

  it('includes protected ones if an admin asks for it', async () => {
    const agent = await startAgent(test())
    await agent.write({ content: 'vital', importance: 5 })
    const refused = await agent.call('cleanup-memories', { maxConfidence: 3, force: true })
    const error = 'SCOPE_DENIED: this key lacks the "admin" permission'
    expect([refused.status, refused.body]).toEqual([403, { error }])
    const vaults = [{ vaultId: agent.user.vaultId, preset: 'admin' as const }]
    const key = await makeAgent(test(), agent.user, { vaults })
    const { body } = await agent.call('cleanup-memories', { maxConfidence: 3, force: true, dryRun: false }, { key })
    expect(body).toMatchObject({ matched: 1, archived: 1, skippedProtected: 0 })
  })

  it('stops at the limit, oldest first, and says that there are more', async () => {
    const agent = await startAgent(test())
    for (let at = 0; at < 5; at++) await agent.write({ content: `number ${at}`, importance: at === 1 ? 5 : 1 })
    const first = await cleanUp(agent, { maxConfidence: 5, limit: 2, dryRun: false })
    expect(await names(agent, first.memoryIds)).toEqual(['number 0', 'number 2'])
    expect(first).toMatchObject({
      matched: 5,
      archived: 2,
      skippedProtected: 1,
      hint: expect.stringContaining('Call again'),
    })
    const second = await cleanUp(agent, { maxConfidence: 5, limit: 2, dryRun: false })
    expect(await names(agent, second.memoryIds)).toEqual(['number 3', 'number 4'])
    for (const limit of [0, 501])
      expect((await agent.call('cleanup-memories', { maxConfidence: 5, limit })).status).toBe(400)
  })

  it('finds copies of older memories, and keeps one of each', async () => {
    const agent = await startAgent(test())
    const text = 'The user prefers tabs over spaces in Go code'
    await agent.write({ content: text, importance: 1 })
    const copies = [await agent.write(text.toUpperCase()), await agent.write(`${text}.`)]
    await agent.write('The user prefers tabs over spaces in Rust code')
    await agent.write({ content: text, memoryType: 'skill' })
    const vital = await agent.write({ content: text, importance: 5 })
    for (const title of ['twice', 'twice']) await agent.call('create-task', { title, status: 'done' })
    const found = await cleanUp(agent, { duplicatesOnly: true, dryRun: false })
    expect(found).toMatchObject({ matched: 3, archived: 2, skippedProtected: 1, memoryIds: copies })
    expect(await agent.read(vital)).toMatchObject({ status: 'active' })
    expect((await cleanUp(agent, { duplicatesOnly: true, maxImportance: 4 })).matched).toBe(0)
  })

  it('keeps a fact if both of its copies are cleaned up at once', async () => {
    const agent = await startAgent(test())
    for (let at = 0; at < 6; at++) await agent.write('The same fact six times')
    const request = { duplicatesOnly: true, dryRun: false }
    const answers = await Promise.all([cleanUp(agent, request), cleanUp(agent, request), cleanUp(agent, request)])
    expect(answers.flatMap(({ memoryIds }) => memoryIds)).toHaveLength(5)
    expect(await agent.search('same fact', { topK: 50 })).toHaveLength(1)
  })

  it('keeps the lasting copy if the older one expires', async () => {
    const agent = await startAgent(test())
    await agent.write({ content: 'The bridge is closed', expiresAt: clock.iso(1_000) })
    await agent.write('The bridge is closed')
    expect((await cleanUp(agent, { duplicatesOnly: true })).memoryIds).toEqual([])
  })

  it('continues with copies where it stopped, and says where that was', async () => {
    const agent = await startAgent(test())
    const text = 'The same fact many times'
    await agent.write(text)
    const copies: string[] = []
    for (let at = 0; at < 5; at++) copies.push(await agent.write(text))
    const request = { duplicatesOnly: true, limit: 2 }
    const first = await cleanUp(agent, request)
    expect([first.nextAfter, first.hint]).toEqual([copies[1], expect.stringContaining('nextAfter')])
    const second = await cleanUp(agent, { ...request, afterMemoryId: first.nextAfter })
    const last = await cleanUp(agent, { ...request, afterMemoryId: second.nextAfter })
    expect([second.nextAfter, last.nextAfter]).toEqual([copies[3], undefined])
    const found = [first, second, last].flatMap(({ memoryIds }) => memoryIds)
    expect(found).toEqual(copies)
  })

  it('yields to other work between comparisons', async () => {
    const agent = await startAgent(test())
    for (let at = 0; at < 40; at++) await agent.write(`A fact that was told ${at} times`)
    expect(await countTurns(() => cleanUp(agent, { duplicatesOnly: true }))).toBeGreaterThan(40)
  })

  it('yields to other work between pages of memories', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write({ content: 'one of many', importance: 1 })
    const { db } = test().app.services
    const row = await db.read.selectFrom('memories').selectAll().where('id', '=', memoryId).executeTakeFirstOrThrow()
    const many = Array.from({ length: 10_000 }, () => ({ ...row, id: newId() }))
    for (let at = 0; at < many.length; at += 1_000)
      await db.write(
        async (tx) =>
          void (await tx
            .insertInto('memories')
            .values(many.slice(at, at + 1_000))
            .execute()),
      )
    const few = await countTurns(() => cleanUp(agent, { maxImportance: 1, limit: 1, vaultId: agent.user.vaultId }))
    expect(few).toBeGreaterThan(10)
  })
})
