import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startDashboardApp, ownerPassword, type DashboardApp, ascending, textOf } from '../../test/dashboard-app.ts'
import { startTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser, makeVault } from '../../test/factories.ts'
import type { Database } from '../db/dialect.ts'
import { finishErasures } from '../jobs/list-jobs.ts'
import { unlockVault } from '../jobs/each-vault.ts'
import { findMemories } from '../memories/store.ts'
import { destroyKeys, eraseRows } from './erase-store.ts'

interface Vault {
  vaultId: string
  name: string
  isDefault: boolean
  version: number
}

async function startWithOwner(start: () => Promise<DashboardApp>) {
  const service = await start()
  const owner = await service.setUp()
  const as = (bearer: string) => (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    service.send(method, path, { bearer, ...(body !== undefined && { body }) })
  const mine = as(owner.dashboardToken)
  const add = async (name: string) => (await mine('POST', '/api/vaults', { name })).body as unknown as Vault
  const list = async () => (await mine('GET', '/api/vaults')).body.vaults as unknown as Vault[]
  const write = (content: string, vaultId: string) =>
    as(owner.agentKey)('POST', '/api/agent/write-memory', { content, memoryType: 'fact', vaultId })
  return { ...service, owner, as, mine, add, list, write }
}

/** Rows of the vault in any table with a vault column, including tables added later. */
async function countRowsOf({ app }: DashboardApp, vaultId: string): Promise<Record<string, number>> {
  const { read } = app.services.db
  const found: Record<string, number> = {}
  for (const table of await read.introspection.getTables())
    for (const { name } of table.columns) {
      if (!['vaultId', 'scopeId', 'primaryVaultId'].includes(name)) continue
      const { rows } = await sql<{
        rows: number
      }>`select count(*) as "rows" from ${sql.table(table.name)} where ${sql.ref(name)} = ${vaultId}`.execute(read)
      found[`${table.name}.${name}`] = rows[0]?.rows ?? -1
    }
  return found
}

/** Entries of who did what in it, and who erased it, stay for their time: without content. */
const outlivesVaults = new Set(['activity.vaultId'])

async function listTablesWithRows(app: DashboardApp, vaultId: string): Promise<string[]> {
  const counts = Object.entries(await countRowsOf(app, vaultId))
  return counts.filter(([where, rows]) => rows > 0 && !outlivesVaults.has(where)).map(([where]) => where)
}

eachDialect('vaults of the dashboard', (dialect) => {
  const start = () => startDashboardApp(dialect)

  it('are created and listed with their counts, the default first', async () => {
    const { owner, mine, add, write } = await startWithOwner(start)
    const made = await mine('POST', '/api/vaults', { name: 'Garden', description: 'Plants' })
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'Garden', description: 'Plants', isDefault: false, memoryCount: 0, version: 1, created: true },
    })
    const { vaultId } = made.body as unknown as Vault
    await add('Work')
    await write('Violets like shade', vaultId)
    expect((await mine('GET', '/api/vaults?limit=2')).body).toMatchObject({
      vaults: [
        { vaultId: owner.vaultId, isDefault: true },
        { vaultId, id: vaultId, name: 'Garden', memoryCount: 1 },
      ],
      total: 3,
      hasMore: true,
    })
    expect((await mine('GET', `/api/vaults?id=${vaultId}`)).body).toMatchObject({
      vaults: [{ vaultId, memoryCount: 1 }],
      total: 1,
    })
  })

  it('have names of their own, by which programs find them, in any case', async () => {
    const { owner, mine, as, add, list } = await startWithOwner(start)
    const { vaultId: id } = await add('Garden')
    const taken = {
      status: 400,
      body: { fields: { name: expect.stringContaining('is the name of another vault') } },
    }
    const { vaultId: pond } = await add('Pond')
    for (const name of ['Garden', 'garden']) {
      expect(await mine('POST', '/api/vaults', { name })).toMatchObject(taken)
      expect(await mine('PATCH', '/api/vaults', { id: pond, name })).toMatchObject(taken)
    }
    expect((await mine('PATCH', '/api/vaults', { id, name: 'GARDEN' })).status).toBe(200)
    // Two vaults of one name, as agents can make them, can still be described.
    expect((await as(owner.agentKey)('POST', '/api/agent/create-vault', { name: 'Pond' })).status).toBe(201)
    const described = await mine('PATCH', '/api/vaults', { id: pond, name: 'Pond', description: 'Deep' })
    expect(described).toMatchObject({ status: 200, body: { vault: { name: 'Pond', description: 'Deep' } } })
    expect((await list()).map(({ name }) => name)).toEqual(['Main', 'GARDEN', 'Pond', 'Pond'])
  })

  it('cannot get a name of which nothing is seen or that shows as another, but keep one that they have', async () => {
    const test = await startTestApp({ dialect })
    const user = await makeUser(test)
    const id = await makeVault(test, user, '\u202egnp.exe')
    const call = (name: string, body: object) => test.call(name, body, { key: user.dashboardToken })
    for (const name of [' ', '\u200b', '\u202e ', 'Gar\u00adden', 'Garden\nPond']) {
      const refused = {
        status: 400,
        body: { fields: { name: expect.stringMatching(/^must (not be blank|be on one line)/) } },
      }
      expect(await call('create-vault', { name })).toMatchObject(refused)
      expect(await call('update-vault', { id, name })).toMatchObject(refused)
    }
    expect((await call('update-vault', { id, description: 'Pictures' })).body).toMatchObject({
      vault: { name: '\u202egnp.exe', description: 'Pictures' },
    })
  })

  it('are renamed and described, with an expected version if one is given', async () => {
    const { mine, add } = await startWithOwner(start)
    const { vaultId: id } = await add('Garden')
    const change = (patch: object) => mine('PATCH', '/api/vaults', { id, ...patch })
    expect((await change({ description: 'Plants' })).body.vault).toMatchObject({
      name: 'Garden',
      description: 'Plants',
    })
    expect((await change({ name: 'Jardin', expectedVersion: 2 })).body.vault).toMatchObject({
      name: 'Jardin',
      description: 'Plants',
      version: 3,
    })
    expect((await change({ name: 'Other', expectedVersion: 2 })).status).toBe(409)
    expect((await change({ description: null })).body.vault).toMatchObject({ name: 'Jardin', description: null })
    expect((await mine('GET', `/api/vaults?id=${id}`)).body.vaults).toMatchObject([{ name: 'Jardin', version: 4 }])
  })

  it('have one default among them, even if two are chosen at once', async () => {
    const { mine, add, list } = await startWithOwner(start)
    const [work, garden] = [await add('Work'), await add('Garden')]
    const choose = ({ vaultId: id }: Vault) => mine('PATCH', '/api/vaults', { id, isDefault: true })
    expect((await choose(work)).body.vault).toMatchObject({ isDefault: true, version: 2 })
    expect((await list()).map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['Work', true],
      ['Main', false],
      ['Garden', false],
    ])
    await Promise.all([choose(await add('Diary')), choose(garden)])
    expect((await list()).filter(({ isDefault }) => isDefault)).toHaveLength(1)
    expect((await mine('PATCH', '/api/vaults', { id: work.vaultId, isDefault: false })).status).toBe(400)
  })

  it('are erased with every row that belongs to them, and nothing else', async () => {
    const service = await startWithOwner(start)
    const { owner, mine, as, add, write } = service
    const { vaultId } = await add('Diary')
    const first = await write('The secret lies under the violets', vaultId)
    const second = { content: 'And the key beside it', memoryType: 'fact', vaultId }
    const relatedMemoryIds = [first.body.memoryId]
    await as(owner.agentKey)('POST', '/api/agent/write-memory', { ...second, relatedMemoryIds })
    const note = { title: 'Garden', content: '[[Violets]]', tags: ['plants'], folderPath: 'Outside', vaultId }
    const { noteId } = (await as(owner.agentKey)('POST', '/api/agent/create-note', note)).body
    await as(owner.agentKey)('POST', '/api/agent/update-note', { noteId, title: 'Gardens', vaultId })
    const change = { memoryId: first.body.memoryId, content: 'Under the roses', agentRunId: 'another', vaultId }
    await as(owner.agentKey)('POST', '/api/agent/update-memory', change)
    await as(owner.agentKey)('POST', '/api/agent/read-memories', { memoryIds: relatedMemoryIds, vaultId })
    await service.app.services.lastUsed.flush()
    await write('Tea at four', owner.vaultId)
    const vaults = [{ vaultId }]
    await mine('POST', '/api/integrations', { label: 'Desk', preset: 'admin', restrictToVault: true, vaults })
    const before = await countRowsOf(service, vaultId)
    expect(before).toMatchObject({ 'memories.vaultId': 2, 'links.vaultId': 1, 'integrations.primaryVaultId': 1 })
    for (const table of [
      'memoryReads',
      'memoryVersions',
      'notes',
      'noteTags',
      'noteVersions',
      'wikiTargets',
      'folders',
    ])
      expect([table, before[`${table}.vaultId`]]).toEqual([table, 1])

    expect((await mine('DELETE', `/api/vaults?id=${vaultId}&name=Diary`)).body).toEqual({ id: vaultId, deleted: true })

    expect(await listTablesWithRows(service, vaultId)).toEqual([])
    const search = { query: 'violets', vaultId }
    expect((await as(owner.agentKey)('POST', '/api/agent/search-memories', search)).status).toBe(404)
    expect((await write('Too late', vaultId)).status).toBe(404)
    expect((await mine('DELETE', `/api/vaults?id=${vaultId}&name=Diary`)).status).toBe(404)
    const kept = await as(owner.agentKey)('POST', '/api/agent/search-memories', { query: 'tea' })
    expect(kept.body.memories).toHaveLength(1)
  })

  it('are not erased under a wrong name, nor is the last one', async () => {
    const { owner, mine, add, list } = await startWithOwner(start)
    const { vaultId } = await add('Diary')
    for (const name of ['diary', 'Diary%20', '']) {
      const refused = await mine('DELETE', `/api/vaults?id=${vaultId}&name=${name}`)
      expect(refused).toMatchObject({ status: 400, body: { fields: { name: expect.stringContaining('exactly') } } })
    }
    expect((await mine('DELETE', `/api/vaults?id=${vaultId}`)).status).toBe(400)
    expect((await mine('DELETE', `/api/vaults?id=${owner.vaultId}&name=Main`)).status).toBe(200)
    expect(await list()).toMatchObject([{ vaultId, isDefault: true, version: 2 }])
    const last = await mine('DELETE', `/api/vaults?id=${vaultId}&name=Diary`)
    expect(last).toMatchObject({ status: 403, body: { error: 'This is your only vault. Create another one first' } })
  })

  it('are never all erased, even if each is erased at once', async () => {
    const { owner, mine, add, list } = await startWithOwner(start)
    const { vaultId } = await add('Diary')
    const both = await Promise.all([
      mine('DELETE', `/api/vaults?id=${vaultId}&name=Diary`),
      mine('DELETE', `/api/vaults?id=${owner.vaultId}&name=Main`),
    ])
    expect(both.map(({ status }) => status).toSorted(ascending)).toEqual([200, 403])
    expect(await list()).toMatchObject([{ isDefault: true }])
  })

  it('are gone immediately if a crash interrupts their erasure, and their rows follow', async () => {
    const service = await startWithOwner(start)
    const { owner, app, mine, add, list, write, as } = service
    const { vaultId } = await add('Diary')
    await write('The secret lies under the violets', vaultId)
    await app.services.db.write((tx) => destroyKeys(tx, owner.userId, vaultId, Date.now()))

    expect(await list()).toMatchObject([{ vaultId: owner.vaultId }])
    expect((await write('Too late', vaultId)).status).toBe(404)
    expect((await as(owner.agentKey)('POST', '/api/agent/list-vaults', {})).body.total).toBe(1)
    expect(
      (await mine('POST', '/api/integrations', { label: 'x', preset: 'admin', primaryVaultId: vaultId })).status,
    ).toBe(404)
    expect((await countRowsOf(service, vaultId))['memories.vaultId']).toBe(1)

    await finishErasures(app.services).run(new AbortController().signal)
    expect(await listTablesWithRows(service, vaultId)).toEqual([])
    expect(await list()).toMatchObject([{ vaultId: owner.vaultId }])
  })

  it('never look damaged to a call that was authorized just before', async () => {
    const { app, owner, add, write } = await startWithOwner(start)
    const { vaultId } = await add('Diary')
    const { body } = await write('The secret lies under the violets', vaultId)
    const { db } = app.services
    const vault = await unlockVault(app.services, owner.userId, vaultId)
    if (vault === undefined) throw new Error('the vault was just made')
    await db.write((tx) => destroyKeys(tx, owner.userId, vaultId, Date.now()))
    const found: number[] = []
    const readAfterEachStep: Database = {
      ...db,
      async write(work) {
        const result = await db.write(work)
        found.push((await findMemories(db.read, vault, [textOf(body.memoryId)])).length)
        return result
      },
    }
    await eraseRows(readAfterEachStep, owner.userId, vaultId)
    expect([found[0], found.at(-1)]).toEqual([1, 0])
  })

  it('of others cannot be seen, changed or erased', async () => {
    const { owner, operator, as, list } = await startWithOwner(start)
    const eve = await operator('POST', '/api/operator/users', { email: 'eve@example.org', password: ownerPassword })
    const hers = as(textOf(eve.body.dashboardToken))
    const id = owner.vaultId
    for (const refused of [
      await hers('GET', `/api/vaults?id=${id}`),
      await hers('PATCH', '/api/vaults', { id, name: 'Mine' }),
      await hers('DELETE', `/api/vaults?id=${id}&name=Main`),
    ])
      expect(refused).toMatchObject({ status: 404, body: { error: 'Vault not found' } })
    expect(await list()).toMatchObject([{ name: 'Main', version: 1 }])
  })
})

it('the key of an erased vault is no longer in any file of the data folder (SQLite)', async () => {
  const test = await startTestApp()
  const user = await makeUser(test)
  const vaultId = await makeVault(test, user)
  const { db } = test.app.services
  const filesWith = (bytes: Uint8Array) =>
    readdirSync(test.dataDir).filter((name) => readFileSync(join(test.dataDir, name)).includes(Buffer.from(bytes)))
  const { wrappedKey } = await db.read
    .selectFrom('vaultKeys')
    .select('wrappedKey')
    .where('scopeId', '=', vaultId)
    .executeTakeFirstOrThrow()
  // As after some hours of work: the key is in the main file.
  await sql`pragma wal_checkpoint(truncate)`.execute(db.read)
  expect(filesWith(wrappedKey)).toEqual(['holdfast.db'])
  const { status } = await test.call('delete-vault', { id: vaultId, name: 'Second' }, { key: user.dashboardToken })
  expect([status, filesWith(wrappedKey)]).toEqual([200, []])
})
