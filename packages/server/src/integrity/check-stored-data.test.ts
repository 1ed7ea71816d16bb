import { expect, it } from 'vitest'
import { startDashboardApp, textOf, type DashboardApp } from '../../test/dashboard-app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { startTestApp } from '../../test/app.ts'
import { check } from '../../test/seeded-damages.ts'
import { startAgent } from '../../test/scenarios.ts'
import { insertScopeKey } from '../auth/scope-key-store.ts'
import { findUserActor } from '../auth/store.ts'
import { newId } from '../core/ids.ts'
import { asSealed } from '../crypto/cell.ts'
import type { LinksTable } from '../db/tables/vault-index.ts'
import { finishErasures } from '../jobs/list-jobs.ts'
import { destroyKeys } from '../vaults/erase-store.ts'
import { bringHome } from './home.ts'
import { openScope } from './row-store.ts'
import { createScopes } from './scopes.ts'
import { checkedTables, type CheckedTable } from './rules.ts'
import { compareVaults } from './vault-store.ts'
import { walk } from './walk.ts'

eachDialect('check-stored-data', (dialect) => {
  const start = async () => {
    const test = await startTestApp({ dialect, runsJobs: false })
    const agent = await startAgent(test, { preset: 'admin' })
    return { test, agent, db: test.app.services.db }
  }

  it('brings back what searches find, if an index entry is lost, hidden or damaged', async () => {
    const { test, agent, db } = await start()
    const ids: string[] = []
    for (const color of ['red', 'green', 'blue', 'white'])
      ids.push(await agent.write(`The crane in dock ${color} is painted ${color}.`))
    const [lost = '', hidden = '', damaged = '', intact = ''] = ids
    expect(await agent.search('crane')).toHaveLength(4)
    await db.write(async (tx) => {
      await tx.deleteFrom('indexEntries').where('itemId', '=', lost).execute()
      await tx.updateTable('indexEntries').set({ archived: 1 }).where('itemId', '=', hidden).execute()
      const entry = asSealed(Buffer.alloc(80))
      await tx.updateTable('indexEntries').set({ entry }).where('itemId', '=', damaged).execute()
    })
    const found = await check(test, false)
    expect(new Set(found.map(({ recordId, column, problem, state }) => [recordId, column, problem, state]))).toEqual(
      new Set([
        [lost, null, 'missing', 'repairable'],
        [hidden, 'archived', 'different', 'repairable'],
        [damaged, 'entry', 'unreadable', 'repairable'],
      ]),
    )
    expect((await check(test, true)).map(({ state }) => state)).toEqual(['repaired', 'repaired', 'repaired'])
    // The index that is in memory learns of it as well.
    expect((await agent.search('crane')).toSorted()).toEqual([lost, hidden, damaged, intact].toSorted())
    expect(await check(test, false)).toEqual([])
  })

  it('restores idempotency keys, so that a repeated write makes no second record', async () => {
    const { test, agent, db } = await start()
    const memory = { content: 'The ferry leaves at noon.', externalWriteId: 'ferry' }
    const memoryId = await agent.write(memory)
    await db.write((tx) => tx.updateTable('memories').set({ externalTag: null }).where('id', '=', memoryId).execute())
    expect(await check(test, true)).toMatchObject([{ recordId: memoryId, column: 'externalTag', state: 'repaired' }])
    expect((await agent.call('write-memory', memory)).body.memoryId).toBe(memoryId)
  })

  it('says that another record has taken an idempotency key, if a repeated write came first', async () => {
    const { test, agent, db } = await start()
    const memory = { content: 'The ferry leaves at noon.', externalWriteId: 'ferry', dedup: false }
    const memoryId = await agent.write(memory)
    await db.write((tx) => tx.updateTable('memories').set({ externalTag: null }).where('id', '=', memoryId).execute())
    expect(await agent.write(memory)).not.toBe(memoryId)
    const problem = {
      recordId: memoryId,
      column: 'externalTag',
      state: 'lost',
      detail: expect.stringContaining('twice') as unknown,
    }
    expect(await check(test, true)).toMatchObject([problem])
  })

  it('gives a task without a row its status back, and names what is lost', async () => {
    const { test, agent, db } = await start()
    const { taskId } = (await agent.call('create-task', { title: 'Paint the pier', assignedAgentId: 'ada' })).body
    await agent.call('update-task', { taskId, status: 'in_progress' })
    await db.write((tx) => tx.deleteFrom('tasks').where('id', '=', String(taskId)).execute())
    const lost = expect.stringContaining('assignee') as unknown
    expect(await check(test, true)).toMatchObject([
      { table: 'tasks', problem: 'missing', state: 'repaired', detail: lost },
    ])
    const { tasks } = (await agent.call('list-tasks')).body
    expect(tasks).toMatchObject([{ taskId, status: 'in_progress', assignedAgentId: null }])
    expect(await check(test, true)).toEqual([])
  })

  it('brings back an index entry and the state of a task that name another vault', async () => {
    const { test, agent, db } = await start()
    const memoryId = await agent.write('The ferry leaves at noon.')
    const { taskId } = (await agent.call('create-task', { title: 'Paint the pier' })).body
    await db.write(async (tx) => {
      await tx.updateTable('indexEntries').set({ vaultId: newId() }).where('itemId', '=', memoryId).execute()
      await tx.updateTable('tasks').set({ vaultId: newId(), status: 'done' }).where('id', '=', String(taskId)).execute()
    })
    const found = await check(test, true)
    expect(found.filter(({ state }) => state === 'lost')).toEqual([])
    await check(test, true)
    expect(await check(test, true)).toEqual([])
    expect(await agent.search('ferry')).toEqual([memoryId])
    const { tasks } = (await agent.call('list-tasks', { status: ['done', 'backlog', 'todo'] })).body
    expect(tasks).toMatchObject([{ taskId }])
  })

  it('goes on if a row cannot go home because another record has taken its place', async () => {
    const { test, agent, db } = await start()
    const memory = { content: 'The ferry leaves at noon.', externalWriteId: 'ferry' }
    const strayed = await agent.write(memory)
    await db.write((tx) => tx.updateTable('memories').set({ vaultId: newId() }).where('id', '=', strayed).execute())
    const second = await agent.write(memory)
    const later = await agent.write('The crane is red.')
    await db.write((tx) => tx.deleteFrom('indexEntries').where('itemId', '=', later).execute())
    const found = await check(test, true)
    expect(found).toContainEqual(expect.objectContaining({ recordId: later, state: 'repaired' }))
    expect(found).toContainEqual(
      expect.objectContaining({ table: 'memories', recordId: strayed, column: 'vaultId', state: 'lost' }),
    )
    expect((await agent.call('write-memory', memory)).body.memoryId).toBe(second)
  })

  it('names a record of which only the index entry is left, and removes that', async () => {
    const { test, agent, db } = await start()
    const memoryId = await agent.write('The ferry leaves at noon.')
    await db.write((tx) => tx.deleteFrom('memories').where('id', '=', memoryId).execute())
    expect(await check(test, true)).toMatchObject([{ table: 'memories', recordId: memoryId, problem: 'gone' }])
    expect(await agent.search('ferry')).toEqual([])
    expect(await check(test, true)).toEqual([])
  })

  it('leaves what does not open as it is, and names it each time', async () => {
    const { test, agent, db } = await start()
    const memoryId = await agent.write('The ferry leaves at noon.')
    const body = asSealed(Buffer.alloc(80, 1))
    await db.write((tx) => tx.updateTable('memories').set({ body }).where('id', '=', memoryId).execute())
    for (const repairs of [false, true, true])
      expect(await check(test, repairs)).toMatchObject([
        { table: 'memories', recordId: memoryId, column: 'body', problem: 'unreadable', state: 'lost' },
      ])
    const row = db.read.selectFrom('memories').select('body').where('id', '=', memoryId)
    expect(Buffer.from((await row.executeTakeFirstOrThrow()).body)).toEqual(Buffer.from(body))
  })

  it('brings back an index entry that names another vault', async () => {
    const { test, agent, db } = await start()
    const memoryId = await agent.write('The ferry leaves at noon.')
    await db.write((tx) => tx.updateTable('indexEntries').set({ vaultId: newId() }).execute())
    expect(await check(test, true)).toMatchObject([{ table: 'indexEntries', recordId: memoryId, state: 'repaired' }])
    expect(await agent.search('ferry')).toEqual([memoryId])
    expect(await check(test, true)).toEqual([])
  })

  it('brings back a link under a new change number, by which indexes in memory learn of it', async () => {
    const { test, agent, db } = await start()
    const sourceId = await agent.write('The ferry leaves at noon.')
    const targetId = await agent.write('Cranes are red.')
    const link = { sourceType: 'memory', sourceId, targetType: 'memory', targetId }
    await agent.call('add-link', { ...link, relationType: 'references', label: 'see' })
    const related = async () => {
      const { memories } = (await agent.call('get-related-memories', { memoryId: sourceId })).body
      return (memories as { memoryId: string }[]).map((memory) => memory.memoryId)
    }
    expect(await related()).toEqual([targetId])
    const ofVault = db.read.selectFrom('vaults').select('seq').where('id', '=', agent.user.vaultId)
    const damages: Partial<LinksTable>[] = [{ removedAt: 1 }, { vaultId: newId() }]
    for (const damage of damages) {
      await db.write(async (tx) => {
        await tx
          .updateTable('vaults')
          .set((vault) => ({ seq: vault('seq', '+', 1) }))
          .execute()
        await tx
          .updateTable('links')
          .set({ ...damage, seq: ofVault })
          .execute()
      })
      await related()
      expect(await check(test, true)).toMatchObject([{ table: 'links', state: 'repaired' }])
      expect(await related()).toEqual([targetId])
      const { seq } = await ofVault.executeTakeFirstOrThrow()
      expect(await db.read.selectFrom('links').select(['vaultId', 'seq']).execute()).toEqual([
        { vaultId: agent.user.vaultId, seq },
      ])
    }
  })

  it('names a long note that is damaged, however long an attempt to open it takes', async () => {
    const { test, agent, db } = await start()
    const { noteId } = (await agent.call('create-note', { title: 'Long', content: 'x'.repeat(490_000) })).body
    const { body } = await db.read.selectFrom('notes').select('body').executeTakeFirstOrThrow()
    const damaged = Buffer.from(body)
    damaged[100] = (damaged[100] ?? 0) ^ 1
    await db.write((tx) =>
      tx
        .updateTable('notes')
        .set({ body: asSealed(damaged) })
        .execute(),
    )
    expect(await check(test, true)).toMatchObject([{ table: 'notes', recordId: noteId, column: 'body', state: 'lost' }])
  })

  it('names the record of a row that is in no vault, also if its key is a keyed tag', async () => {
    const { test, agent, db } = await start()
    const memoryId = await agent.write('The ferry leaves at noon.')
    const { userId } = agent.user
    const row = { userId, vaultId: newId(), externalTag: Buffer.alloc(16, 1), id: memoryId }
    await db.write((tx) => tx.insertInto('claimedWrites').values(row).execute())
    expect(await check(test, true)).toMatchObject([{ table: 'claimedWrites', recordId: memoryId, state: 'repaired' }])
  })

  it('deletes the reads of a memory that does not exist', async () => {
    const { test, agent, db } = await start()
    const { userId, vaultId } = agent.user
    const reads = { userId, vaultId, accessCount: 1, lastAccessedAt: 1 }
    const [kept, left] = [await agent.write('The ferry leaves at noon.'), newId()]
    await db.write((tx) =>
      tx
        .insertInto('memoryReads')
        .values([kept, left].map((memoryId) => ({ ...reads, memoryId })))
        .execute(),
    )
    expect(await check(test, true)).toMatchObject([{ table: 'memoryReads', recordId: left, state: 'repaired' }])
    expect(await db.read.selectFrom('memoryReads').select('memoryId').execute()).toEqual([{ memoryId: kept }])
  })

  it('says nothing about a row whose vault was erased after the row was read', async () => {
    const { test, agent, db } = await start()
    await agent.write('The ferry leaves at noon.')
    const { services } = test.app
    const place = checkedTables.find(({ table }) => table === 'memories') as CheckedTable
    const row = await db.read.selectFrom('memories').selectAll().executeTakeFirstOrThrow()
    await db.write(async (tx) => {
      for (const table of ['memories', 'vaultKeys', 'vaults'] as const) await tx.deleteFrom(table).execute()
    })
    for (const repairs of [false, true])
      expect(
        await bringHome(
          { ...services, scopes: createScopes(services) },
          { place, userId: row.userId, row: { ...row } },
          repairs,
        ),
      ).toBeUndefined()
  })

  it('keeps refusing writes under a key that was replaced after the check had opened it', async () => {
    const { agent, test, db } = await start()
    const { vaultId, userId } = agent.user
    const scope = await openScope(test.app.services, userId, vaultId)
    if (typeof scope !== 'object') throw new Error('the vault has its keys')
    const key = await db.read
      .selectFrom('vaultKeys')
      .selectAll()
      .where('scopeId', '=', vaultId)
      .executeTakeFirstOrThrow()
    await db.write(async (tx) => {
      await tx
        .insertInto('vaultKeys')
        .values({ ...key, generation: 2 })
        .execute()
      await tx.updateTable('vaults').set({ minGeneration: 2 }).where('id', '=', vaultId).execute()
    })
    const rows = await db.read.selectFrom('vaults').selectAll().where('id', '=', vaultId).execute()
    expect(await compareVaults(db.read, scope, rows)).toEqual([])
  })

  it('names lost keys of a vault, and keeps its rows until someone deletes it', async () => {
    const { test, agent, db } = await start()
    const { userId, vaultId, dashboardToken: key } = agent.user
    const call = (name: string, body: object) => test.call(name, body, { key })
    const other = String((await call('create-vault', { name: 'Diary' })).body.vaultId)
    await agent.write('The ferry leaves at noon.')
    await db.write((tx) => tx.deleteFrom('vaultKeys').where('scopeId', '=', vaultId).execute())
    for (const repairs of [false, true])
      expect(await check(test, repairs)).toMatchObject([
        { vaultId, table: 'vaultKeys', recordId: vaultId, column: null, problem: 'missing', state: 'lost' },
      ])
    await finishErasures(test.app.services).run(new AbortController().signal)
    expect(await db.read.selectFrom('memories').select('vaultId').execute()).toEqual([{ vaultId }])
    const { vaults } = (await call('list-vaults', {})).body as { vaults: { vaultId: string; isDamaged?: boolean }[] }
    expect(vaults.map((vault) => [vault.vaultId, vault.isDamaged])).toContainEqual([vaultId, true])
    expect((await call('delete-vault', { id: vaultId, name: vaultId })).body).toEqual({ id: vaultId, deleted: true })
    expect(await db.read.selectFrom('memories').select('vaultId').execute()).toEqual([])
    expect(await check(test, false)).toEqual([])
    expect(await db.read.selectFrom('vaults').select('id').where('userId', '=', userId).execute()).toEqual([
      { id: other },
    ])
  })

  it('says nothing about a vault whose erasure was interrupted', async () => {
    const { test, agent, db } = await start()
    await agent.write('The ferry leaves at noon.')
    await db.write((tx) => destroyKeys(tx, agent.user.userId, agent.user.vaultId, 1))
    expect(await check(test, true)).toEqual([])
    await finishErasures(test.app.services).run(new AbortController().signal)
    expect(await db.read.selectFrom('memories').select('id').execute()).toEqual([])
  })

  it('names lost keys of what a person has outside of vaults', async () => {
    const { test, agent, db } = await start()
    const { userId, dashboardToken: key } = agent.user
    const webhook = { url: 'https://example.org/hook', events: ['memory.created'] }
    expect((await test.call('create-webhook', webhook, { key })).status).toBe(201)
    await db.write((tx) => tx.deleteFrom('vaultKeys').where('scopeId', '=', userId).execute())
    expect(await check(test, true)).toMatchObject([
      { userId, vaultId: null, table: 'vaultKeys', recordId: userId, problem: 'missing', state: 'lost' },
    ])
  })

  it('says once that a vault is lost, whether it has one key or two', async () => {
    const { test, agent, db } = await start()
    const { vaultId } = agent.user
    const row = await db.read
      .selectFrom('vaultKeys')
      .selectAll()
      .where('scopeId', '=', vaultId)
      .executeTakeFirstOrThrow()
    const keys = test.app.services.keyring
    const owner = await findUserActor(db.read, agent.user.userId)
    if (owner === undefined) throw new Error('the person was just made')
    const mek = keys.mek(owner)
    const next = keys.nextScopeKey(mek, agent.user.userId, keys.vault(mek, agent.user.userId, vaultId, [row]), 1)
    await db.write(async (tx) => {
      await insertScopeKey(tx, { userId: agent.user.userId, scopeId: vaultId }, next, 1)
      await tx.deleteFrom('vaults').where('id', '=', vaultId).execute()
    })
    expect(await check(test, false)).toMatchObject([{ table: 'vaults', recordId: vaultId, problem: 'gone' }])
  })

  it('takes a transaction for a damaged row, but none for those that were read with it', async () => {
    const { test, agent, db } = await start()
    const ids: string[] = []
    for (let number = 0; number < 30; number++)
      ids.push(await agent.write({ content: `Crane ${number}`, dedup: false }))
    await db.write((tx) => tx.deleteFrom('indexEntries').where('itemId', 'in', ids.slice(3, 5)).execute())
    const { services } = test.app
    let writes = 0
    const write: typeof db.write = (work, lane) => {
      writes++
      return db.write(work, lane)
    }
    const found = await walk(
      { ...services, db: { ...db, write } },
      { repairs: true, vault: { userId: agent.user.userId, vaultId: agent.user.vaultId }, from: undefined },
      600_000,
    )
    expect(found.problems).toMatchObject([{ state: 'repaired' }, { state: 'repaired' }])
    expect(writes).toBeLessThan(10)
  })

  it('opens the keys of other vaults once for all rows that do not open', async () => {
    const { test, agent, db } = await start()
    for (let number = 0; number < 12; number++)
      await test.call('create-vault', { name: `V${number}` }, { key: agent.user.dashboardToken })
    for (let number = 0; number < 12; number++) await agent.write({ content: `Crane ${number}`, dedup: false })
    await db.write((tx) =>
      tx
        .updateTable('memories')
        .set({ head: asSealed(Buffer.alloc(80, 1)) })
        .execute(),
    )
    const { services } = test.app
    let unwrapped = 0
    const keyring: typeof services.keyring = {
      ...services.keyring,
      vault(...args) {
        unwrapped++
        return services.keyring.vault(...args)
      },
    }
    const { problems } = await walk(
      { ...services, keyring },
      { repairs: false, vault: undefined, from: undefined },
      600_000,
    )
    expect(problems.filter(({ table, problem }) => table === 'memories' && problem === 'unreadable')).toHaveLength(12)
    expect(unwrapped).toBeLessThan(20)
  })

  it('ends early when the server stops, and says where to continue', async () => {
    const { test, agent } = await start()
    for (let number = 0; number < 60; number++) await agent.write({ content: `Crane ${number}`, dedup: false })
    const { services, ...app } = test.app
    expect(services.stopping.aborted).toBe(false)
    const walking = walk(services, { repairs: false, vault: undefined, from: undefined }, 600_000)
    const [{ next }] = await Promise.all([walking, app.stop()])
    expect(next).toBeDefined()
  })

  it('finds nothing wrong while others write', async () => {
    const { test, agent } = await start()
    const end = new AbortController()
    const writing = Array.from({ length: 4 }, async (_, writer) => {
      for (let number = 0; !end.signal.aborted; number++) {
        const { noteId } = (
          await agent.call('create-note', { title: `N${writer} ${number}`, content: `[[N${writer} 0]]`, tags: ['a'] })
        ).body
        await agent.call('update-note', { noteId, content: `[[N${writer} ${number + 1}]]`, tags: ['b'] })
        const memoryId = await agent.write({ content: `Crane ${writer} ${number}`, dedup: false })
        await agent.call('archive-memory', { memoryId })
      }
    })
    for (let round = 0; round < 5; round++) expect(await check(test, false)).toEqual([])
    end.abort()
    await Promise.all(writing)
  })

  it('continues at the position where it stopped', async () => {
    const { test, agent } = await start()
    for (let number = 0; number < 120; number++) await agent.write({ content: `Crane ${number}`, dedup: false })
    const from = { repairs: false, vault: undefined }
    const whole = await walk(test.app.services, { ...from, from: undefined }, 600_000)
    let rows = 0
    let calls = 0
    for (let next = undefined as Parameters<typeof walk>[1]['from']; ; calls++) {
      const part = await walk(test.app.services, { ...from, from: next }, 0)
      rows += part.rows
      next = part.next
      if (next === undefined) break
    }
    // Calls are counted in a row that is written a moment later.
    expect(rows - whole.rows).toBeOneOf([0, 1])
    expect(calls).toBeGreaterThan(10)
  })

  it('is for the operator, by pages over HTTP, of everything or of one vault', async () => {
    const service = await startDashboardApp(dialect, {}, { runsJobs: false })
    const { vaultId } = await service.setUp()
    const all = await readAll(service, {})
    expect(all).toMatchObject({ problems: [] })
    expect((await readAll(service, { vaultId })).rows).toBeLessThan(all.rows)
    const missing = await service.operator('POST', '/api/operator/check', {
      vaultId: '01a22d63-5a27-74cd-9dda-7646fae68985',
    })
    expect(missing.status).toBe(404)
    expect((await service.operator('POST', '/api/operator/check', { from: 'nowhere' })).status).toBe(400)
    expect((await service.send('POST', '/api/operator/check', { body: {} })).status).toBe(401)
  })

  it('appears in the activity of the vault’s owner if it repaired something', async () => {
    const service = await startDashboardApp(dialect, {}, { runsJobs: false })
    const { vaultId, dashboardToken } = await service.setUp()
    const content = 'Crane 3 lifts steel.'
    const as = { bearer: dashboardToken }
    const { body } = await service.send('POST', '/api/memories', { ...as, body: { vaultId, content } })
    const { db } = service.app.services
    await db.write((tx) => tx.deleteFrom('indexEntries').where('itemId', '=', textOf(body['memoryId'])).execute())
    const repairs = async () => {
      const { body: listed } = await service.send('GET', '/api/activity', as)
      return (listed['activity'] as { operation: string }[]).filter(
        ({ operation }) => operation === 'check-stored-data',
      )
    }
    await readAll(service, {})
    expect(await repairs()).toEqual([])
    await readAll(service, { dryRun: false })
    expect(await repairs()).toMatchObject([{ actor: 'service', vaultId, records: 1 }])
  })

  async function readAll({ operator }: DashboardApp, input: object) {
    const problems: unknown[] = []
    let rows = 0
    for (let from: unknown = undefined; from !== null;) {
      const { status, body } = await operator('POST', '/api/operator/check', {
        ...input,
        ...(from !== undefined && { from }),
      })
      expect([status, body['error']]).toEqual([200, undefined])
      rows += Number(body['rows'])
      problems.push(...(body['problems'] as unknown[]))
      from = body['next']
    }
    return { rows, problems }
  }
})
