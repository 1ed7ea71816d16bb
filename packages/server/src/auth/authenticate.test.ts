import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeAgent, makeAgentKey, makeIntegration, makeUser, makeVault } from '../../test/factories.ts'
import { newSecret } from '../crypto/secrets.ts'
import { createAuthenticator, type Credentials } from './authenticate.ts'

const credentials = (over: Partial<Credentials> = {}): Credentials => ({
  authorization: [],
  session: undefined,
  sessionKey: undefined,
  requestedWith: undefined,
  origin: undefined,
  host: 'localhost',
  actAs: undefined,
  isWrite: true,
  ...over,
})

const bearer = (...keys: string[]) => credentials({ authorization: keys.map((key) => `Bearer ${key}`) })

eachDialect('authenticate', (dialect) => {
  const test = useTestApp({ dialect })

  function makeAuthenticator(now: () => number = Date.now) {
    const { services, operatorToken } = test().app
    return createAuthenticator({ db: services.db.read, lastUsed: services.lastUsed, operatorToken, now })
  }

  it('reads the actor again on every call', async () => {
    const user = await makeUser(test())
    const second = await makeVault(test(), user)
    const integrationId = await makeIntegration(test(), user, {
      preset: 'admin',
      restrictToVault: true,
      vaults: [{ vaultId: second, preset: 'read_only' }, { vaultId: user.vaultId }],
    })
    const key = await makeAgentKey(test(), user, integrationId)
    const { agent } = makeAuthenticator()
    expect(await agent(bearer(key))).toMatchObject({
      kind: 'agent',
      userId: user.userId,
      integrationId,
      preset: 'admin',
      isActive: true,
      restrictToVault: true,
      primaryVaultId: user.vaultId,
      grants: new Map([
        [user.vaultId, undefined],
        [second, 'read_only'],
      ]),
      keyVaultId: undefined,
    })
    await test().app.services.db.write(async (tx) => {
      await tx
        .updateTable('integrations')
        .set({ preset: 'read_only', isActive: 0 })
        .where('id', '=', integrationId)
        .execute()
      await tx
        .deleteFrom('vaultGrants')
        .where('integrationId', '=', integrationId)
        .where('vaultId', '=', second)
        .execute()
    })
    const changed = await agent(bearer(key))
    expect(changed).toMatchObject({
      preset: 'read_only',
      isActive: false,
      grants: new Map([[user.vaultId, undefined]]),
    })
  })

  it('returns the same error for every kind of wrong key', async () => {
    const user = await makeUser(test())
    const good = await makeAgent(test(), user)
    const revoked = await makeAgent(test(), user, { key: { isRevoked: true } })
    const expired = await makeAgent(test(), user, { key: { expiresAt: Date.now() - 1 } })
    const { agent } = makeAuthenticator()
    expect(await agent(bearer(good))).toMatchObject({ userId: user.userId })
    const wrong: Record<string, readonly string[]> = {
      'no header': [],
      'an empty header': [''],
      'no key': ['Bearer'],
      'an empty key': ['Bearer '],
      'another scheme': [`Basic ${good}`],
      'the bare key': [good],
      'another prefix': [`Bearer hfd_${good.slice(4)}`],
      'a bad checksum': [`Bearer ${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`],
      'a key nobody has': [`Bearer ${newSecret('svc_')}`],
      'a key cut short': [`Bearer ${good.slice(0, -1)}`],
      'upper case': [`Bearer ${good.toUpperCase()}`],
      'two spaces': [`Bearer  ${good}`],
      'spaces behind': [`Bearer ${good} `],
      'a NUL inside': [`Bearer ${good.slice(0, 20)}\u0000${good.slice(21)}`],
      'two keys in one header': [`Bearer ${good}, Bearer ${good}`],
      'two headers': [`Bearer ${good}`, `Bearer ${good}`],
      'a header before it': ['Basic eA==', `Bearer ${good}`],
      revoked: [`Bearer ${revoked}`],
      expired: [`Bearer ${expired}`],
      "a person's token": [`Bearer ${user.dashboardToken}`],
    }
    for (const [kind, authorization] of Object.entries(wrong))
      await expect(agent(credentials({ authorization })), kind).rejects.toMatchObject({
        code: 'unauthenticated',
        message: 'Invalid or missing agent key',
      })
  })

  it('accepts the scheme in any letter case', async () => {
    const key = await makeAgent(test(), await makeUser(test()))
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect(await makeAuthenticator().agent(credentials({ authorization: [`${scheme} ${key}`] }))).toBeDefined()
  })

  it('rejects a key from the moment it expires', async () => {
    const at = Date.now() + 60_000
    const key = await makeAgent(test(), await makeUser(test()), { key: { expiresAt: at } })
    expect(await makeAuthenticator(() => at - 1).agent(bearer(key))).toBeDefined()
    await expect(makeAuthenticator(() => at).agent(bearer(key))).rejects.toThrow('Invalid or missing agent key')
  })

  it('rejects a key whose integration was deleted', async () => {
    const user = await makeUser(test())
    const integrationId = await makeIntegration(test(), user)
    const key = await makeAgentKey(test(), user, integrationId)
    await test().app.services.db.write((tx) => tx.deleteFrom('integrations').where('id', '=', integrationId).execute())
    await expect(makeAuthenticator().agent(bearer(key))).rejects.toThrow('Invalid or missing agent key')
  })

  it('records when a key was last used, without a separate write', async () => {
    const user = await makeUser(test())
    const key = await makeAgent(test(), user)
    const { db, lastUsed } = test().app.services
    const lastUse = () =>
      db.read.selectFrom('agentKeys').select('lastUsedAt').where('userId', '=', user.userId).executeTakeFirst()
    await makeAuthenticator(() => 1_795_000_000_000).agent(bearer(key))
    expect(await lastUse()).toEqual({ lastUsedAt: null })
    await lastUsed.flush()
    expect(await lastUse()).toEqual({ lastUsedAt: 1_795_000_000_000 })
  })

  it("accepts a person's token for the dashboard, but no agent key and no two credentials", async () => {
    const user = await makeUser(test())
    const key = await makeAgent(test(), user)
    const { person } = makeAuthenticator()
    expect(await person(bearer(user.dashboardToken))).toMatchObject({ kind: 'person', userId: user.userId })
    for (const wrong of [
      credentials(),
      bearer(key),
      bearer(user.dashboardToken, user.dashboardToken),
      bearer(newSecret('hfd_')),
    ])
      await expect(person(wrong)).rejects.toThrow('Invalid or missing dashboard session')
  })

  it("lets the operator's token act for a named user, or for the owner by default", async () => {
    const { token } = test().app.operatorToken
    const user = await makeUser(test())
    const { person, operator, agent } = makeAuthenticator()
    expect(await person({ ...bearer(token), actAs: user.userId })).toMatchObject({ userId: user.userId })
    await expect(person({ ...bearer(token), actAs: 'nobody' })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(person(bearer(token))).rejects.toThrow(/User not found/)
    const owner = await makeUser(test(), { isOwner: true })
    expect(await person(bearer(token))).toMatchObject({ userId: owner.userId, isOwner: true })
    operator(bearer(token))
    await expect(agent(bearer(token))).rejects.toThrow('Invalid or missing agent key')
  })

  it('accepts only the operator token of the current run', async () => {
    const user = await makeUser(test())
    const key = await makeAgent(test(), user)
    const { token } = test().app.operatorToken
    const { operator } = makeAuthenticator()
    for (const wrong of [
      credentials(),
      bearer(key),
      bearer(user.dashboardToken),
      bearer(newSecret('hfo_')),
      bearer(token, token),
    ])
      expect(() => operator(wrong)).toThrow('Invalid or missing operator token')
  })
})
