import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startTestApp } from '../app.ts'
import { eachDialect } from '../dialects.ts'
import { makeUser, makeUserWithAgent } from '../factories.ts'
import type { RecordOf } from '../../src/transfer/record.ts'
import { everythingIn, importPath, type Holder } from './passing.ts'

const fixtures = join(import.meta.dirname, 'fixtures')

eachDialect('undoing an import', (dialect) => {
  it('archives, trashes and removes records that were not changed since, and reports the others', async () => {
    const test = await startTestApp({ dialect })
    const user = await makeUserWithAgent(test)
    const holder: Holder = { test, ...user }
    const notes = await importPath(holder, join(fixtures, 'obsidian'))
    const graph = await importPath(holder, join(fixtures, 'server-memory.jsonl'))
    const before = await everythingIn(holder)
    const [kept] = before.note as RecordOf<'note'>[]
    await test.call('update-note', { noteId: kept?.id, content: 'Mine now' }, { key: user.key })

    const revert = async (importId: string, key = user.dashboardToken) =>
      (await test.call('revert-import', { vaultId: user.vaultId, importId }, { key })).body
    expect(await revert(notes.importId)).toMatchObject({
      trashed: 5,
      archived: 0,
      left: [{ kind: 'note', recordId: kept?.id, reason: 'was changed since' }],
      remaining: 0,
    })
    expect(await revert(graph.importId)).toMatchObject({ archived: 6, removed: 3, left: [], remaining: 0 })
    const after = await everythingIn(holder)
    expect((after.note as RecordOf<'note'>[]).filter(({ trashedAt }) => trashedAt === undefined)).toHaveLength(1)
    expect((after.memory as RecordOf<'memory'>[]).every(({ archivedAt }) => archivedAt !== undefined)).toBe(true)
    expect(after.link).toEqual([])
    const stranger = await makeUser(test)
    expect(
      (
        await test.call(
          'revert-import',
          { vaultId: user.vaultId, importId: graph.importId },
          { key: stranger.dashboardToken },
        )
      ).status,
    ).toBe(404)
  })

  it('is reversed by another import, which restores the records with their links', async () => {
    const test = await startTestApp({ dialect })
    const user = await makeUserWithAgent(test)
    const holder: Holder = { test, ...user }
    const sources = ['obsidian', 'server-memory.jsonl'].map((name) => join(fixtures, name))
    const imports = []
    for (const source of sources) imports.push(await importPath(holder, source))
    const before = await everythingIn(holder)
    const revert = async (importId: string) =>
      (await test.call('revert-import', { vaultId: user.vaultId, importId }, { key: user.dashboardToken })).body
    for (const { importId } of imports) await revert(importId)

    const [notes = '', graph = ''] = sources
    const dry = await importPath(holder, notes, { dryRun: true })
    expect(dry.counts.note).toMatchObject({ created: 0, restored: 6, existing: 0 })
    const again = await importPath(holder, notes)
    expect(again.counts.note).toMatchObject({ created: 0, restored: 6, existing: 0 })
    const memories = await importPath(holder, graph)
    expect(memories.counts).toMatchObject({ memory: { created: 0, restored: 6 }, link: { created: 3 } })
    expect(withoutTimes(await everythingIn(holder))).toEqual(withoutTimes(before))
    const { body } = await test.call('search-notes', { query: 'garden' }, { key: user.key })
    expect(body.notes).not.toEqual([])

    // All of it now belongs to the second import only.
    expect(await revert(imports[0]?.importId ?? '')).toMatchObject({ trashed: 0, left: [], remaining: 0 })
    expect(await revert(again.importId)).toMatchObject({ trashed: 6, left: [], remaining: 0 })
    expect((await importPath(holder, notes)).counts.note).toMatchObject({ restored: 6 })
  })

  it('rejects parts of it from the first call on, even before the undo is complete', async () => {
    const test = await startTestApp({ dialect })
    const user = await makeUserWithAgent(test)
    const importId = '0198c5f0-0000-7000-8000-000000000901'
    const call = (name: string, input: object) =>
      test.call(name, { vaultId: user.vaultId, ...input }, { key: user.dashboardToken })
    const memories = (first: number) =>
      Array.from({ length: 60 }, (_, at) => ({ kind: 'memory', content: `Fact number ${first + at}` }))
    await call('import-records', { importId, records: memories(0) })
    // Sent before the undo, and written before, between or after its parts.
    const sent = call('import-records', { importId, records: memories(60) })
    const first = await call('revert-import', { importId })
    const refused = { status: 409, body: { error: expect.stringMatching(/^This import was reverted/) as string } }
    expect(await call('import-records', { importId, records: memories(120) })).toMatchObject(refused)
    expect(await call('import-records', { importId, records: memories(120), dryRun: true })).toMatchObject(refused)
    const { status } = await sent
    expect([200, 409]).toContain(status)
    for (let { remaining } = first.body; remaining !== 0;)
      remaining = (await call('revert-import', { importId })).body.remaining
    const { body } = await call('list-memories', { state: 'live' })
    expect(body.total).toBe(0)
    expect(await call('import-records', { importId, records: memories(0) })).toMatchObject(refused)
    const again = await call('import-records', {
      importId: '0198c5f0-0000-7000-8000-000000000902',
      records: memories(0),
    })
    expect(again.status).toBe(200)
  })

  it('lets other writes in between if it takes long', async () => {
    const test = await startTestApp({ dialect })
    const user = await makeUserWithAgent(test)
    const importId = '0198c5f0-0000-7000-8000-000000000901'
    const linking = (note: number) => Array.from({ length: 300 }, (_, at) => `[[Far ${note} ${at}]]`).join(' ')
    const records = Array.from({ length: 20 }, (_, note) => ({
      kind: 'note',
      externalWriteId: `far:${note}`,
      title: `Note ${note}`,
      content: linking(note),
    }))
    const call = (name: string, input: object) =>
      test.call(name, { vaultId: user.vaultId, importId, ...input }, { key: user.dashboardToken })
    expect((await call('import-records', { records })).status).toBe(200)
    const seq = async () =>
      (await test.app.services.db.read.selectFrom('vaults').select('seq').executeTakeFirstOrThrow()).seq
    const before = await seq()
    expect((await call('revert-import', {})).body).toMatchObject({ trashed: 20, left: [], remaining: 0 })
    // Each transaction takes the next one.
    expect((await seq()) - before).toBeGreaterThan(1)
  })

  it('does not change records that were archived or trashed by hand', async () => {
    const test = await startTestApp({ dialect })
    const user = await makeUserWithAgent(test)
    const holder: Holder = { test, ...user }
    const source = join(fixtures, 'server-memory.jsonl')
    const { importId } = await importPath(holder, source)
    const [first, second] = (await everythingIn(holder)).memory as RecordOf<'memory'>[]
    await test.call('archive-memory', { memoryId: first?.id }, { key: user.key })
    await test.call('revert-import', { vaultId: user.vaultId, importId }, { key: user.dashboardToken })
    await test.call('update-memory', { memoryId: second?.id, importance: 5 }, { key: user.key })
    const dry = await importPath(holder, source, { dryRun: true })
    expect(dry.problems).toContainEqual(
      expect.objectContaining({ kind: 'memory', reason: expect.stringMatching(/archived or in the trash here/) }),
    )
    const again = await importPath(holder, source)
    expect(again.counts.memory).toMatchObject({ created: 0, restored: 4, existing: 2 })
    expect(again.notices).toContainEqual({
      what: expect.stringContaining('but are archived or in the trash'),
      count: 2,
      examples: expect.anything(),
    })
  })
})

/** Ids of links, versions and times of change are new. */
const withoutTimes = (everything: Awaited<ReturnType<typeof everythingIn>>) =>
  Object.fromEntries(
    Object.entries(everything).map(([kind, records]) => [
      kind,
      (records as unknown as Record<string, unknown>[])
        .map(({ id, version: _version, updatedAt: _updatedAt, signature: _signature, createdAt, ...rest }) =>
          JSON.stringify(kind === 'link' ? rest : { id, createdAt, ...rest }),
        )
        .toSorted(),
    ]),
  )
