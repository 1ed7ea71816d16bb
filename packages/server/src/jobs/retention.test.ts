import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { asSealed, CellError } from '../crypto/cell.ts'
import { applyRetention } from './apply-retention.ts'
import { purgeArchived } from '../memories/purge-store.ts'
import { listVaultsToSnapshot } from '../vault-index/stored/snapshot-store.ts'
import { expireMemories, keepSnapshots } from './list-jobs.ts'
import type { Job } from './scheduler.ts'
import { unlockVault } from './each-vault.ts'

const dayMs = 86_400_000

async function runJob(job: Job): Promise<number> {
  let items = 0
  await job.run(new AbortController().signal, (some) => (items += some))
  return items
}

eachDialect('retention jobs', (dialect) => {
  const start = async () => {
    const clock = makeClock()
    const test = await startTestApp({ dialect, now: clock.now })
    const agent = await startAgent(test, { preset: 'admin' })
    const { services } = test.app
    return {
      clock,
      test,
      agent,
      expire: () => runJob(expireMemories(services)),
      retain: () => runJob(applyRetention(services)),
    }
  }

  it('archive expired memories in every vault, without a connected agent', async () => {
    const { clock, test, agent, expire } = await start()
    const other = await startAgent(test)
    const ids = [agent, other].map((each) => each.write({ content: 'violets', expiresAt: clock.iso(1000) }))
    const [mine = '', theirs = ''] = await Promise.all(ids)
    expect(await expire()).toBe(0)
    clock.advance(1000)
    expect([await expire(), await expire()]).toEqual([2, 0])
    expect([(await agent.read(mine)).status, (await other.read(theirs)).status]).toEqual(['archived', 'archived'])
  })

  it('archive many memories, a few hundred at a time', async () => {
    const { clock, agent, test, expire } = await start()
    const memoryId = await agent.write({ content: 'violets', expiresAt: clock.iso(1000) })
    const { db } = test.app.services
    const [row] = await db.read.selectFrom('memories').selectAll().where('id', '=', memoryId).execute()
    if (row === undefined) throw new RangeError('the memory is there')
    const more = Array.from({ length: 450 }, (_, n) => ({ ...row, id: `${memoryId}-${n}` }))
    await db.write((tx) => tx.insertInto('memories').values(more).execute())
    clock.advance(1000)
    expect(await expire()).toBe(451)
  })

  it('keep expired memories in searches of archived ones, and in searches as of an earlier day, changed or not', async () => {
    const { clock, agent, expire } = await start()
    const memoryId = await agent.write({ content: 'violets', expiresAt: clock.iso(dayMs) })
    const before = clock.iso(dayMs / 2)
    clock.advance(2 * dayMs)
    const found = async () => [
      await agent.search('violets'),
      await agent.search('violets', { includeArchived: true }),
      await agent.search('violets', { asOf: before }),
    ]
    const expected = [[], [memoryId], [memoryId]]
    expect(await found()).toEqual(expected)
    await expire()
    expect(await found()).toEqual(expected)
    await agent.call('update-memory', { memoryId, importance: 5 })
    expect(await found()).toEqual(expected)
    const other = await agent.write({ content: 'violets', expiresAt: clock.iso(1) })
    clock.advance(1)
    await agent.call('archive-memory', { memoryId: other })
    expect(await agent.search('violets', { asOf: clock.iso(-1) })).toEqual([other])
  })

  it('delete nothing unless the vault says so', async () => {
    const { clock, agent, retain } = await start()
    const memoryId = await agent.write('violets')
    await agent.call('archive-memory', { memoryId })
    await agent.call('send-message', { targetId: '*', content: 'hello' })
    clock.advance(3650 * dayMs)
    expect(await retain()).toBe(0)
    expect(await agent.read(memoryId)).toMatchObject({ status: 'archived' })
  })

  it('delete what is older than the vault’s setting, only in that vault', async () => {
    const { clock, test, agent, retain } = await start()
    const other = await startAgent(test)
    const retention = { turnsDays: 7, archivedDays: 30, messagesDays: 10 }
    const changed = await agent.call('update-settings', { vaultId: agent.user.vaultId, settings: { retention } })
    expect(changed.status, changed.text).toBe(200)
    const [mine, kept, theirs] = [await agent.write('violets'), await agent.write('violets'), await other.write('x')]
    await agent.call('archive-memory', { memoryId: mine })
    await other.call('archive-memory', { memoryId: theirs })
    await agent.call('send-message', { targetId: '*', content: 'hello' })
    await agent.call('ingest-turn', { content: 'We decided to use violets.', role: 'user' })
    const count = async (table: 'turns' | 'messages') =>
      (await test.app.services.db.read.selectFrom(table).select('id').execute()).length
    expect([await count('turns'), await count('messages')]).toEqual([1, 1])
    clock.advance(8 * dayMs)
    await retain()
    expect([await count('turns'), await count('messages')]).toEqual([0, 1])
    clock.advance(3 * dayMs)
    await retain()
    expect(await count('messages')).toBe(0)
    expect(await agent.read(mine)).toMatchObject({ status: 'archived' })
    clock.advance(20 * dayMs)
    expect(await retain()).toBe(1)
    expect((await agent.call('read-memories', { memoryIds: [mine, kept] })).body).toMatchObject({
      memories: [{ memoryId: kept }],
      notFound: [mine],
    })
    expect(await other.read(theirs)).toMatchObject({ status: 'archived' })
    expect(await retain()).toBe(0)
  })

  it('also delete the snapshots that contain a deleted memory, even if the run is interrupted right after', async () => {
    const { clock, test, agent } = await start()
    const memoryId = await agent.write('violets')
    await agent.call('archive-memory', { memoryId })
    const { services } = test.app
    const vault = await unlockVault(services, agent.user.userId, agent.user.vaultId)
    if (vault === undefined) throw new RangeError('the vault is there')
    await services.indexes.save(vault)
    const snapshots = () => services.db.read.selectFrom('indexSnapshots').select('seq').execute()
    expect(await snapshots()).toHaveLength(1)
    clock.advance(dayMs)
    await purgeArchived(services.db, vault, clock.now(), clock.now())
    expect(await snapshots()).toEqual([])
  })

  it('save a vault only once after changes that are in no index', async () => {
    const { test, agent } = await start()
    await agent.write('violets')
    const { db } = test.app.services
    const { userId, vaultId } = agent.user
    const due = async () => (await listVaultsToSnapshot(db.read, 4000)).some((vault) => vault.vaultId === vaultId)
    await runJob(keepSnapshots(test.app.services))
    await db.write((tx) => tx.updateTable('vaults').set({ seq: 9000 }).where('userId', '=', userId).execute())
    expect(await due()).toBe(true)
    await runJob(keepSnapshots(test.app.services))
    expect(await due()).toBe(false)
  })

  it('skip a damaged vault, and report a failure', async () => {
    const { clock, test, agent } = await start()
    const other = await startAgent(test, { preset: 'admin' })
    const ids: string[] = []
    for (const each of [agent, other]) {
      const settings = { retention: { archivedDays: 1 } }
      await each.call('update-settings', { vaultId: each.user.vaultId, settings })
      const memoryId = await each.write('violets')
      await each.call('archive-memory', { memoryId })
      ids.push(memoryId)
    }
    // Either can be the first in the job's list.
    const { db } = test.app.services
    const settings = asSealed(Buffer.from('damaged'))
    await db.write((tx) => tx.updateTable('vaults').set({ settings }).where('id', '=', agent.user.vaultId).execute())
    clock.advance(2 * dayMs)
    await expect(applyRetention(test.app.services).run(new AbortController().signal)).rejects.toThrow(CellError)
    const left = await db.read.selectFrom('memories').select('id').where('id', 'in', ids).execute()
    expect(left).toEqual([{ id: ids[0] }])
  })

  it('stop immediately when told to', async () => {
    const { clock, agent, test } = await start()
    const memoryId = await agent.write({ content: 'violets', expiresAt: clock.iso(1000) })
    clock.advance(1000)
    await expireMemories(test.app.services).run(AbortSignal.abort())
    expect(await agent.read(memoryId)).toMatchObject({ status: 'active' })
  })
})

it('reports in the metrics what each job has done', async () => {
  const { app } = await startTestApp()
  const metrics = async () => (await app.server.inject({ method: 'GET', url: '/metrics' })).payload
  await expect.poll(metrics).toMatch(/^holdfast_job_last_end_timestamp_seconds\{job_name="expire-memories"\} \d/m)
  const text = await metrics()
  for (const job of ['finish-erasures', 'expire-memories', 'apply-retention', 'prune-deliveries', 'keep-snapshots'])
    for (const metric of ['runs_total', 'failures_total', 'items_total', 'last_start_timestamp_seconds'])
      expect(text).toMatch(new RegExp(`^holdfast_job_${metric}\\{job_name="${job}"\\} \\d`, 'm'))
  expect(text).toMatch(/^holdfast_job_failures_total\{job_name="expire-memories"\} 0$/m)
})
