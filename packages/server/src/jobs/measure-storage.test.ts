import { expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser, makeVault } from '../../test/factories.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { dayMs } from '../core/time.ts'
import { measureStorage } from './measure-storage.ts'

const minuteMs = 60_000

interface VaultUsage {
  vaultId: string
  name: string
  measuredAt: string | null
  bytes: number
  kinds: { kind: string; records: number; bytes: number }[]
}

async function vaultsOf(test: TestApp, token: string): Promise<VaultUsage[]> {
  const { status, body, text } = await test.call('read-usage', { parts: ['storage'] }, { key: token })
  expect([status, text]).toEqual([200, text])
  return (body.storage as { vaults: VaultUsage[] }).vaults
}

eachDialect('the storage of vaults', (dialect) => {
  const start = async () => {
    const clock = makeClock()
    const test = await startTestApp({ dialect, now: clock.now, runsJobs: false })
    const measure = async () => {
      let vaults = 0
      const job = measureStorage(test.app.services)
      await job.run(new AbortController().signal, (some) => (vaults += some))
      return vaults
    }
    return { clock, test, measure }
  }

  it('is measured by vault and kind, and only shown to its user', async () => {
    const { test, measure, clock } = await start()
    const agent = await startAgent(test, { preset: 'admin' })
    const second = await makeVault(test, agent.user)
    const stranger = await makeUser(test)
    await agent.write('x'.repeat(5000))
    await agent.write({ content: 'y', vaultId: second })
    await agent.call('create-note', { title: 'A note', content: 'n'.repeat(2000) })
    expect(await vaultsOf(test, agent.user.dashboardToken)).toMatchObject([
      { name: 'Main', measuredAt: null, bytes: 0, kinds: [] },
      { name: 'Second', measuredAt: null, bytes: 0, kinds: [] },
    ])
    expect(await measure()).toBe(3)
    const [main, other] = await vaultsOf(test, agent.user.dashboardToken)
    const kindOf = (name: string) => main?.kinds.find(({ kind }) => kind === name)
    expect(main?.measuredAt).toBe(clock.iso())
    expect(kindOf('memories')).toMatchObject({ records: 1 })
    expect(kindOf('memories')?.bytes).toBeGreaterThan(5000)
    expect(kindOf('memories')?.bytes).toBeLessThan(10_000)
    expect(kindOf('notes')).toMatchObject({ records: 1 })
    expect(kindOf('index')?.records).toBeGreaterThanOrEqual(2)
    expect(main?.bytes).toBe(main?.kinds.reduce((sum, { bytes }) => sum + bytes, 0))
    expect(other?.kinds.find(({ kind }) => kind === 'memories')).toMatchObject({ records: 1 })
    expect(other?.bytes).toBeLessThan(main?.bytes ?? 0)
    expect(await vaultsOf(test, stranger.dashboardToken)).toMatchObject([{ name: 'Main', bytes: 0, kinds: [] }])
  })

  it('is measured again after a change, less often for large vaults, and a day after anything was called', async () => {
    const { test, measure, clock } = await start()
    const agent = await startAgent(test)
    for (let n = 0; n < 3; n++) await agent.write(`memory ${n}`)
    expect([await measure(), await measure()]).toEqual([1, 0])
    await agent.write('one more')
    expect(await measure()).toBe(0)
    clock.advance(1000)
    expect([await measure(), await measure()]).toEqual([1, 0])
    clock.advance(2 * minuteMs)
    await agent.write('the last one')
    clock.advance(2 * minuteMs)
    expect(await measure()).toBe(1)
    clock.advance(dayMs)
    expect(await measure()).toBe(0)
    // Takes space, but isn't a change of the vault.
    const tracked = await agent.call('session-track', {}, { headers: { 'x-agent-run-id': 'night' } })
    expect([tracked.status, tracked.text]).toEqual([200, tracked.text])
    await test.app.services.activity.flush()
    expect(await measure()).toBe(1)
  })

  it('is only stored where it has changed', async () => {
    const { test, measure, clock } = await start()
    const agent = await startAgent(test, { preset: 'admin' })
    const others = [await makeVault(test, agent.user), await makeVault(test, agent.user, 'Third')]
    expect(await measure()).toBe(3)
    clock.advance(1000)
    await agent.write({ content: 'y', vaultId: others[0] ?? '' })
    expect(await measure()).toBe(1)
    const vaults = await vaultsOf(test, agent.user.dashboardToken)
    expect(vaults.map(({ measuredAt }) => measuredAt)).toEqual([clock.iso(), clock.iso(), clock.iso()])
    expect(vaults.map(({ kinds }) => kinds.length > 0)).toEqual([false, true, false])
  })

  it('is counted over many rows in batches, and deleted with the vault', async () => {
    const { test, measure } = await start()
    const agent = await startAgent(test)
    const memoryId = await agent.write('violets')
    const { db } = test.app.services
    const [row] = await db.read.selectFrom('memories').selectAll().where('id', '=', memoryId).execute()
    if (row === undefined) throw new RangeError('the memory is there')
    const more = Array.from({ length: 2100 }, (_, n) => ({ ...row, id: `${memoryId}-${String(n).padStart(4, '0')}` }))
    for (let from = 0; from < more.length; from += 700)
      await db.write((tx) =>
        tx
          .insertInto('memories')
          .values(more.slice(from, from + 700))
          .execute(),
      )
    await measure()
    const [vault] = await vaultsOf(test, agent.user.dashboardToken)
    expect(vault?.kinds.find(({ kind }) => kind === 'memories')).toMatchObject({ records: 2101 })
    await makeVault(test, agent.user)
    const erased = await test.call(
      'delete-vault',
      { id: vault?.vaultId, name: 'Main' },
      { key: agent.user.dashboardToken },
    )
    expect([erased.status, erased.text]).toEqual([200, erased.text])
    const left = await db.read
      .selectFrom('vaultSizes')
      .selectAll()
      .where('vaultId', '=', vault?.vaultId ?? '')
      .execute()
    expect(left).toEqual([])
  })
})

eachDialect('the growth of memories', (dialect) => {
  it('is returned by day, including memories from before', async () => {
    const clock = makeClock()
    const test = await startTestApp({ dialect, now: clock.now })
    const agent = await startAgent(test)
    const stranger = await startAgent(test)
    await stranger.write('elsewhere')
    await agent.write('first')
    clock.advance(2 * dayMs)
    const archived = await agent.write('second')
    await agent.call('archive-memory', { memoryId: archived })
    await agent.write('third')
    const input = { from: '2026-11-22', to: '2026-11-23' }
    const asked = { parts: ['memories'], ...input }
    const { body } = await test.call('read-usage', asked, { key: agent.user.dashboardToken })
    expect(body.memories).toEqual({
      ...input,
      bucket: 'day',
      series: [
        { start: '2026-11-22', created: 0, total: 1 },
        { start: '2026-11-23', created: 2, total: 3 },
      ],
    })
  })
})
