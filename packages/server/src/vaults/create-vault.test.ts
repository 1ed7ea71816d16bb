import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'

eachDialect('create-vault', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('creates a vault that can be used immediately, by its creator and the other agents of the person', async () => {
    const agent = await startAgent(test())
    const { status, body } = await agent.call('create-vault', { name: ' Garden ', description: 'Plants' })
    expect([status, body]).toEqual([
      201,
      {
        vaultId: expect.any(String),
        id: body.vaultId,
        created: true,
        name: ' Garden ',
        description: 'Plants',
        isDefault: false,
        memoryCount: 0,
        noteCount: 0,
        openTaskCount: 0,
        scopePreset: 'read_write',
        version: 1,
        createdAt: clock.iso(),
        updatedAt: clock.iso(),
      },
    ])
    const vaultId = String(body.vaultId)
    const id = await agent.write({ content: 'Roses', vaultId })
    const colleague = await startAgent(test(), { user: agent.user })
    expect(await colleague.search('roses', { vaultId })).toEqual([id])
    const vaults = await colleague.call('list-vaults')
    expect(vaults.body.vaults).toContainEqual(
      expect.objectContaining({ vaultId, name: ' Garden ', description: 'Plants' }),
    )
  })

  it('creates another vault each time, also under the same name', async () => {
    const agent = await startAgent(test())
    const [a, b] = [
      await agent.call('create-vault', { name: 'Same' }),
      await agent.call('create-vault', { name: 'Same' }),
    ]
    expect(a.body.vaultId).not.toBe(b.body.vaultId)
  })

  it('gives each vault its own key', async () => {
    const agent = await startAgent(test())
    const { body } = await agent.call('create-vault', { name: 'Mine' })
    const { db } = test().app.services
    const keys = await db.read
      .selectFrom('vaultKeys')
      .select(['scopeId', 'wrappedKey'])
      .where('userId', '=', agent.user.userId)
      .execute()
    expect(keys.map(({ scopeId }) => scopeId).toSorted()).toEqual([agent.user.vaultId, String(body.vaultId)].toSorted())
    expect(Buffer.from(keys[0]?.wrappedKey ?? []).equals(Buffer.from(keys[1]?.wrappedKey ?? []))).toBe(false)
  })

  it('is rejected for a key that is restricted to certain vaults, and for a read-only one', async () => {
    const restricted = await startAgent(test(), { preset: 'admin', restrictToVault: true, vaults: [] })
    const user = restricted.user
    const granted = await startAgent(test(), {
      user,
      preset: 'admin',
      restrictToVault: true,
      vaults: [{ vaultId: user.vaultId }],
    })
    const other = await makeVault(test(), user)
    const writesElsewhere = await startAgent(test(), {
      user,
      preset: 'read_only',
      vaults: [{ vaultId: other, preset: 'admin' }],
    })
    for (const agent of [restricted, granted, writesElsewhere]) {
      const { status, body } = await agent.call('create-vault', { name: 'x' })
      expect([status, body.error]).toEqual([403, expect.stringMatching(/^SCOPE_DENIED: /)])
    }
    const vaults = await (await startAgent(test(), { user })).call('list-vaults')
    expect(vaults.body.total).toBe(2)
  })
})
