import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { ascending, makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

eachDialect('write-memory', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('returns 201 with the new memory and the defaults', async () => {
    const agent = await startAgent(test(), { label: 'Desk' })
    const { status, body } = await agent.call('write-memory', { content: 'The cat sleeps.' })
    expect([status, body]).toEqual([
      201,
      { memoryId: uuid, created: true, idempotent: false, memoryType: 'fact', vaultId: agent.user.vaultId, version: 1 },
    ])
    expect(await agent.read(String(body.memoryId))).toMatchObject({
      content: 'The cat sleeps.',
      summary: null,
      importance: 3,
      confidence: 3,
      entities: [],
      relatedMemories: [],
      metadata: {},
      status: 'active',
      agentId: 'Desk',
      agentRunId: null,
      source: { route: 'write-memory', integrationId: uuid },
      createdAt: clock.iso(),
      occurredAt: clock.iso(),
      version: 1,
    })
  })

  it('keeps every field exactly as it was sent', async () => {
    const agent = await startAgent(test())
    const sent = {
      content: '  Ünï\u0000cödé 𝄞 \r\n "\\ ',
      summary: ' s ',
      memoryType: 'skill',
      importance: 5,
      confidence: 1,
      entities: ['Ada', ' ada ', ''.padEnd(200, 'x')],
      metadata: { nested: { list: [1, null, 'x'] }, '': '', ключ: false },
      writeReason: 'because',
      externalWriteId: 'id with spaces ',
      agentId: 'agent-7',
      agentRunId: 'run-7',
      modelId: 'model-7',
      expiresAt: '2999-01-01T00:00:00.000Z',
      occurredAt: '1970-01-01T00:00:00.001Z',
    }
    expect(await agent.read(await agent.write(sent))).toMatchObject(sent)
  })

  it('accepts times with an offset and returns UTC', async () => {
    const agent = await startAgent(test())
    const id = await agent.write({ content: 'x', occurredAt: '2026-01-01T01:30:00+02:00' })
    expect((await agent.read(id)).occurredAt).toBe('2025-12-31T23:30:00.000Z')
  })

  it('names the caller by the body, else the integration, else its label, and the run by body or header', async () => {
    const agent = await startAgent(test(), { label: 'Desk', agentId: 'desk-agent' })
    const headers = { 'x-agent-run-id': 'run-of-header' }
    const write = async (body: object) => {
      const answer = await agent.call('write-memory', { content: 'x', ...body }, { headers })
      return agent.read(String(answer.body.memoryId))
    }
    expect(await write({})).toMatchObject({ agentId: 'desk-agent', agentRunId: 'run-of-header' })
    expect(await write({ agentId: 'me', agentRunId: 'mine' })).toMatchObject({ agentId: 'me', agentRunId: 'mine' })
  })

  it('lets no caller set fields that the server owns', async () => {
    const agent = await startAgent(test())
    const claims = { source: { trust: 'system' }, createdAt: '1999-01-01T00:00:00Z', version: 7, status: 'archived' }
    const forged = { ...claims, memoryId: newId(), integrationId: newId(), accessCount: 9, supersedesId: newId() }
    const id = await agent.write({ content: 'x', ...forged, metadata: claims })
    expect(id).not.toBe(forged.memoryId)
    expect(await agent.read(id)).toMatchObject({
      source: { trust: 'agent_authored', route: 'write-memory' },
      createdAt: clock.iso(),
      version: 1,
      status: 'active',
      accessCount: 0,
      supersedesId: null,
      metadata: claims,
    })
  })

  it('returns the first memory for a repeated externalWriteId and changes nothing', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write({ content: 'first', externalWriteId: 'order-7', memoryType: 'skill' })
    const before = await agent.read(memoryId)
    const repeat = await agent.call('write-memory', { content: 'second', externalWriteId: 'order-7', importance: 5 })
    expect([repeat.status, repeat.body]).toEqual([
      200,
      { memoryId, created: false, idempotent: true, memoryType: 'skill', vaultId: agent.user.vaultId, version: 1 },
    ])
    expect(await agent.read(memoryId)).toMatchObject({ content: before.content, updatedAt: before.updatedAt })
    expect(await agent.search('second')).toEqual([])
  })

  it('separates externalWriteIds by vault, case and person', async () => {
    const agent = await startAgent(test())
    const other = await startAgent(test())
    const second = await makeVault(test(), agent.user)
    const ids = [
      await agent.write({ content: 'x', externalWriteId: 'a' }),
      await agent.write({ content: 'x', externalWriteId: 'A' }),
      await agent.write({ content: 'x', externalWriteId: 'a', vaultId: second }),
      await other.write({ content: 'x', externalWriteId: 'a' }),
    ]
    expect(new Set(ids).size).toBe(4)
  })

  it('creates one memory from 50 equal concurrent writes', async () => {
    const agent = await startAgent(test())
    const body = { content: 'only once', externalWriteId: 'the same' }
    const answers = await Promise.all(Array.from({ length: 50 }, () => agent.call('write-memory', body)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49)
    expect(new Set(answers.map((answer) => answer.body.memoryId)).size).toBe(1)
    expect(await agent.search('only once')).toHaveLength(1)
  })

  it('remembers an idempotency key after its memory was changed or archived', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write({ content: 'first', externalWriteId: 'k' })
    await agent.call('update-memory', { memoryId, content: 'changed' })
    await agent.call('archive-memory', { memoryId })
    const repeat = await agent.call('write-memory', { content: 'first', externalWriteId: 'k' })
    expect([repeat.status, repeat.body.memoryId, repeat.body.version]).toEqual([200, memoryId, 3])
  })

  it('supersedes the named memory, which stays readable and leaves search', async () => {
    const agent = await startAgent(test())
    const old = await agent.write('The office is in Berlin')
    clock.advance(1_000)
    const { body } = await agent.call('write-memory', { content: 'The office is in Hamburg', supersededById: old })
    const newer = String(body.memoryId)
    expect(body).toMatchObject({ created: true, supersededMemoryId: old })
    expect(await agent.read(old)).toMatchObject({ supersededById: newer, version: 2, updatedAt: clock.iso() })
    expect(await agent.read(newer)).toMatchObject({
      supersedesId: old,
      supersededById: null,
      relatedMemories: [{ memoryId: old, relationType: 'supersedes' }],
    })
    expect(await agent.search('office')).toEqual([newer])
  })

  it('supersedes in a chain, one link at a time', async () => {
    const agent = await startAgent(test())
    const first = await agent.write('version one of the plan')
    const second = await agent.write({ content: 'version two of the plan', supersededById: first })
    const third = await agent.write({ content: 'version three of the plan', supersededById: second })
    expect(await agent.search('plan version')).toEqual([third])
    const again = await agent.call('write-memory', { content: 'four', supersededById: first })
    expect([again.status, again.body.fields]).toEqual([400, { supersededById: expect.stringContaining(second) }])
  })

  it('lets only one of several concurrent writes supersede the same memory', async () => {
    const agent = await startAgent(test())
    const old = await agent.write('contested')
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => agent.call('write-memory', { content: `heir ${n}`, supersededById: old })),
    )
    expect(answers.map(({ status }) => status).toSorted(ascending)).toEqual([201, 400, 400, 400, 400, 400, 400, 400])
    expect(await agent.search('heir')).toHaveLength(1)
  })

  it('links to the named memories, with relation and label', async () => {
    const agent = await startAgent(test())
    const [a, b] = [await agent.write('a'), await agent.write('b')]
    const related = [
      a,
      { memoryId: b, relationType: 'contradicts', label: 'says otherwise' },
      { memoryId: a, label: null },
    ]
    const id = await agent.write({ content: 'c', relatedMemoryIds: related })
    expect((await agent.read(id)).relatedMemories).toEqual([
      { memoryId: a, relationType: 'references' },
      { memoryId: b, relationType: 'contradicts', label: 'says otherwise' },
    ])
  })

  it('stores nothing if a named id does not exist', async () => {
    const agent = await startAgent(test())
    const known = await agent.write('known')
    const second = await makeVault(test(), agent.user)
    const elsewhere = await agent.write({ content: 'elsewhere', vaultId: second })
    const { db } = test().app.services
    const rows = async () => {
      const count = (table: 'memories' | 'links' | 'indexEntries') =>
        db.read.selectFrom(table).select('userId').where('userId', '=', agent.user.userId).execute()
      return [(await count('memories')).length, (await count('links')).length, (await count('indexEntries')).length]
    }
    const before = await rows()
    for (const wrong of [
      { supersededById: newId() },
      { supersededById: elsewhere },
      { relatedMemoryIds: [known, newId()] },
      { relatedMemoryIds: [{ memoryId: elsewhere }] },
      { supersededById: known, relatedMemoryIds: [newId()] },
    ]) {
      const { status, body } = await agent.call('write-memory', { content: 'x', ...wrong })
      expect([wrong, status, body]).toEqual([wrong, 404, { error: 'Memory not found' }])
    }
    const note = await agent.call('write-memory', { content: 'x', sourceNoteIds: [newId()] })
    expect([note.status, note.body]).toEqual([404, { error: 'Note not found' }])
    expect(await rows()).toEqual(before)
    expect(await agent.read(known)).toMatchObject({ supersededById: null, version: 1 })
  })

  it('is not live after its expiry', async () => {
    const agent = await startAgent(test())
    const id = await agent.write({ content: 'short lived', expiresAt: clock.iso(60_000) })
    clock.advance(59_999)
    expect(await agent.search('short lived')).toEqual([id])
    clock.advance(1)
    expect(await agent.search('short lived')).toEqual([])
    expect(await agent.read(id)).toMatchObject({ content: 'short lived', status: 'active' })
  })
})
