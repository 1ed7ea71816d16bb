import { expect, it } from 'vitest'
import { openStore } from '../../../test/database.ts'
import { eachDialect } from '../../../test/dialects.ts'
import { asSealed } from '../../crypto/cell.ts'
import { migrate } from '../migrate.ts'
import { activityLook } from './0028-activity-look.ts'

eachDialect('the migration of what names deleted records', (dialect) => {
  it('leaves nothing of those that are gone, and all of those that are there', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db)
    const blank = asSealed(Buffer.alloc(0))
    const vault = { userId: 'u', vaultId: 'v' }
    const rated = { importance: 3, confidence: 3, contentRevision: 1, version: 1, accessCount: 0 }
    const times = { occurredAt: 0, createdAt: 0, updatedAt: 0 }
    const imported = (kind: string, recordId: string) => ({ ...vault, importId: 'i', kind, recordId, version: 1 })
    const decided = (kind: string, firstId: string, secondId = '') => ({ ...vault, kind, firstId, secondId, at: 0 })
    await db.write(async (tx) => {
      const memories = ['a', 'b'].map((id) => ({
        id,
        type: 'fact',
        ...vault,
        head: blank,
        body: blank,
        ...rated,
        ...times,
      }))
      await tx.insertInto('memories').values(memories).execute()
      await tx
        .insertInto('importedRecords')
        .values([imported('memory', 'a'), imported('memory', 'gone'), imported('note', 'gone'), imported('link', 'l')])
        .execute()
      await tx
        .insertInto('revertedRecords')
        .values(['b', 'gone'].map((recordId) => ({ ...vault, recordId, version: 1 })))
        .execute()
      await tx
        .insertInto('reviewDecisions')
        .values([
          decided('unsure', 'a'),
          decided('unsure', 'gone'),
          decided('duplicate', 'a', 'b'),
          decided('duplicate', 'a', 'gone'),
          decided('agent', 'c'),
        ])
        .execute()
    })
    const deletes = activityLook
      .statements(db)
      .map((statement) => statement.compile())
      .filter(({ sql }) => sql.startsWith('DELETE'))
    expect(deletes).toHaveLength(3)
    for (const query of deletes) await db.read.executeQuery(query)
    const idsIn = async (table: 'importedRecords' | 'revertedRecords') =>
      (await db.read.selectFrom(table).select('recordId').orderBy('recordId').execute()).map(({ recordId }) => recordId)
    expect(await idsIn('importedRecords')).toEqual(['a', 'l'])
    expect(await idsIn('revertedRecords')).toEqual(['b'])
    const left = await db.read.selectFrom('reviewDecisions').select(['kind', 'firstId', 'secondId']).execute()
    expect(left.map((row) => Object.values(row).join(' ').trim()).toSorted()).toEqual([
      'agent c',
      'duplicate a b',
      'unsure a',
    ])
    await db.close()
  })
})
