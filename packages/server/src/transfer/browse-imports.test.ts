import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser } from '../../test/factories.ts'
import { makeClock } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'

eachDialect('browse-imports', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('tells what was imported, and that it was taken back', async () => {
    const { vaultId, dashboardToken: key } = await makeUser(test())
    const call = async (name: string, input: object) => (await test().call(name, { vaultId, ...input }, { key })).body
    const [first, second] = [newId(), newId()]
    const note = (title: string) => ({ kind: 'note', externalWriteId: title, title })
    const origin = { source: 'obsidian', name: 'Garden' }
    await call('import-records', { importId: first, origin, records: [note('Beds')], dryRun: true })
    expect(await call('browse-imports', {})).toMatchObject({ imports: [], total: 0 })
    const startedAt = clock.iso()
    await call('import-records', { importId: first, origin, records: [note('Beds')] })
    clock.advance(1000)
    await call('import-records', { importId: first, origin, records: [note('Beds'), note('Paths')] })
    await call('import-records', { importId: second, records: [{ kind: 'memory', content: 'Violets are blue.' }] })
    const lastAt = clock.iso()
    expect(await call('browse-imports', {})).toMatchObject({
      imports: [
        { importId: second, origin: null, counts: { memory: 1 } },
        { importId: first, origin, startedAt, lastAt, revertedAt: null, counts: { note: 2 } },
      ],
      total: 2,
    })
    await call('revert-import', { importId: first })
    expect(await call('browse-imports', { offset: 1 })).toMatchObject({
      imports: [{ importId: first, counts: {}, revertedAt: lastAt }],
      hasMore: false,
    })
    await call('import-records', { importId: first, origin, records: [note('Beds')] })
    expect(await call('browse-imports', { offset: 1 })).toMatchObject({
      imports: [{ importId: first, counts: { note: 1 }, revertedAt: null }],
    })
  })
})
