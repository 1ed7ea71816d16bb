import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'

const idsOf = (body: Record<string, unknown>) =>
  (body.memories as { memoryId: string }[]).map(({ memoryId }) => memoryId)

eachDialect('read-memories', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('returns memories in the requested order, and says which are missing', async () => {
    const agent = await startAgent(test())
    const [a, b, c] = [await agent.write('a'), await agent.write('b'), await agent.write('c')]
    const [x, y] = [newId(), newId()]
    const { status, body } = await agent.call('read-memories', { memoryIds: [c, y, a, x, b] })
    expect(status).toBe(200)
    expect(idsOf(body)).toEqual([c, a, b])
    expect(body.notFound).toEqual([y, x])
  })

  it('returns each memory once if an id is repeated', async () => {
    const agent = await startAgent(test())
    const [a, x] = [await agent.write('a'), newId()]
    const { body } = await agent.call('read-memories', { memoryIds: [a, x, a, x] })
    expect([idsOf(body), body.notFound]).toEqual([[a], [x]])
  })

  it('returns archived, expired and superseded memories, marked accordingly', async () => {
    const agent = await startAgent(test())
    const archived = await agent.write('archived')
    await agent.call('archive-memory', { memoryId: archived, reason: 'old' })
    const expired = await agent.write({ content: 'expired', expiresAt: clock.iso(1) })
    const superseded = await agent.write('superseded')
    const newer = await agent.write({ content: 'newer', supersededById: superseded })
    clock.advance(10)
    const { body } = await agent.call('read-memories', { memoryIds: [archived, expired, superseded, newer] })
    expect(body.memories).toMatchObject([
      { status: 'archived', archiveReason: 'old', archivedAt: expect.any(String) },
      { status: 'active', expiresAt: clock.iso(-9) },
      { status: 'active', supersededById: newer },
      { status: 'active', supersedesId: superseded },
    ])
  })

  it('accepts ids instead of memoryIds, which has priority', async () => {
    const agent = await startAgent(test())
    const a = await agent.write('a')
    expect(idsOf((await agent.call('read-memories', { ids: [a] })).body)).toEqual([a])
    const both = await agent.call('read-memories', { memoryIds: [a], ids: [newId()] })
    expect(idsOf(both.body)).toEqual([a])
  })

  it('accepts a single memoryId, unless memoryIds or ids are given', async () => {
    const agent = await startAgent(test())
    const [a, b] = [await agent.write('a'), await agent.write('b')]
    expect(idsOf((await agent.call('read-memories', { memoryId: a })).body)).toEqual([a])
    expect(idsOf((await agent.call('read-memories', { memoryId: a, ids: [b] })).body)).toEqual([b])
    expect(idsOf((await agent.call('read-memories', { memoryId: a, memoryIds: [b] })).body)).toEqual([b])
  })

  it('reads only the named vault', async () => {
    const agent = await startAgent(test())
    const vaultId = await makeVault(test(), agent.user)
    const [here, there] = [await agent.write('here'), await agent.write({ content: 'there', vaultId })]
    const { body } = await agent.call('read-memories', { memoryIds: [here, there], vaultId })
    expect([idsOf(body), body.notFound]).toEqual([[there], [here]])
  })

  it('counts reads without changing the memory', async () => {
    const agent = await startAgent(test())
    const id = await agent.write('a')
    for (let reads = 0; reads < 3; reads++) await agent.read(id)
    await test().app.services.lastUsed.flush()
    const record = await agent.read(id)
    expect(record).toMatchObject({ accessCount: 3, lastAccessedAt: clock.iso(), version: 1 })
  })
})

describe('read-memories', () => {
  const test = useTestApp()

  it('accepts 50 ids and rejects 51', async () => {
    const agent = await startAgent(test())
    const ids = await Promise.all(Array.from({ length: 50 }, (_, n) => agent.write(`number ${n}`)))
    expect(idsOf((await agent.call('read-memories', { memoryIds: ids })).body)).toEqual(ids)
    const over = await agent.call('read-memories', { memoryIds: [...ids, newId()] })
    expect([over.status, Object.keys(over.body.fields as object)]).toEqual([400, ['memoryIds']])
  })
})
