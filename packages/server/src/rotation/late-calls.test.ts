import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { eachDialect, onPostgres } from '../../test/dialects.ts'
import { makeUser, makeVault } from '../../test/factories.ts'
import { startAgent } from '../../test/scenarios.ts'
import { ensurePrivateScope } from '../auth/private-scope-store.ts'
import { newId } from '../core/ids.ts'
import { sealText } from '../crypto/cell.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { insertPasskey } from '../sign-in/passkey-store.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { lockSettings } from '../vaults/settings-store.ts'
import { nextSeq } from '../vaults/store.ts'
import { keptMs, knownMs } from './scope-keys.ts'
import { sealedPlaces } from './sealed-places.ts'
import { askForNewKeys } from './stored-keys.ts'
import { begin, generationsIn, generationsOfKeys, type Place, startPlace, unlock } from './testing/place.ts'

/** Calls that seal under a key which a rotation has replaced in the meantime. */

/** What a call does that stores another text under the vault's next number. */
async function changeBody(tx: Tx, vault: VaultScope, memoryId: string, text: string): Promise<void> {
  await nextSeq(tx, vault)
  const memories = sealedPlaces.find(({ table }) => table === 'memories')
  const row = await tx.selectFrom('memories').selectAll().where('id', '=', memoryId).executeTakeFirst()
  if (memories === undefined || row === undefined) throw new Error('both exist')
  const body = sealText(vault.keys, 'content', memories.addressOf(vault.userId, { ...row }, 'body'), text)
  await tx.updateTable('memories').set({ body }).where('id', '=', memoryId).execute()
}

/** Lets time pass and the job run while a call is suspended before its commit. It goes on once the job wants to write. */
async function turnDuring({ test, clock, turn }: Place, ms: number, work: (tx: Tx) => Promise<void>): Promise<void> {
  const { db } = test.app.services
  const [held, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const suspended = db.write(async (tx) => {
    await work(tx)
    held.resolve()
    await waiting.promise
  })
  await held.promise
  clock.now += ms
  const { write } = db
  db.write = (next) => {
    waiting.resolve()
    return write(next)
  }
  await Promise.all([turn(), suspended])
  db.write = write
}

eachDialect('the former keys of vaults', (dialect) => {
  it('are kept until a last check has found what late calls sealed under them', async () => {
    const { test, clock, turn } = await startPlace(dialect)
    const { services } = test.app
    const agent = await startAgent(test)
    const memoryId = await agent.write('The cat sleeps.')
    const late = await unlock(test, agent.user)
    await askForNewKeys(services, 'vaults')
    await turn()
    clock.now += knownMs
    await turn()
    // A call that began before the rotation commits only now.
    await services.db.write((tx) => changeBody(tx, late, memoryId, 'The cat is awake.'))
    clock.now += keptMs
    await turn()
    const keys = await services.db.read.selectFrom('vaultKeys').select('generation').execute()
    expect(keys).toEqual([{ generation: 2 }])
    expect(await agent.read(memoryId)).toMatchObject({ content: 'The cat is awake.' })
  })

  it('are refused to a call that was suspended until they were gone', async () => {
    const { test, clock, turn } = await startPlace(dialect)
    const { services } = test.app
    const agent = await startAgent(test)
    const memoryId = await agent.write('The cat sleeps.')
    const vault = await unlock(test, agent.user)
    await askForNewKeys(services, 'vaults')
    for (const ms of [knownMs, keptMs, 0]) {
      await turn()
      clock.now += ms
    }
    // Its index entries aren't taken for damaged.
    services.indexes.forget(vault.id)
    const refused = { code: 'unavailable', message: expect.stringContaining('try again') as unknown }
    const late = [
      (tx: Tx) => changeBody(tx, vault, memoryId, 'The cat is awake.'),
      (tx: Tx) => lockVault(tx, vault),
      (tx: Tx) => lockSettings(tx, vault),
    ]
    for (const work of late)
      await expect(services.db.write(async (tx) => void (await work(tx)))).rejects.toMatchObject(refused)
    await expect(services.indexes.read(vault, ({ size }) => size)).rejects.toMatchObject(refused)
    expect(await agent.read(memoryId)).toMatchObject({ content: 'The cat sleeps.' })
    await agent.write('The cat is awake.')
    expect(await agent.search('cat')).toHaveLength(2)
  })
})

// SQLite has one connection: nothing else runs while a transaction is open.
onPostgres('the former keys of vaults', (dialect) => {
  it('are kept for a call that was suspended before its commit', async () => {
    const place = await startPlace(dialect)
    const { test, clock, turn } = place
    const agent = await startAgent(test)
    const memoryId = await agent.write('The cat sleeps.')
    const vault = await unlock(test, agent.user)
    await askForNewKeys(test.app.services, 'vaults')
    await turn()
    clock.now += knownMs
    await turn()
    await turnDuring(place, keptMs, (tx) => changeBody(tx, vault, memoryId, 'The cat is awake.'))
    await turn()
    expect(await generationsOfKeys(place)).toEqual([2])
    expect(await agent.read(memoryId)).toMatchObject({ content: 'The cat is awake.' })
  })

  it('are kept for a call outside of vaults that was suspended before its commit', async () => {
    const place = await startPlace(dialect)
    const { test, turn } = place
    const { instance, keyring } = test.app.services
    const user = await makeUser(test)
    const owner = { userId: user.userId, mek: user.mek }
    await test.app.services.db.write((tx) => ensurePrivateScope(tx, keyring, owner, begin))
    await askForNewKeys(test.app.services, 'vaults')
    await turn()
    const credential = { id: 'AA', publicKey: 'AA', transports: [] }
    await turnDuring(place, knownMs + keptMs, async (tx) => {
      const keys = await ensurePrivateScope(tx, keyring, owner, begin)
      const passkey = { id: newId(), userId: user.userId, name: 'Phone', credential, counter: 0, at: begin }
      await insertPasskey(tx, instance, keys, passkey)
    })
    await turn()
    expect(await generationsOfKeys(place)).toEqual([2, 2])
    const { body } = await test.call('list-passkeys', {}, { key: user.dashboardToken })
    expect(body['passkeys']).toMatchObject([{ name: 'Phone' }])
  })
})

onPostgres('a row that a call has locked', (dialect) => {
  it('is waited for, however often it is locked', async () => {
    const place = await startPlace(dialect)
    const { test, clock, turn } = place
    const { db } = test.app.services
    const agent = await startAgent(test)
    await agent.write('The cat sleeps.')
    // Vaults are sealed in batches.
    await makeVault(test, agent.user)
    await askForNewKeys(test.app.services, 'vaults')
    await turn()
    clock.now += knownMs
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const vault = await unlock(test, agent.user)
    const writing = db.write(async (tx) => {
      await nextSeq(tx, vault)
      held.resolve()
      await released
    })
    await held.promise
    const turning = turn()
    const waiting = sql<{ count: number }>`
      select count(*) as "count" from pg_stat_activity where "wait_event_type" = 'Lock' and "datname" = current_database()`
    await expect.poll(async () => Number((await waiting.execute(db.read)).rows[0]?.count)).toBeGreaterThan(0)
    release()
    await Promise.all([writing, turning])
    expect(await generationsIn(place, 'vaults', 'profile')).toEqual([2])
    expect(await generationsIn(place, 'memories', 'body')).toEqual([2])
  })
})
