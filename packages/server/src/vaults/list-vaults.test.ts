import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser, makeVault } from '../../test/factories.ts'
import { makePerson } from '../../test/person.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'

type Vaults = { vaultId: string; [field: string]: unknown }[]
const idsOf = (body: Record<string, unknown>) => (body.vaults as Vaults).map(({ vaultId }) => vaultId)

eachDialect('list-vaults', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('shows the vaults of the person, the default first, and no others', async () => {
    const agent = await startAgent(test(), { preset: 'read_only' })
    const second = await makeVault(test(), agent.user, 'Garden')
    await makeVault(test(), await makeUser(test()), 'Foreign')
    const { status, body } = await agent.call('list-vaults')
    expect([status, body]).toMatchObject([200, { total: 2, limit: 20, offset: 0, hasMore: false }])
    expect(body.vaults).toMatchObject([
      { vaultId: agent.user.vaultId, name: 'Main', isDefault: true, scopePreset: 'read_only' },
      {
        vaultId: second,
        name: 'Garden',
        description: null,
        isDefault: false,
        memoryCount: 0,
        noteCount: 0,
        version: 1,
      },
    ])
  })

  it('counts live records of a vault: neither archived, nor expired, nor superseded', async () => {
    const agent = await startAgent(test())
    const other = await makeVault(test(), agent.user)
    await agent.write('a')
    await agent.write({ content: 'b', memoryType: 'task' })
    await agent.write({ content: 'c', vaultId: other })
    const archived = await agent.write({ content: 'd', memoryType: 'task' })
    await agent.call('archive-memory', { memoryId: archived })
    const soon = 60_000
    await agent.write({ content: 'e', memoryType: 'task', expiresAt: clock.iso(soon) })
    await agent.write({ content: 'f', expiresAt: clock.iso(2 * soon) })
    await agent.write({ content: 'g', supersededById: await agent.write({ content: 'h', memoryType: 'task' }) })
    clock.advance(soon)
    const { body } = await agent.call('list-vaults')
    expect(body.vaults).toMatchObject([
      { vaultId: agent.user.vaultId, memoryCount: 4, openTaskCount: 1 },
      { vaultId: other, memoryCount: 1, openTaskCount: 0 },
    ])
  })

  it('says when a record of a vault was last written, not when the vault was renamed', async () => {
    const person = await makePerson(test())
    const { vaultId } = person.user
    const lastWrite = async () => ((await person.call('list-vaults', {})).body.vaults as Vaults)[0]?.['lastWriteAt']
    expect(await lastWrite()).toBeNull()
    const note = await person.call('create-note', { vaultId, title: 'Plan', content: 'Later.' })
    expect([note.status, await lastWrite()]).toEqual([201, clock.iso()])
    clock.advance(60_000)
    await person.call('update-vault', { id: vaultId, expectedVersion: 1, name: 'Renamed' })
    expect(await lastWrite()).toBe(clock.iso(-60_000))
    await person.call('write-memory', { vaultId, content: 'Now.' })
    expect(await lastWrite()).toBe(clock.iso())
  })

  it('finds the vault of a record, for callers who can read it', async () => {
    const agent = await startAgent(test())
    const other = await makeVault(test(), agent.user)
    const recordId = await agent.write({ content: 'Here.', vaultId: other })
    expect(idsOf((await agent.call('list-vaults', { recordId })).body)).toEqual([other])
    const confined = { user: agent.user, restrictToVault: true, primaryVaultId: agent.user.vaultId }
    const vaults = [{ vaultId: agent.user.vaultId }]
    for (const caller of [await startAgent(test(), { ...confined, vaults }), await startAgent(test())]) {
      const { status, body } = await caller.call('list-vaults', { recordId })
      expect([status, body]).toMatchObject([200, { vaults: [], total: 0 }])
    }
  })

  it('shows a restricted key only its own vaults, each with the preset that applies there', async () => {
    const user = await makeUser(test())
    const [granted, more] = [await makeVault(test(), user), await makeVault(test(), user)]
    const vaults = [{ vaultId: granted }, { vaultId: more, preset: 'admin' as const }]
    const agent = await startAgent(test(), { user, restrictToVault: true, vaults, primaryVaultId: granted })
    const { body } = await agent.call('list-vaults')
    expect(body).toMatchObject({ total: 2 })
    expect(body.vaults).toMatchObject([
      { vaultId: granted, scopePreset: 'read_write' },
      { vaultId: more, scopePreset: 'admin' },
    ])
  })

  it('marks a vault that is damaged, and shows the others; it can be deleted with its id as its name', async () => {
    const person = await makePerson(test())
    const { user } = person
    const [unlocked, renamed] = [await makeVault(test(), user, 'Garden'), await makeVault(test(), user, 'Shed')]
    await test().app.services.db.write(async (tx) => {
      await tx
        .updateTable('vaultKeys')
        .set({ wrappedKey: Buffer.alloc(80) })
        .where('scopeId', '=', unlocked)
        .execute()
      await tx.updateTable('vaults').set({ version: 7 }).where('id', '=', renamed).execute()
    })
    const list = async () => (await person.call('list-vaults', {})).body.vaults
    const [main, ...damaged] = (await list()) as Vaults
    expect(main).toMatchObject({ vaultId: user.vaultId, name: 'Main' })
    expect(main).not.toHaveProperty('isDamaged')
    expect(damaged).toMatchObject([unlocked, renamed].map((id) => ({ vaultId: id, name: id, isDamaged: true })))
    expect((await person.call('update-vault', { id: renamed, name: 'Shed' })).status).toBe(503)
    expect((await person.call('delete-vault', { id: user.vaultId, name: 'Main' })).status).toBe(403)
    expect((await person.call('delete-vault', { id: unlocked, name: 'Garden' })).status).toBe(400)
    for (const id of [unlocked, renamed]) expect((await person.call('delete-vault', { id, name: id })).status).toBe(200)
    expect(await list()).toMatchObject([{ name: 'Main' }])
  })

  it('returns pages without gap or overlap', async () => {
    const agent = await startAgent(test())
    for (let n = 0; n < 4; n++) await makeVault(test(), agent.user, `Vault ${n}`)
    const all = idsOf((await agent.call('list-vaults')).body)
    const pages = []
    for (const offset of [0, 2, 4]) pages.push((await agent.call('list-vaults', { limit: 2, offset })).body)
    expect(pages.flatMap(idsOf)).toEqual(all)
    expect(pages.map(({ hasMore, total }) => [hasMore, total])).toEqual([
      [true, 5],
      [true, 5],
      [false, 5],
    ])
    expect((await agent.call('list-vaults', { offset: 99 })).body).toMatchObject({
      vaults: [],
      total: 5,
      hasMore: false,
    })
  })
})
