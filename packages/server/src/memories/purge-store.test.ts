import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { createLog } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import { unlockVault } from '../jobs/each-vault.ts'
import { createVaultIndexes } from '../vault-index/cache.ts'
import { archiveExpired, listVaultsWithExpired, purgeArchived } from './purge-store.ts'

const dayMs = 86_400_000

eachDialect('purging memories', (dialect) => {
  const start = async () => {
    const clock = makeClock()
    const test = await startTestApp({ dialect, now: clock.now })
    const agent = await startAgent(test)
    const { userId, vaultId } = agent.user
    const unlock = async () => {
      const vault = await unlockVault(test.app.services, userId, vaultId)
      if (vault === undefined) throw new RangeError('the vault is there')
      return vault
    }
    return { clock, agent, userId, vaultId, unlock, db: test.app.services.db, services: test.app.services }
  }

  const link = (agent: TestAgent, sourceId: string, targetId: string) =>
    agent.call('add-link', {
      sourceType: 'memory',
      sourceId,
      targetType: 'memory',
      targetId,
      relationType: 'references',
    })

  const rowsOf = async (db: Database, id: string) => ({
    memories: await db.read.selectFrom('memories').select('id').where('id', '=', id).execute(),
    entries: await db.read.selectFrom('indexEntries').select('itemId').where('itemId', '=', id).execute(),
  })

  it('archives expired memories, and no others', async () => {
    const { clock, agent, userId, vaultId, db } = await start()
    const expiring = await agent.write({ content: 'violets', expiresAt: clock.iso(1000) })
    const later = await agent.write({ content: 'violets', expiresAt: clock.iso(5000) })
    const kept = await agent.write('violets')
    expect(await listVaultsWithExpired(db.read, clock.now())).toEqual([])
    clock.advance(1000)
    expect(await listVaultsWithExpired(db.read, clock.now())).toEqual([{ userId, vaultId }])
    expect(await archiveExpired(db, userId, vaultId, clock.now())).toBe(1)
    expect(await archiveExpired(db, userId, vaultId, clock.now())).toBe(0)
    expect(await listVaultsWithExpired(db.read, clock.now())).toEqual([])
    expect(await agent.read(expiring)).toMatchObject({ status: 'archived', archivedAt: clock.iso(), version: 2 })
    for (const id of [later, kept]) expect(await agent.read(id)).toMatchObject({ status: 'active', version: 1 })
    expect((await agent.search('violets')).toSorted()).toEqual([later, kept].toSorted())
  })

  it('keeps expired memories in searches as of an earlier day', async () => {
    const { clock, agent, userId, vaultId, db } = await start()
    const before = clock.iso(500)
    const expiring = await agent.write({ content: 'violets', expiresAt: clock.iso(1000) })
    clock.advance(dayMs)
    await archiveExpired(db, userId, vaultId, clock.now())
    expect(await agent.search('violets', { asOf: before })).toEqual([expiring])
    expect(await agent.search('violets')).toEqual([])
  })

  it('keeps an expired memory that was restored with a later expiry', async () => {
    const { clock, agent, userId, vaultId, db } = await start()
    const memoryId = await agent.write({ content: 'violets', expiresAt: clock.iso(1000) })
    clock.advance(1000)
    await archiveExpired(db, userId, vaultId, clock.now())
    await agent.call('update-memory', { memoryId, archived: false, expiresAt: clock.iso(1000) })
    expect(await agent.search('violets')).toEqual([memoryId])
  })

  it('deletes what was archived before the date, with all related data', async () => {
    const { clock, agent, unlock, db } = await start()
    const old = await agent.write({ content: 'violets', memoryType: 'task', externalWriteId: 'x' })
    const kept = await agent.write('violets in a vase')
    const recent = await agent.write('violets, pressed')
    await link(agent, old, kept)
    await link(agent, kept, old)
    await agent.call('archive-memory', { memoryId: old })
    clock.advance(dayMs)
    await agent.call('archive-memory', { memoryId: recent })
    const purge = async () => purgeArchived(db, await unlock(), clock.now(), clock.now())
    expect([await purge(), await purge()]).toEqual([
      { purged: 1, isDone: false },
      { purged: 0, isDone: true },
    ])
    expect(await rowsOf(db, old)).toEqual({ memories: [], entries: [] })
    expect(await db.read.selectFrom('tasks').select('id').where('id', '=', old).execute()).toEqual([])
    expect((await agent.call('read-memories', { memoryIds: [old, recent] })).body).toMatchObject({
      memories: [{ memoryId: recent }],
      notFound: [old],
    })
    const links = await agent.call('get-links', { nodeType: 'memory', nodeId: kept })
    expect(links.body).toMatchObject({ total: 0 })
    expect(await agent.search('violets', { includeArchived: true })).toEqual(expect.not.arrayContaining([old]))
    expect((await agent.call('write-memory', { content: 'violets', externalWriteId: 'x' })).status).toBe(201)
  })

  it('reaches the indexes of other servers, and indexes that start from an older snapshot', async () => {
    const { clock, agent, unlock, db } = await start()
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push(await agent.write(`violet number ${n}`))
    const log = createLog('silent')
    const open = () => createVaultIndexes({ db, maxBytes: 100_000_000, log })
    const [own, other] = [open(), open()]
    const sizes = async () => {
      const late = open()
      const vault = await unlock()
      const all = await Promise.all([own, other, late].map((indexes) => indexes.read(vault, (index) => index.size)))
      await late.stop()
      return all
    }
    expect(await sizes()).toEqual([5, 5, 5])
    await own.save(await unlock())
    for (const memoryId of ids.slice(0, 2)) await agent.call('archive-memory', { memoryId })
    clock.advance(1)
    await purgeArchived(db, await unlock(), clock.now(), clock.now())
    expect(await sizes()).toEqual([3, 3, 3])
    await other.save(await unlock())
    expect(await sizes()).toEqual([3, 3, 3])
    for (const indexes of [own, other]) await indexes.stop()
  })

  it('deletes a hub in several steps', async () => {
    const { clock, agent, unlock, db, vaultId, userId } = await start()
    const hub = await agent.write('hub')
    const spoke = await agent.write('spoke')
    await link(agent, hub, spoke)
    const [row] = await db.read.selectFrom('links').selectAll().where('sourceId', '=', hub).execute()
    if (row === undefined) throw new RangeError('the link is there')
    const more = Array.from({ length: 700 }, (_, n) => ({ ...row, id: `${row.id}-${n}`, targetId: `${spoke}-${n}` }))
    await db.write((tx) => tx.insertInto('links').values(more).execute())
    await agent.call('archive-memory', { memoryId: hub })
    clock.advance(1)
    const counts: unknown[] = []
    for (let round = 0; round < 3; round++)
      counts.push(await purgeArchived(db, await unlock(), clock.now(), clock.now()))
    expect(counts).toEqual([
      { purged: 0, isDone: false },
      { purged: 1, isDone: false },
      { purged: 0, isDone: true },
    ])
    const left = db.read.selectFrom('links').where('userId', '=', userId).where('vaultId', '=', vaultId)
    expect(await left.where('removedAt', 'is', null).select('id').execute()).toEqual([])
  })

  it('skips a memory that is restored before its turn', async () => {
    const { clock, agent, unlock, db } = await start()
    const memoryId = await agent.write('violets')
    await agent.call('archive-memory', { memoryId })
    clock.advance(1)
    const vault = await unlock()
    await Promise.all([
      agent.call('update-memory', { memoryId, archived: false }),
      purgeArchived(db, vault, clock.now(), clock.now()),
    ])
    const { memories, entries } = await rowsOf(db, memoryId)
    expect(memories.length).toBe(entries.length)
  })
})
