import { expect, it } from 'vitest'
import { startDashboardApp, type DashboardApp } from '../../test/dashboard-app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { rotateUserKeys, rotateVaultKeys } from '../jobs/list-jobs.ts'
import { keptMs, knownMs } from '../rotation/scope-keys.ts'
import { exampleStoredKeys, type StoredKeys, storedKeysRecord } from '../rotation/stored-keys.ts'
import type { Caller } from './caller.ts'
import { describeStored, refuseStuck, rotateStored } from './rotate-keys-command.ts'

eachDialect('rotate-keys', (dialect) => {
  const callerOf = ({ operator }: DashboardApp): Pick<Caller, 'call' | 'isServer'> => ({
    isServer: true,
    async call({ name }, input) {
      const path = '/api/system/encryption-keys'
      const isRead = name === 'read-encryption-keys'
      const answer = isRead ? await operator('GET', path) : await operator('POST', `${path}/rotate`, input)
      return answer.body
    },
  })

  it.each(['users', 'vaults'] as const)(
    'ends once all keys of %s but the damaged ones are replaced, and names these',
    async (keys) => {
      const service = await startDashboardApp(dialect, {}, { runsJobs: false })
      const { clock } = service
      const { services } = service.app
      const owner = await service.setUp()
      const account = { email: 'grace@example.org', password: 'another long and private sentence' }
      await service.operator('POST', '/api/operator/users', account)
      await services.db.write((tx) =>
        tx
          .updateTable('vaultKeys')
          .set({ wrappedKey: Buffer.alloc(80) })
          .where('scopeId', '=', owner.vaultId)
          .execute(),
      )
      clock.now += 1
      let isDone = false
      const options = { json: true, wait: true } as const
      const waiting = rotateStored(callerOf(service), keys, options, { pollMs: 10 }).finally(() => (isDone = true))
      const job = { users: rotateUserKeys, vaults: rotateVaultKeys }[keys](services)
      await expect.poll(async () => (await readStored(service))[keys].askedAt).not.toBeNull()
      const run = () => job.run(new AbortController().signal)
      await run()
      // The new keys don't encrypt yet.
      expect(isDone).toBe(false)
      for (const ms of [knownMs, 0, keptMs]) {
        clock.now += ms
        await run()
      }
      const storedKeys = storedKeysRecord.parse((await waiting).storedKeys)
      expect(storedKeys[keys]).toMatchObject({ total: 2, left: 1, stuck: 1 })
      const named = keys === 'users' ? `user ${owner.userId}` : `vault ${owner.vaultId}`
      expect(() => refuseStuck(keys, storedKeys)).toThrow(
        expect.objectContaining({
          exitCode: 1,
          message: expect.stringContaining(named) as unknown,
          next: expect.stringContaining('run this command again') as unknown,
        }),
      )
      // Asking again tries again.
      await callerOf(service).call({ name: 'rotate-encryption-keys' } as never, { keys })
      expect((await readStored(service))[keys]).toMatchObject({ left: 1, stuck: 0 })
      await run()
      expect((await readStored(service))[keys]).toMatchObject({ left: 1, stuck: 1 })
    },
  )

  const readStored = async ({ operator }: DashboardApp): Promise<StoredKeys> =>
    storedKeysRecord.parse((await operator('GET', '/api/system/encryption-keys')).body['storedKeys'])
})

it.each(['users', 'vaults'] as const)(
  'rotate-keys %s says if it replaced nothing because it has just done so',
  (keys) => {
    const askedAt = '2026-11-22T09:00:00.000Z'
    const { users, vaults } = exampleStoredKeys
    const storedKeys = { users: { ...users, askedAt, left: 0 }, vaults: { ...vaults, askedAt, left: 0 } }
    const sayIf = (changed: boolean) => describeStored(keys, { changed, storedKeys, next: [] }, true)[0]
    expect(sayIf(true)).toMatch(/ were replaced\.$/)
    expect(sayIf(false)).toMatch(`This command replaced nothing: the rotation that began at ${askedAt}`)
  },
)
