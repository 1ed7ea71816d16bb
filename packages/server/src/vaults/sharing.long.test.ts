import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { migratedTemplate } from '../../test/database.ts'
import { eachDialect, onPostgres } from '../../test/dialects.ts'
import { makeMember, makeUser, type TestUser } from '../../test/factories.ts'
import { rotateUserKeys } from '../jobs/list-jobs.ts'
import { keptMs, knownMs } from '../rotation/scope-keys.ts'
import { askForNewKeys } from '../rotation/stored-keys.ts'
import { startPlace } from '../rotation/testing/place.ts'

/** A shared vault when its keys are replaced, and on several servers. */

const listAs = (test: TestApp, { dashboardToken: key }: TestUser, vaultId: string) =>
  test.call('list-memories', { vaultId }, { key })

eachDialect('a shared vault', (dialect) => {
  it('stays open to its members when the keys of its owner and of the vault are replaced', async () => {
    const place = await startPlace(dialect)
    const { test, clock, turn } = place
    const [ann, bob] = [await makeUser(test), await makeUser(test)]
    await makeMember(test, ann, bob.userId, 'editor')
    const { vaultId } = ann
    const write = async (content: string) =>
      (await test.call('write-memory', { vaultId, content }, { key: bob.dashboardToken })).status
    expect(await write('The gate is green.')).toBe(201)
    const users = rotateUserKeys(test.app.services)
    await askForNewKeys(test.app.services, 'users')
    await askForNewKeys(test.app.services, 'vaults')
    for (const ms of [0, knownMs, knownMs, keptMs, keptMs]) {
      clock.now += ms
      await users.run(new AbortController().signal)
      await turn()
      test.app.services.keyring.forgetKeys()
      expect(await write(`At ${clock.now}, someone was here.`)).toBe(201)
      expect((await listAs(test, bob, vaultId)).body).toMatchObject({ memories: expect.any(Array) as unknown[] })
    }
    const keys = await test.app.services.db.read
      .selectFrom('vaultKeys')
      .select(['generation', 'mekVersion'])
      .where('userId', '=', ann.userId)
      .where('scopeId', '=', vaultId)
      .execute()
    expect(keys).toEqual([{ generation: 2, mekVersion: 2 }])
    expect((await listAs(test, bob, vaultId)).body).toMatchObject({ total: 6 })
  })
})

onPostgres('on two servers of one database', (dialect) => {
  it('a member who was removed through one gets nothing from the other at the next call', async () => {
    const store = await dialect.freshUrl(migratedTemplate)
    const same = { ...dialect, freshUrl: () => Promise.resolve(store) }
    const dir = await mkdtemp(join(tmpdir(), 'holdfast-keys-'))
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    const start = () =>
      startTestApp({
        dialect: same,
        runsJobs: false,
        config: { rootKey: { given: undefined, command: undefined, dir } },
      })
    const first = await start()
    const second = await start()
    const [ann, bob] = [await makeUser(first), await makeUser(first)]
    await makeMember(first, ann, bob.userId, 'admin')
    expect((await listAs(second, bob, ann.vaultId)).status).toBe(200)
    const remove = { vaultId: ann.vaultId, userId: bob.userId }
    expect((await first.call('delete-vault-member', remove, { key: ann.dashboardToken })).status).toBe(200)
    expect((await listAs(second, bob, ann.vaultId)).status).toBe(404)
    expect((await listAs(first, bob, ann.vaultId)).status).toBe(404)
  })
})
