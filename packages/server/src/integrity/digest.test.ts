import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { startAgent, type TestAgent } from '../../test/scenarios.ts'
import { check } from '../../test/seeded-damages.ts'
import { newId } from '../core/ids.ts'
import type { LogFields } from '../core/log.ts'
import { asSealed, sealCell } from '../crypto/cell.ts'
import type { Tx } from '../db/dialect.ts'
import { firstKey } from './digest.ts'
import { checkDigest, type DigestStep } from './digest-walk.ts'
import type { Problem } from './problem.ts'
import { openScope, type RowKey } from './row-store.ts'
import { createScopes } from './scopes.ts'
import { walk } from './walk.ts'
import { purgeMessages } from '../messages/store.ts'

eachDialect('what a check remembers', (dialect) => {
  const start = async () => {
    const test = await startTestApp({ dialect, runsJobs: false })
    const agent = await startAgent(test, { preset: 'admin' })
    const person = (name: string, body: object) =>
      test.call(name, { vaultId: agent.user.vaultId, ...body }, { key: agent.user.dashboardToken })
    return { test, agent, person, db: test.app.services.db }
  }

  const send = async (agent: TestAgent, content: string) =>
    String((await agent.call('send-message', { targetId: 'bea', content })).body.messageId)

  it('names memories, notes and messages that are gone with all of their traces, until a repair', async () => {
    const { test, agent, db } = await start()
    const kept = await agent.write('The ferry leaves at noon.')
    const memory = await agent.write('Cranes are red.')
    const note = String((await agent.call('create-note', { title: 'Pier', content: 'Long' })).body.noteId)
    const message = await send(agent, 'The ferry is late.')
    expect(await check(test, false)).toEqual([])
    await db.write(async (tx) => {
      await tx.deleteFrom('memories').where('id', '=', memory).execute()
      await tx.deleteFrom('notes').where('id', '=', note).execute()
      await tx.deleteFrom('indexEntries').where('itemId', 'in', [memory, note]).execute()
      await tx.deleteFrom('messages').where('id', '=', message).execute()
    })
    for (const repairs of [false, false, true]) {
      const found = await check(test, repairs)
      expect(found.map(({ table, recordId, problem, state }) => [table, recordId, problem, state])).toEqual([
        ['memories', memory, 'missing', 'lost'],
        ['notes', note, 'missing', 'lost'],
        ['messages', message, 'missing', 'lost'],
      ])
    }
    expect(await check(test, false)).toEqual([])
    expect(await agent.search('ferry')).toEqual([kept])
  })

  it('names records that were replaced by their older versions', async () => {
    const { test, agent, db } = await start()
    const memoryId = await agent.write('The ferry leaves at noon.')
    const { taskId } = (await agent.call('create-task', { title: 'Paint', doneWhen: 'blue' })).body
    const { noteId } = (await agent.call('create-note', { title: 'Pier', content: 'Long' })).body
    const tables = ['memories', 'tasks', 'notes', 'indexEntries', 'noteVersions'] as const
    const read = () => Promise.all(tables.map((table) => db.read.selectFrom(table).selectAll().execute()))
    const older = await read()
    await agent.call('update-memory', { memoryId, content: 'The ferry leaves at one.' })
    await agent.call('update-task', { taskId, doneWhen: 'red' })
    await agent.call('update-note', { noteId, content: 'Longer' })
    expect(await check(test, false)).toEqual([])
    await db.write(async (tx) => {
      for (const [at, table] of tables.entries()) {
        await tx.deleteFrom(table).execute()
        for (const row of older[at] ?? []) await tx.insertInto(table).values(row).execute()
      }
    })
    for (const repairs of [false, true])
      expect((await check(test, repairs)).map(({ table, recordId, problem }) => [table, recordId, problem])).toEqual([
        ['memories', memoryId, 'rolled_back'],
        ['memories', taskId, 'rolled_back'],
        ['tasks', taskId, 'rolled_back'],
        ['notes', noteId, 'rolled_back'],
      ])
    expect(await check(test, false)).toEqual([])
  })

  it('names plain columns that changed in the same version', async () => {
    const { test, agent, db } = await start()
    const memory = await agent.write('The ferry leaves at noon.')
    const moved = await agent.write('Cranes are red.')
    const message = await send(agent, 'The ferry is late.')
    expect(await check(test, false)).toEqual([])
    await db.write(async (tx) => {
      await tx.updateTable('memories').set({ confidence: 1 }).where('id', '=', memory).execute()
      await tx.updateTable('memories').set({ createdAt: 5 }).where('id', '=', moved).execute()
      await tx.updateTable('indexEntries').set({ createdAt: 5 }).where('itemId', '=', moved).execute()
      await tx.updateTable('messages').set({ targetId: 'eve' }).where('id', '=', message).execute()
    })
    const found = await check(test, true)
    expect(found.map(({ table, recordId, problem }) => [table, recordId, problem])).toEqual([
      ['memories', memory, 'changed'],
      ['memories', moved, 'changed'],
      ['messages', message, 'changed'],
    ])
    expect(await check(test, false)).toEqual([])
  })

  it('accepts what people and agents changed, deleted, moved, purged and imported', async () => {
    const { test, agent, person, db } = await start()
    const { vaultId, dashboardToken: key } = agent.user
    const other = String((await test.call('create-vault', { name: 'Other' }, { key })).body.vaultId)
    const [erased, moved, changed] = [
      await agent.write('The ferry leaves at noon.'),
      await agent.write('Cranes are red.'),
      await agent.write('Gulls are loud.'),
    ]
    const { noteId } = (await agent.call('create-note', { title: 'Pier', content: 'Long' })).body
    const [deleted, purged] = [await send(agent, 'The ferry is late.'), await send(agent, 'The ferry is early.')]
    const { records } = (await person('export-records', { kind: 'memory' })).body as { records: { id: string }[] }
    await agent.call('update-memory', { memoryId: erased, importance: 5 })
    await person('archive-memories', { ids: [erased] })
    expect(await check(test, false)).toEqual([])
    const done = async (name: string, body: object) => {
      const { status, text } = await person(name, body)
      expect([name, status, text]).toEqual([name, status < 300 ? status : 200, text])
    }
    await agent.call('update-memory', { memoryId: changed, content: 'Gulls are quiet.', importance: 5 })
    await done('erase-memory', { id: erased })
    await done('import-records', { importId: newId(), records: records.filter(({ id }) => id === erased) })
    expect(await agent.read(erased)).toMatchObject({ version: 1 })
    await done('move-memories', { ids: [moved], targetVaultId: other })
    await done('delete-note', { noteId })
    await done('erase-note', { noteId })
    expect((await test.call('erase-message', { id: deleted }, { key })).status).toBe(200)
    await purgeMessages(db, { userId: agent.user.userId, vaultId }, Date.now() + 1)
    expect(await db.read.selectFrom('messages').select('id').where('id', '=', purged).execute()).toEqual([])
    expect(await check(test, false)).toEqual([])
  })

  it('accepts that accepting a proposal was undone after someone archived the successor', async () => {
    const { test, agent: owner, person } = await start()
    const agent = await startAgent(test, { user: owner.user, writePolicy: { persons: 'ask', agents: 'yes' } })
    const memoryId = String((await person('write-memory', { content: 'Never push on Fridays.' })).body.memoryId)
    await agent.call('write-memory', { content: 'Push when you like.', supersededById: memoryId })
    const { items } = (await person('list-review', { kind: 'proposal' })).body as {
      items: { proposal: { proposalId: string; version: number; wholeTag: string | null } }[]
    }
    const [{ proposal } = { proposal: undefined }] = items
    const decide = async (more: object) => {
      const ids = [proposal?.proposalId]
      const { status, body, text } = await person('decide-review', { kind: 'proposal', ids, ...more })
      expect([status, text]).toEqual([200, text])
      return body
    }
    const seen = proposal?.wholeTag === null ? {} : { wholeTag: proposal?.wholeTag }
    const { undo } = await decide({ decision: 'accept', expectedVersion: proposal?.version, ...seen })
    const successorId = String((await agent.read(memoryId))['supersededById'])
    expect((await person('archive-memories', { ids: [successorId] })).status).toBe(200)
    expect(await check(test, false)).toEqual([])
    await decide({ decision: 'undo', undo })
    expect(await check(test, false)).toEqual([])
  })

  it('grows by segments, and names a segment that is gone or does not open', async () => {
    const { test, agent, person, db } = await start()
    const add = async (count: number) => {
      for (let number = 0; number < count; number += 100) {
        const records = Array.from({ length: 100 }, () => ({ kind: 'memory', content: `Crane ${newId()}` }))
        const { status, text } = await person('import-records', { importId: newId(), records })
        expect([status, text]).toEqual([200, text])
      }
    }
    const { services } = test.app
    const { userId, vaultId } = agent.user
    const compare = async (repairs: boolean) => {
      const problems: Problem[] = []
      const deps = { ...services, scopes: createScopes(services) }
      let after: RowKey | null | undefined = null
      while (after !== undefined) {
        const step: DigestStep = await checkDigest(deps, { userId, after, only: vaultId }, repairs)
        problems.push(...step.problems)
        after = step.next
      }
      return problems
    }
    const segments = () =>
      db.read
        .selectFrom('vaultDigests')
        .selectAll()
        .where('kind', '=', 'memories')
        .orderBy('fromAt')
        .orderBy('fromId')
        .execute()
    await add(700)
    expect(await compare(false)).toEqual([])
    const [first] = await segments()
    expect(await segments()).toHaveLength(2)
    await add(500)
    expect(await compare(false)).toEqual([])
    expect((await segments()).map(({ revision }) => revision)).toEqual([1, 2, 1])
    // Nothing has changed, so nothing is written.
    expect((await segments())[0]).toEqual(first)
    const [, second] = await segments()
    const isSecond = { fromAt: second?.fromAt ?? 0, fromId: second?.fromId ?? '' }
    const damages: [problem: string, damage: (tx: Tx) => Promise<unknown>][] = [
      ['missing', (tx) => tx.deleteFrom('vaultDigests').where('fromId', '=', isSecond.fromId).execute()],
      [
        'unreadable',
        (tx) =>
          tx
            .updateTable('vaultDigests')
            .set({ cell: asSealed(Buffer.alloc(90, 1)) })
            .where('fromId', '=', '')
            .where('kind', '=', 'memories')
            .execute(),
      ],
    ]
    for (const [problem, damage] of damages) {
      await db.write(damage)
      const found = { table: 'vaultDigests', recordId: agent.user.vaultId, problem }
      expect(await compare(false)).toMatchObject([{ ...found, state: 'repairable' }])
      expect(await compare(true)).toMatchObject([{ ...found, state: 'repaired' }])
      expect(await compare(true)).toEqual([])
    }
  })

  it('writes a segment again that another version has written in another format', async () => {
    const { test, agent, db } = await start()
    const memoryId = await agent.write('The ferry leaves at noon.')
    expect(await check(test, false)).toEqual([])
    const { services } = test.app
    const scope = await openScope(services, agent.user.userId, agent.user.vaultId)
    if (typeof scope !== 'object') throw new Error('the vault has its keys')
    const address = { userId: scope.userId, scopeId: scope.id, table: 'vaultDigests', rowId: scope.id }
    const column = `cell of memories from ${firstKey.at} ${firstKey.id}`
    const cell = sealCell(scope.keys, 'content', { ...address, column, revision: 1 }, Buffer.alloc(30, 9))
    await db.write((tx) => tx.updateTable('vaultDigests').set({ cell }).where('kind', '=', 'memories').execute())
    expect(await check(test, false)).toEqual([])
    await db.write(async (tx) => {
      await tx.deleteFrom('memories').execute()
      await tx.deleteFrom('indexEntries').execute()
    })
    const logged: (LogFields | undefined)[] = []
    const log = { ...services.log, warn: (_event: string, fields?: LogFields) => void logged.push(fields) }
    const { problems } = await walk({ ...services, log }, { repairs: true, vault: undefined, from: undefined }, 20_000)
    const lost = { table: 'memories', recordId: memoryId, problem: 'missing' }
    expect(problems).toMatchObject([lost])
    expect(logged).toMatchObject([lost])
  })
})
