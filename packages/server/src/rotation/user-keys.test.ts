import { expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { eachDialect, type TestDialect } from '../../test/dialects.ts'
import { makeAgent, makeVault } from '../../test/factories.ts'
import { makeWorld } from '../../test/sweep-world.ts'
import { findUserActor } from '../auth/store.ts'
import { keyCheckValue } from '../crypto/keys.ts'
import { createKeyring } from '../auth/keyring.ts'
import { rotateUserKeys } from '../jobs/list-jobs.ts'
import { changeRootKey } from './root-key.ts'
import { knownMs } from './scope-keys.ts'
import { askForNewKeys, describeStoredKeys } from './stored-keys.ts'

const begin = Date.parse('2026-11-22T09:00:00.000Z')

async function startPlace(dialect: TestDialect) {
  const clock = { now: begin }
  const test = await startTestApp({ dialect, now: () => clock.now, runsJobs: false })
  const job = rotateUserKeys(test.app.services)
  return { test, clock, turn: () => job.run(new AbortController().signal) }
}

async function checkOf({ app: { services } }: TestApp, userId: string): Promise<Buffer> {
  const actor = await findUserActor(services.db.read, userId)
  if (actor === undefined) throw new Error('the user is gone')
  return keyCheckValue(createKeyring(services.instance).mek(actor).key)
}

eachDialect('the master keys of users', (dialect) => {
  it('are replaced once every call knows the next ones, and open everything as before', async () => {
    const { test, clock, turn } = await startPlace(dialect)
    const { services } = test.app
    const { user, key, memoryId } = await makeWorld(test)
    const read = async (bearer: string) => {
      const { status, text } = await test.call('read-memories', { memoryIds: [memoryId] }, { key: bearer })
      expect(status, text).toBe(200)
    }
    const before = await checkOf(test, user.userId)
    const early = await findUserActor(services.db.read, user.userId)
    expect(await askForNewKeys(services, 'users')).toBe(true)
    await turn()
    expect((await describeStoredKeys(services, clock.now)).users).toMatchObject({ total: 2, left: 2 })
    expect(await checkOf(test, user.userId)).toEqual(before)
    expect(early?.nextWrappedMek).toBeUndefined()
    const meanwhile = await findUserActor(services.db.read, user.userId)
    const between = await makeAgent(test, user)
    await read(between)

    clock.now += knownMs
    await turn()
    expect((await describeStoredKeys(services, clock.now)).users).toMatchObject({ total: 2, left: 0 })
    const after = await checkOf(test, user.userId)
    expect(after).not.toEqual(before)
    services.keyring.forgetKeys()
    await read(key)
    await read(between)
    await read(await makeAgent(test, user))
    // A call that began before the switch opens keys that it reads after it, and creates vaults under the new key.
    const mek = meanwhile && services.keyring.mek(meanwhile)
    if (mek === undefined) throw new Error('the user is gone')
    const vaultId = await makeVault(test, { ...user, mek })
    const listed = await test.call('list-vaults', {}, { key: user.dashboardToken })
    expect((listed.body['vaults'] as { vaultId: string }[]).map((vault) => vault.vaultId)).toContain(vaultId)
    const rows = await services.db.read.selectFrom('vaultKeys').select('mekVersion').execute()
    expect(new Set(rows.map(({ mekVersion }) => mekVersion))).toEqual(new Set([2]))
  })

  it('stay readable if the root key is rotated in the middle', async () => {
    const { test, clock, turn } = await startPlace(dialect)
    const { services } = test.app
    const { user, key, memoryId } = await makeWorld(test)
    await askForNewKeys(services, 'users')
    await turn()
    expect(await changeRootKey(services)).toMatchObject({ changed: true, damaged: 0 })
    clock.now += knownMs
    await turn()
    services.keyring.forgetKeys()
    expect((await test.call('read-memories', { memoryIds: [memoryId] }, { key })).status).toBe(200)
    expect((await test.call('list-vaults', {}, { key: user.dashboardToken })).status).toBe(200)
  })

  it('of a user with a damaged vault key stay as they are', async () => {
    const { test, clock, turn } = await startPlace(dialect)
    const { services } = test.app
    const [broken, whole] = [await makeWorld(test), await makeWorld(test)]
    const damaged = await services.db.read
      .selectFrom('vaultKeys')
      .select('wrappedKey')
      .where('scopeId', '=', broken.secondVaultId)
      .executeTakeFirstOrThrow()
    await services.db.write((tx) =>
      tx.updateTable('vaultKeys').set(damaged).where('scopeId', '=', broken.user.vaultId).execute(),
    )
    const before = await checkOf(test, broken.user.userId)
    const kept = await checkOf(test, whole.user.userId)
    await askForNewKeys(services, 'users')
    for (let at = 0; at < 3; at++) {
      await turn()
      clock.now += knownMs
    }
    expect(await checkOf(test, broken.user.userId)).toEqual(before)
    expect(await checkOf(test, whole.user.userId)).not.toEqual(kept)
    expect((await describeStoredKeys(services, clock.now)).users).toMatchObject({
      total: 4,
      left: 1,
      stuck: 1,
      stuckUserIds: [broken.user.userId],
    })
    expect(test.log().match(/their keys can’t be replaced/g)).toHaveLength(1)
  })
})
