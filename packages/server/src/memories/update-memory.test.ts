import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { ascending, makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { mergePatch } from '../core/json.ts'

eachDialect('update-memory', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const original = {
    content: 'Original words',
    summary: 'original',
    memoryType: 'fact',
    importance: 2,
    confidence: 2,
    entities: ['Old'],
    writeReason: 'original',
    occurredAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2999-01-01T00:00:00.000Z',
    modelId: 'old',
    metadata: { kept: 1 },
  }

  it.each([
    { content: 'Other words' },
    { summary: 'other' },
    { memoryType: 'correction' },
    { importance: 5 },
    { confidence: 5 },
    { entities: ['New', 'Newer'] },
    { entities: [] },
    { writeReason: 'other' },
    { occurredAt: '2025-05-05T00:00:00.000Z' },
    { expiresAt: '2998-01-01T00:00:00.000Z' },
  ])('changes only what is given: %o', async (change) => {
    const agent = await startAgent(test())
    const memoryId = await agent.write(original)
    const before = await agent.read(memoryId)
    clock.advance(1_000)
    const { status, body } = await agent.call('update-memory', { memoryId, ...change })
    expect(status).toBe(200)
    expect(body).toEqual({
      memoryId,
      updated: true,
      version: 2,
      vaultId: agent.user.vaultId,
      memoryType: change.memoryType ?? 'fact',
      updatedAt: clock.iso(),
    })
    const { updatedAt: _at, version: _version, accessCount: _count, lastAccessedAt: _last, ...rest } = before
    expect(await agent.read(memoryId)).toMatchObject({ ...rest, ...change, version: 2, updatedAt: clock.iso() })
  })

  it('treats an empty summary as none', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write(original)
    await agent.call('update-memory', { memoryId, summary: '' })
    expect(await agent.read(memoryId)).toMatchObject({ summary: null, content: original.content, version: 2 })
  })

  it('keeps the model of the author, whoever changes it', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write(original)
    const { body } = await agent.call('update-memory', { memoryId, modelId: 'new' })
    expect(body).toMatchObject({ updated: false, version: 1 })
    expect(await agent.read(memoryId)).toMatchObject({ modelId: 'old', version: 1 })
  })

  it('supersedes once: a repeat changes nothing', async () => {
    const agent = await startAgent(test())
    const [older, newer] = [await agent.write(original), await agent.write({ content: 'newer' })]
    const again = () => agent.call('update-memory', { memoryId: newer, supersededById: older })
    expect((await again()).body).toMatchObject({ updated: true, version: 2 })
    expect((await again()).body).toMatchObject({ updated: false, version: 2 })
    expect(await agent.read(older)).toMatchObject({ supersededById: newer, version: 2 })
  })

  it('moves the end of the superseded memory when its own start moves', async () => {
    const agent = await startAgent(test())
    const older = await agent.write({ content: 'tulips', occurredAt: '2025-01-01T00:00:00.000Z' })
    const newer = await agent.write({ content: 'roses', occurredAt: '2025-06-01T00:00:00.000Z', supersededById: older })
    const found = async (asOf: string) => {
      const { body } = await agent.call('search-memories', { query: 'tulips roses', asOf })
      return (body.memories as { memoryId: string }[]).map(({ memoryId }) => memoryId)
    }
    expect(await found('2025-05-01T00:00:00.000Z')).toEqual([older])
    await agent.call('update-memory', { memoryId: newer, occurredAt: '2025-04-01T00:00:00.000Z' })
    expect(await found('2025-05-01T00:00:00.000Z')).toEqual([newer])
    expect(await found('2025-03-01T00:00:00.000Z')).toEqual([older])
  })

  it('applies twenty concurrent changes', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write(original)
    const change = (n: number) =>
      agent.call('update-memory', { memoryId, metadata: { [`k${n}`]: n }, entities: [`e${n}`] })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => change(n)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    const { metadata, version } = await agent.read(memoryId)
    expect(Object.keys(metadata as object)).toHaveLength(21)
    expect(version).toBe(21)
  })

  it('accepts ids in upper case', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write(original)
    const { status, body } = await agent.call('update-memory', { memoryId: memoryId.toUpperCase(), importance: 5 })
    expect({ status, memoryId: body.memoryId }).toEqual({ status: 200, memoryId })
  })

  it('reports that nothing changed, and keeps the version', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write(original)
    const { body } = await agent.call('update-memory', { memoryId, importance: 2, metadata: { kept: 1 } })
    expect(body).toMatchObject({ updated: false, version: 1 })
    expect((await agent.call('update-memory', { memoryId })).body).toMatchObject({ updated: false, version: 1 })
  })

  it('is found immediately by its new words, and not by its old ones', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write('The key lies under the violets')
    expect(await agent.search('violets')).toEqual([memoryId])
    await agent.call('update-memory', { memoryId, content: 'The key lies under the roses' })
    expect(await agent.search('violets')).toEqual([])
    expect(await agent.search('roses')).toEqual([memoryId])
    await agent.call('update-memory', { memoryId, summary: 'About thorns', memoryType: 'skill' })
    expect(await agent.search('thorns', { memoryType: 'skill' })).toEqual([memoryId])
    expect(await agent.search('thorns', { memoryType: 'fact' })).toEqual([])
  })

  it('merges metadata as a patch, in which null deletes', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write({ content: 'x', metadata: { a: 1, b: { c: 2, d: 3 }, list: [1, 2] } })
    await agent.call('update-memory', {
      memoryId,
      metadata: { a: null, b: { c: null, e: 4 }, list: [3], f: { g: null } },
    })
    expect((await agent.read(memoryId)).metadata).toEqual({ b: { d: 3, e: 4 }, list: [3], f: {} })
    await agent.call('update-memory', { memoryId, metadata: {} })
    expect(await agent.read(memoryId)).toMatchObject({ version: 2 })
  })

  it('applies the limit to merged metadata', async () => {
    const agent = await startAgent(test())
    const half = 'x'.repeat(40_000)
    const memoryId = await agent.write({ content: 'x', metadata: { a: half } })
    const { status, body } = await agent.call('update-memory', { memoryId, metadata: { b: half } })
    expect([status, body.fields]).toEqual([400, { metadata: expect.stringContaining('65536') }])
    expect(await agent.read(memoryId)).toMatchObject({ metadata: { a: half }, version: 1 })
  })

  it('clears the expiry with null', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write({ content: 'perishable', expiresAt: clock.iso(1_000) })
    await agent.call('update-memory', { memoryId, expiresAt: null })
    clock.advance(2_000)
    expect(await agent.read(memoryId)).toMatchObject({ expiresAt: null })
    expect(await agent.search('perishable')).toEqual([memoryId])
  })

  it('restores an archived memory but cannot archive one', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write('hidden')
    await agent.call('archive-memory', { memoryId })
    await agent.call('update-memory', { memoryId, archived: false })
    expect(await agent.search('hidden')).toEqual([memoryId])
    const { status, body } = await agent.call('update-memory', { memoryId, archived: true })
    expect([status, Object.keys(body.fields as object)]).toEqual([400, ['archived']])
  })

  it('rejects another version than expected, and names it', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write('versioned')
    expect((await agent.call('update-memory', { memoryId, importance: 4, expectedVersion: 1 })).body.version).toBe(2)
    const stale = await agent.call('update-memory', { memoryId, importance: 5, expectedVersion: 1 })
    expect([stale.status, stale.body]).toEqual([409, { error: expect.stringMatching(/has version 2, not 1/) }])
    expect(await agent.read(memoryId)).toMatchObject({ importance: 4 })
  })

  it('accepts only one of several changes with the same expected version', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write('contested')
    const answers = await Promise.all(
      [1, 2, 4, 5].map((importance) => agent.call('update-memory', { memoryId, importance, expectedVersion: 1 })),
    )
    expect(answers.map(({ status }) => status).toSorted(ascending)).toEqual([200, 409, 409, 409])
    expect(await agent.read(memoryId)).toMatchObject({ version: 2 })
  })

  it('loses none of several concurrent changes', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write({ content: 'shared', metadata: {} })
    const keys = ['a', 'b', 'c', 'd']
    const answers = await Promise.all(
      keys.map((key) => agent.call('update-memory', { memoryId, metadata: { [key]: true }, content: `by ${key}` })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answers.map(({ body }) => Number(body.version)).toSorted(ascending)).toEqual([2, 3, 4, 5])
    expect((await agent.read(memoryId)).metadata).toEqual({ a: true, b: true, c: true, d: true })
  })

  it('supersedes another memory', async () => {
    const agent = await startAgent(test())
    const [old, memoryId] = [await agent.write('the old plan'), await agent.write('the new plan')]
    await agent.call('update-memory', { memoryId, supersededById: old })
    expect(await agent.search('plan')).toEqual([memoryId])
    expect(await agent.read(memoryId)).toMatchObject({
      supersedesId: old,
      relatedMemories: [{ memoryId: old, relationType: 'supersedes' }],
    })
    expect(await agent.read(old)).toMatchObject({ supersededById: memoryId, version: 2 })
  })

  it('refuses to supersede itself, its successor, or a superseded memory', async () => {
    const agent = await startAgent(test())
    const first = await agent.write('1')
    const second = await agent.write({ content: '2', supersededById: first })
    const third = await agent.write({ content: '3', supersededById: second })
    for (const [memoryId, supersededById] of [
      [first, first],
      [first, second],
      [first, third],
      [third, first],
    ]) {
      const { status, body } = await agent.call('update-memory', { memoryId, supersededById })
      expect([status, Object.keys(body.fields as object)]).toEqual([400, ['supersededById']])
    }
    expect(await agent.read(first)).toMatchObject({ supersedesId: null, supersededById: second, version: 2 })
  })

  it('adds links, but none to itself or to missing records', async () => {
    const agent = await startAgent(test())
    const [a, memoryId] = [await agent.write('a'), await agent.write('b')]
    const elsewhere = await agent.write({ content: 'c', vaultId: await makeVault(test(), agent.user) })
    await agent.call('update-memory', { memoryId, relatedMemoryIds: [{ memoryId: a, relationType: 'refines' }] })
    const links = [{ memoryId: a, relationType: 'refines' }]
    expect((await agent.read(memoryId)).relatedMemories).toEqual(links)
    const itself = await agent.call('update-memory', { memoryId, relatedMemoryIds: [memoryId] })
    expect(itself.status).toBe(400)
    for (const unknown of [newId(), elsewhere]) {
      const answer = await agent.call('update-memory', { memoryId, importance: 5, relatedMemoryIds: [a, unknown] })
      expect([answer.status, answer.body]).toEqual([404, { error: 'Memory not found' }])
    }
    expect(await agent.read(memoryId)).toMatchObject({ importance: 3, relatedMemories: links, version: 2 })
  })
})

describe('mergePatch', () => {
  it('follows the examples of RFC 7396', () => {
    const cases: [target: object, patch: object, merged: object][] = [
      [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
      [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
      [{ a: 'b' }, { a: null }, {}],
      [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
      [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
      [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
      [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
      [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
      [{ e: null }, { a: 1 }, { e: null, a: 1 }],
      [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    ]
    for (const [target, patch, merged] of cases) {
      const before = structuredClone(target)
      expect(JSON.parse(JSON.stringify(mergePatch(target as never, patch as never)))).toEqual(merged)
      expect(target).toEqual(before)
    }
  })

  it('treats __proto__ like any other key', () => {
    const patch = JSON.parse('{"__proto__":{"polluted":1}}') as never
    expect(JSON.stringify(mergePatch({}, patch))).toBe('{"__proto__":{"polluted":1}}')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})
