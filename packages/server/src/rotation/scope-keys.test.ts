import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { TestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser, makeVault } from '../../test/factories.ts'
import { watchSeals } from '../../test/fenced-writes.ts'
import { ascending, startAgent } from '../../test/scenarios.ts'
import { check } from '../../test/seeded-damages.ts'
import { makeWorld, type World } from '../../test/sweep-world.ts'
import { createKeyring } from '../auth/keyring.ts'
import { ensurePrivateScope, findPrivateScope } from '../auth/private-scope-store.ts'
import { findUserActor } from '../auth/store.ts'
import { newId } from '../core/ids.ts'
import { asSealed, openText } from '../crypto/cell.ts'
import { unlockVault } from '../jobs/each-vault.ts'
import { rotateVaultKeys } from '../jobs/list-jobs.ts'
import { deleteUserRows } from '../machine/delete-user-store.ts'
import { insertFactor } from '../sign-in/factor-store.ts'
import { sealAttempts } from '../webhooks/delivery-store.ts'
import { sealError } from '../webhooks/store.ts'
import { keptMs, knownMs } from './scope-keys.ts'
import { type Row, sealedPlaces } from './sealed-places.ts'
import { askForNewKeys, describeStoredKeys } from './stored-keys.ts'
import { begin, generationsIn, type Place, startPlace } from './testing/place.ts'

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
  // Stores what it remembers.
  await check(test, false)
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

/** Written again whenever an agent calls, or a check finds more records. */
const writtenAgain = new Set<string>(['runs', 'runCalls', 'agentSightings', 'vaultDigests'])

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
        if (!writtenAgain.has(table)) opened.set(JSON.stringify(address), text)
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
    expect(await describeNow()).toMatchObject({ left: 4, total: 4, changing: [{ step: 'announced' }, {}, {}, {}] })
    await turn()
    expect(await generationsByColumn(place)).toEqual(all)

    clock.now += knownMs
    const { key, secondVaultId: vaultId } = world
    const written = await test.call('write-memory', { content: 'A dog came.', vaultId }, { key })
    expect(await generationsIn(place, 'memories', 'body')).toEqual([1, 2])
    await readAll(test, world)
    await turn()
    expect(await generationsByColumn(place)).toEqual(allAre(all, [2]))
    expect((await check(test, false)).filter(({ table }) => table === 'vaultDigests')).toEqual([])
    expect(await describeNow()).toMatchObject({ left: 4, changing: [{ step: 'kept' }, {}, {}, {}] })
    const memoryIds = [String(written.body['memoryId'])]
    expect((await test.call('read-memories', { memoryIds, vaultId }, { key })).status).toBe(200)
    await readAll(test, world)

    clock.now += keptMs - 1
    await turn()
    expect((await describeNow()).left).toBe(4)
    clock.now += 1
    await turn()
    expect(await describeNow()).toMatchObject({ left: 0, rowsDone: 0, rowsTotal: 0, changing: [] })
    const keys = await services.db.read.selectFrom('vaultKeys').select(['generation', 'wrappedWords']).execute()
    expect(keys.map(({ generation }) => generation)).toEqual([2, 2, 2, 2])
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
        await deleteUserRows(tx, deleted.userId, Date.now())
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
