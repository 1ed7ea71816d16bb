import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import {
  makeAgent,
  makeUser,
  makeVault,
  type IntegrationOverrides,
  type KeyOverrides,
  type TestUser,
} from '../../test/factories.ts'

eachDialect('info', (dialect) => {
  const test = useTestApp({ dialect })

  async function infoOf(user: TestUser, over: IntegrationOverrides & { key?: KeyOverrides }) {
    const key = await makeAgent(test(), user, over)
    const { status, body } = await test().call('info', {}, { key })
    expect(status).toBe(200)
    return body
  }

  it('says who the key belongs to and what it can do', async () => {
    const user = await makeUser(test())
    expect(await infoOf(user, { label: 'Desk', agentType: 'editor', agentId: 'desk-1', preset: 'admin' })).toEqual({
      userId: user.userId,
      integrationId: expect.any(String),
      agentType: 'editor',
      label: 'Desk',
      agentId: 'desk-1',
      agentIds: 'any',
      actsAs: [],
      writePolicy: { persons: 'yes', agents: 'yes' },
      scopes: ['read', 'write', 'search', 'admin'],
      vaultId: user.vaultId,
      allowedVaultIds: [],
      restrictToVault: false,
      vaultScopePresets: {},
    })
  })

  it('lists the vaults of a restricted key and their separate presets', async () => {
    const user = await makeUser(test())
    const [a, b] = [await makeVault(test(), user), await makeVault(test(), user)]
    const vaults = [{ vaultId: a }, { vaultId: b, preset: 'read_only' as const }]
    expect(await infoOf(user, { restrictToVault: true, vaults, primaryVaultId: b })).toMatchObject({
      scopes: ['read', 'search'],
      vaultId: b,
      allowedVaultIds: [a, b],
      restrictToVault: true,
      vaultScopePresets: { [b]: 'read_only' },
    })
    expect(await infoOf(user, { restrictToVault: true, vaults })).toMatchObject({
      vaultId: a,
      scopes: ['read', 'write', 'search'],
    })
  })

  it('answers a key without any vault or without a default', async () => {
    const user = await makeUser(test())
    expect(await infoOf(user, { restrictToVault: true })).toMatchObject({
      vaultId: null,
      allowedVaultIds: [],
      restrictToVault: true,
    })
    expect(await infoOf(user, { primaryVaultId: null })).toMatchObject({ vaultId: null, restrictToVault: false })
  })

  it('respects the legacy restriction of a key', async () => {
    const user = await makeUser(test())
    const vaultId = await makeVault(test(), user)
    expect(await infoOf(user, { key: { vaultId } })).toMatchObject({
      vaultId,
      allowedVaultIds: [vaultId],
      restrictToVault: true,
    })
  })

  it('needs no scope and no encryption', async () => {
    const user = await makeUser(test())
    expect(await infoOf(user, { withoutWrap: true, preset: 'read_only' })).toMatchObject({ label: 'Test agent' })
  })
})
