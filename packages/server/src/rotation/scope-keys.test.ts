import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { eachDialect, onPostgres, type TestDialect } from '../../test/dialects.ts'
import { makeUser, makeVault } from '../../test/factories.ts'
import { watchSeals } from '../../test/fenced-writes.ts'
import { ascending, startAgent } from '../../test/scenarios.ts'
import { makeWorld, type World } from '../../test/sweep-world.ts'
import { createKeyring } from '../auth/keyring.ts'
import { ensurePrivateScope, findPrivateScope } from '../auth/private-scope-store.ts'
import { findUserActor } from '../auth/store.ts'
import { newId } from '../core/ids.ts'
import { asSealed, generationOf, openText, sealText } from '../crypto/cell.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { unlockVault } from '../jobs/each-vault.ts'
import { rotateVaultKeys } from '../jobs/list-jobs.ts'
import { deleteUserRows } from '../machine/delete-user-store.ts'
import { insertFactor } from '../sign-in/factor-store.ts'
import { insertPasskey } from '../sign-in/passkey-store.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { lockSettings } from '../vaults/settings-store.ts'
import { nextSeq } from '../vaults/store.ts'
import { sealAttempts } from '../webhooks/delivery-store.ts'
import { sealError } from '../webhooks/store.ts'
import { keptMs, knownMs } from './scope-keys.ts'
import { type Row, sealedPlaces } from './sealed-places.ts'
import { askForNewKeys, describeStoredKeys } from './stored-keys.ts'

const begin = Date.parse('2026-11-22T09:00:00.000Z')

interface Place {
  test: TestApp
  clock: { now: number }
  /** What the server's job does at its next turn. */
  turn(signal?: AbortSignal): Promise<void>
}

async function startPlace(dialect: TestDialect, maxSeals?: number): Promise<Place> {
  const clock = { now: begin }
  const test = await startTestApp({ dialect, now: () => clock.now, runsJobs: false })
  const job = rotateVaultKeys(test.app.services, maxSeals)
  return { test, clock, turn: (signal = new AbortController().signal) => job.run(signal) }
}

async function unlock({ app }: TestApp, { userId, vaultId }: World['user']) {
  const vault = await unlockVault(app.services, userId, vaultId)
  if (vault === undefined) throw new Error('the vault exists')
  return vault
}

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

async function generationsOfKeys({ test }: Place): Promise<number[]> {
  const keys = await test.app.services.db.read.selectFrom('vaultKeys').select('generation').execute()
  return keys.map(({ generation }) => generation).toSorted(ascending)
}

/** The generations of all cells in a column, of all users. */
async function generationsIn({ test }: Place, table: string, column: string): Promise<number[]> {
  const { rows } = await sql<{ cell: Uint8Array }>`
    select ${sql.ref(column)} as "cell" from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
    test.app.services.db.read,
  )
  return [...new Set(rows.map(({ cell }) => generationOf(asSealed(cell))))].toSorted(ascending)
}

async function generationsByColumn(place: Place): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {}
  for (const { table, columns } of sealedPlaces)
    for (const column of columns) found[`${table}.${column}`] = await generationsIn(place, table, column)
  return found
}

const allAre = (place: Readonly<Record<string, number[]>>, generations: number[]) =>
  Object.fromEntries(Object.keys(place).map((column) => [column, generations]))

/** Adds what a world of the sweeps lacks: at least one value in each sealed column. */
async function fillWorld({ test, clock }: Place): Promise<World> {
  const world = await makeWorld(test)
  const { user, integrationId, memoryId, noteId, messageId, taskId, key } = world
  const { vaultId } = user
  const as = (bearer: string) => async (name: string, body: object) => {
    const { status, text } = await test.call(name, body, { key: bearer })
    expect(status, `${name}: ${text}`).toBeLessThan(300)
  }
  const [agent, person] = [as(key), as(user.dashboardToken)]
  await agent('search-memories', { query: 'cat', agentId: 'ada' })
  await person('update-memory', { vaultId, memoryId, content: 'The cat is awake now.' })
  await person('update-integration', { id: integrationId, writePolicy: { persons: 'ask', agents: 'yes' } })
  await agent('update-memory', { memoryId, content: 'The cat is gone.' })
  await agent('update-note', { noteId, content: 'Cats sleep.' })
  await agent('update-task', { taskId, doneWhen: 'the bowl is empty' })
  await agent('ack-message', { messageId, note: 'seen' })
  await agent('update-settings', { settings: { customSignalKeywords: ['cat'] } })
  await agent('context-checkpoint', { sessionSummary: 'Fed the cat.', memories: [], agentRunId: 'run-of-cats' })
  const link = { sourceType: 'memory', sourceId: memoryId, targetType: 'note', targetId: noteId }
  await person('add-link', { vaultId, ...link, relationType: 'references', label: 'the same cat' })
  const source = { origin: { source: 'obsidian', name: 'Cats' }, records: [{ kind: 'note', title: 'Birds' }] }
  await person('import-records', { vaultId, importId: newId(), ...source })
  for (const content of ['Be kind.', 'Be kind to cats.']) {
    await person('update-document', { documentType: 'soul', vaultId, content })
    await person('update-default-document', { documentType: 'soul', content })
  }
  await storeRest(test, world)
  clock.now += 60_000
  await test.app.services.runs.flush()
  return world
}

/** What only time, a device or another server would write. */
async function storeRest({ app: { services } }: TestApp, { user, webhookId, deliveryId }: World): Promise<void> {
  const { db, keyring, indexes } = services
  const { userId, vaultId } = user
  await db.write(async (tx) => {
    const keys = await ensurePrivateScope(tx, keyring, user, begin)
    await insertFactor(tx, keys, { userId, secret: 'JBSWY3DPEHPK3PXP', at: begin, openSince: 0 })
    const lastError = sealError(keys, { userId, id: webhookId }, { problem: 'is down', revision: 2 })
    await tx
      .updateTable('webhooks')
      .set({ lastError, lastErrorRevision: 2 })
      .where('userId', '=', userId)
      .where('id', '=', webhookId)
      .execute()
    const delivery = { userId, id: deliveryId, attempts: null, attemptsRevision: 1 }
    await tx
      .updateTable('webhookDeliveries')
      .set(sealAttempts(keys, delivery, []))
      .where('userId', '=', userId)
      .where('id', '=', deliveryId)
      .execute()
  })
  const vault = await unlockVault(services, userId, vaultId)
  if (vault !== undefined) await indexes.save(vault)
}

/** Written again whenever an agent calls. */
const ofCalls = new Set<string>(['runs', 'runCalls', 'agentSightings'])

/** All cells of the world's user, opened, by their place. */
async function openAll({ app: { services } }: TestApp, { user, secondVaultId }: World): Promise<Map<string, string>> {
  const { db, keyring } = services
  const { userId, vaultId } = user
  const actor = await findUserActor(db.read, userId)
  const mine = actor && (await findPrivateScope(db.read, keyring, { userId, mek: keyring.mek(actor) }))
  const vaults = [await unlockVault(services, userId, vaultId), await unlockVault(services, userId, secondVaultId)]
  const scopes = new Map([mine, ...vaults.map((vault) => vault?.keys)].map((keys) => [keys?.scopeId, keys]))
  const opened = new Map<string, string>()
  for (const { table, columns, purposeOf, addressOf } of sealedPlaces) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)} where "userId" = ${userId}`.execute(db.read)
    for (const row of rows)
      for (const column of columns) {
        const cell = row[column]
        const address = addressOf(userId, row, column)
        const keys = scopes.get(address.scopeId)
        if (!(cell instanceof Uint8Array) || keys === undefined) continue
        const text = openText(keys, purposeOf(column), address, asSealed(cell))
        if (!ofCalls.has(table)) opened.set(JSON.stringify(address), text)
      }
  }
  return opened
}

/** Opens something in each table through the operations of the server. */
async function readAll(test: TestApp, { user, key, memoryId, noteId, taskId, runId }: World): Promise<void> {
  const { vaultId, dashboardToken: person } = user
  const calls: [string, string, object][] = [
    [key, 'read-memories', { memoryIds: [memoryId, taskId] }],
    [key, 'search-memories', { query: 'cat' }],
    [key, 'read-note', { noteId }],
    [key, 'list-notes', {}],
    [key, 'list-folders', {}],
    [key, 'list-tasks', {}],
    [key, 'get-links', { nodeType: 'memory', nodeId: memoryId }],
    [key, 'get-settings', {}],
    [key, 'list-active-agents', {}],
    [person, 'read-memory-history', { vaultId, id: memoryId }],
    [person, 'read-note-versions', { vaultId, id: noteId }],
    [person, 'list-vaults', {}],
    [person, 'list-documents', { vaultId }],
    [person, 'read-document-versions', { vaultId, documentType: 'soul' }],
    [person, 'list-default-documents', {}],
    [person, 'read-default-document-versions', { documentType: 'soul' }],
    [person, 'list-threads', { vaultId }],
    [person, 'list-imports', { vaultId }],
    [person, 'list-webhooks', {}],
    [person, 'list-webhook-deliveries', {}],
    [person, 'list-passkeys', {}],
    [person, 'list-sessions', {}],
    [person, 'list-runs', { vaultId }],
    [person, 'list-run-calls', { vaultId, runId }],
    [person, 'list-run-turns', { vaultId, runId }],
  ]
  for (const [bearer, name, body] of calls) {
    const { status, text } = await test.call(name, body, { key: bearer })
    expect(status, `${name}: ${text}`).toBe(200)
  }
}

eachDialect('the keys of vaults', (dialect) => {
  it('are replaced in every sealed column, step by step, while everything stays readable', async () => {
    const place = await startPlace(dialect)
    const { test, clock, turn } = place
    const unchecked = watchSeals(test.app.services.db)
    const world = await fillWorld(place)
    expect(unchecked).toEqual([])
    const all = await generationsByColumn(place)
    expect(all).toEqual(allAre(all, [1]))
    const before = await openAll(test, world)
    expect(before.size).toBeGreaterThan(50)
    const { services } = test.app
    const describeNow = async () => (await describeStoredKeys(services, clock.now)).vaults

    expect(await askForNewKeys(services, 'vaults')).toBe(true)
    expect(await askForNewKeys(services, 'vaults')).toBe(false)
    await turn()
    expect(await describeNow()).toMatchObject({ left: 3, total: 3, changing: [{ step: 'announced' }, {}, {}] })
    await turn()
    expect(await generationsByColumn(place)).toEqual(all)

    clock.now += knownMs
    const { key, secondVaultId: vaultId } = world
    const written = await test.call('write-memory', { content: 'A dog came.', vaultId }, { key })
    expect(await generationsIn(place, 'memories', 'body')).toEqual([1, 2])
    await readAll(test, world)
    await turn()
    expect(await generationsByColumn(place)).toEqual(allAre(all, [2]))
    expect(await describeNow()).toMatchObject({ left: 3, changing: [{ step: 'kept' }, {}, {}] })
    const memoryIds = [String(written.body['memoryId'])]
    expect((await test.call('read-memories', { memoryIds, vaultId }, { key })).status).toBe(200)
    await readAll(test, world)

    clock.now += keptMs - 1
    await turn()
    expect((await describeNow()).left).toBe(3)
    clock.now += 1
    await turn()
    expect(await describeNow()).toMatchObject({ left: 0, rowsDone: 0, rowsTotal: 0, changing: [] })
    const keys = await services.db.read.selectFrom('vaultKeys').select(['generation', 'wrappedWords']).execute()
    expect(keys.map(({ generation }) => generation)).toEqual([2, 2, 2])
    services.keyring.forgetKeys()
    await readAll(test, world)
    const after = await openAll(test, world)
    for (const [at, text] of before) expect([at, after.get(at)]).toEqual([at, text])
    expect(await askForNewKeys(services, 'vaults')).toBe(true)
  })

  it('are not replaced as long as a value is damaged, which the log names', async () => {
    const place = await startPlace(dialect)
    const { test, clock, turn } = place
    const { services } = test.app
    const agent = await startAgent(test)
    const [memoryId, other] = [await agent.write('The cat sleeps.'), await agent.write('The dog sleeps.')]
    const row = services.db.read.selectFrom('memories').select('body').where('id', '=', other)
    const moved = await row.executeTakeFirstOrThrow()
    await services.db.write((tx) => tx.updateTable('memories').set(moved).where('id', '=', memoryId).execute())
    await askForNewKeys(services, 'vaults')
    for (const ms of [knownMs, keptMs, keptMs, 0]) {
      await turn()
      clock.now += ms
    }
    expect(await generationsIn(place, 'memories', 'body')).toEqual([1, 2])
    const keys = await services.db.read.selectFrom('vaultKeys').select('generation').execute()
    expect(keys.map(({ generation }) => generation).toSorted(ascending)).toEqual([1, 2])
    expect(test.log()).toContain('"code":"memories.body"')
    const { vaultId, userId } = agent.user
    expect((await describeStoredKeys(services, clock.now)).vaults).toMatchObject({
      left: 1,
      stuck: 1,
      stuckScopes: [{ userId, vaultId }],
    })
    expect(test.log().match(/a value is damaged/g)?.length).toBeLessThan(4)
    await agent.read(other)
    // Deleting the record is the way out.
    await services.db.write((tx) => tx.deleteFrom('memories').where('id', '=', memoryId).execute())
    clock.now += 3_600_000
    await turn()
    expect((await services.db.read.selectFrom('vaultKeys').select('generation').execute()).length).toBe(1)
    expect((await describeStoredKeys(services, clock.now)).vaults).toMatchObject({ left: 0, stuck: 0, stuckScopes: [] })
  })

  it('are replaced although a vault and a user are deleted meanwhile', async () => {
    const { test, clock, turn } = await startPlace(dialect)
    const { services } = test.app
    const [kept, deleted] = [await startAgent(test), await makeUser(test)]
    await kept.write('The cat sleeps.')
    const vaultId = await makeVault(test, kept.user)
    await askForNewKeys(services, 'vaults')
    await turn()
    clock.now += knownMs + keptMs
    const { write } = services.db
    // The keys have been listed at the first write of the job.
    services.db.write = async (work) => {
      services.db.write = write
      await write(async (tx) => {
        await deleteUserRows(tx, deleted.userId)
        await tx.deleteFrom('vaultKeys').where('scopeId', '=', vaultId).execute()
      })
      return write(work)
    }
    await turn()
    await turn()
    const { vaults } = await describeStoredKeys(services, clock.now)
    expect(vaults).toMatchObject({ total: 1, left: 0, stuck: 0 })
    expect(await kept.search('cat')).toHaveLength(1)
  })

  it('are replaced by themselves once they have sealed as many values as a key may', async () => {
    const place = await startPlace(dialect, 100)
    const { test, clock, turn } = place
    const { services } = test.app
    const [busy, calm] = [await startAgent(test), await startAgent(test)]
    await calm.write('The cat sleeps.')
    for (let at = 0; at < 40; at++) await busy.write(`The cat sleeps in place ${at}.`)
    await services.seals.flush()
    for (const ms of [knownMs, keptMs, 0]) {
      await turn()
      clock.now += ms
    }
    const keys = await services.db.read.selectFrom('vaultKeys').select(['scopeId', 'generation', 'seals']).execute()
    const generationOfVault = ({ user }: typeof busy) =>
      keys.find(({ scopeId }) => scopeId === user.vaultId)?.generation
    expect([generationOfVault(busy), generationOfVault(calm)]).toEqual([2, 1])
    expect(keys.find(({ scopeId }) => scopeId === calm.user.vaultId)?.seals).toBeGreaterThan(2)
    expect(await busy.search('place 17')).toHaveLength(10)
  })

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

  it('survive a clock that is moved back', async () => {
    const { test, clock, turn } = await startPlace(dialect)
    const { services } = test.app
    const agent = await startAgent(test)
    const memoryId = await agent.write('The cat sleeps.')
    await askForNewKeys(services, 'vaults')
    for (const ms of [knownMs + keptMs, 0]) {
      await turn()
      clock.now += ms
    }
    expect(await services.db.read.selectFrom('vaultKeys').select('generation').execute()).toEqual([{ generation: 2 }])
    clock.now = begin
    services.keyring.forgetKeys()
    expect(await agent.read(memoryId)).toMatchObject({ content: 'The cat sleeps.' })
    await agent.write('The cat is awake.')
  })

  it('are replaced by two servers at once, and known to both before they are used', async () => {
    const place = await startPlace(dialect)
    const { test, clock } = place
    const { services } = test.app
    const agent = await startAgent(test)
    const ids: string[] = []
    for (let at = 0; at < 80; at++) ids.push(await agent.write(`The cat sleeps in place ${at}.`))
    const keyring = createKeyring(services.instance, () => clock.now)
    const jobs = [rotateVaultKeys(services), rotateVaultKeys({ ...services, keyring })]
    const turns = () => Promise.all(jobs.map((job) => job.run(new AbortController().signal)))
    await askForNewKeys(services, 'vaults')
    for (const ms of [knownMs, 0, keptMs, 0]) {
      await turns()
      expect((await agent.call('read-memories', { memoryIds: ids.slice(0, 50) })).body['notFound']).toEqual([])
      clock.now += ms
    }
    expect(await services.db.read.selectFrom('vaultKeys').select('generation').execute()).toEqual([{ generation: 2 }])
    expect(await generationsIn(place, 'memories', 'body')).toEqual([2])
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
