import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser } from '../../test/factories.ts'
import { makeClock } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'

eachDialect('list-imports', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('lists what was imported, and that it was reverted', async () => {
    const { vaultId, dashboardToken: key } = await makeUser(test())
    const call = async (name: string, input: object) => (await test().call(name, { vaultId, ...input }, { key })).body
    const [first, second] = [newId(), newId()]
    const note = (title: string) => ({ kind: 'note', externalWriteId: title, title })
    const origin = { source: 'obsidian', name: 'Garden' }
    await call('import-records', { importId: first, origin, records: [note('Beds')], dryRun: true })
    expect(await call('list-imports', {})).toMatchObject({ imports: [], total: 0 })
    const startedAt = clock.iso()
    await call('import-records', { importId: first, origin, records: [note('Beds')] })
    clock.advance(1000)
    await call('import-records', { importId: first, origin, records: [note('Beds'), note('Paths')] })
    await call('import-records', { importId: second, records: [{ kind: 'memory', content: 'Violets are blue.' }] })
    const lastAt = clock.iso()
    expect(await call('list-imports', {})).toMatchObject({
      imports: [
        { importId: second, origin: null, counts: { memory: 1 } },
        { importId: first, origin, startedAt, lastAt, revertedAt: null, counts: { note: 2 } },
      ],
      total: 2,
    })
    await call('revert-import', { importId: first })
    expect(await call('list-imports', { offset: 1 })).toMatchObject({
      imports: [{ importId: first, counts: {}, revertedAt: lastAt }],
      hasMore: false,
    })
  })

  it('does not count records that were permanently deleted, before or after the revert', async () => {
    const { vaultId, dashboardToken: key } = await makeUser(test())
    const call = async (name: string, input: object) => {
      const { status, body, text } = await test().call(name, { vaultId, ...input }, { key })
      expect(status, text).toBe(200)
      return body
    }
    const records = [
      { kind: 'note', externalWriteId: 'beds', title: 'Beds' },
      { kind: 'note', externalWriteId: 'paths', title: 'Paths' },
      { kind: 'memory', content: 'Violets are blue.' },
      { kind: 'memory', content: 'Roses are red.' },
    ]
    const importId = newId()
    const { results } = await call('import-records', { importId, records })
    const [beds, paths, violets] = (results as { recordId: string }[]).map(({ recordId }) => recordId)
    await call('delete-note', { id: beds })
    await call('erase-note', { id: beds })
    await call('archive-memories', { ids: [violets] })
    await call('erase-memory', { id: violets })
    expect(await call('list-imports', {})).toMatchObject({ imports: [{ counts: { note: 1, memory: 1 } }] })
    expect(await call('revert-import', { importId })).toMatchObject({ trashed: 1, archived: 1, left: [], remaining: 0 })
    const { db } = test().app.services
    const reverted = () =>
      db.read.selectFrom('revertedRecords').select('recordId').where('vaultId', '=', vaultId).execute()
    expect(await reverted()).toHaveLength(2)
    await call('erase-note', { id: paths })
    expect(await reverted()).toHaveLength(1)
  })
})
