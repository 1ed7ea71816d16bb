import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openStore } from '../../../test/database.ts'
import { eachDialect } from '../../../test/dialects.ts'
import { newId } from '../../core/ids.ts'
import { migrate, migrations } from '../migrate.ts'

eachDialect('the migration to reads in a table of their own', (dialect) => {
  it('keeps all counts and times, and everything else of the memories', async () => {
    const db = await openStore(await dialect.freshUrl())
    const at = migrations.findIndex(({ name }) => name === '0024-reads-apart')
    await migrate(db, migrations.slice(0, at))
    const plain = {
      userId: newId(),
      vaultId: newId(),
      type: 'fact',
      importance: 3,
      confidence: 4,
      contentRevision: 1,
      version: 2,
      createdAt: 1_795_994_286_749,
      updatedAt: 1_795_994_286_750,
      occurredAt: 1,
      archivedAt: null,
      expiresAt: null,
      supersedesId: null,
      supersededById: newId(),
      integrationId: null,
      taskStatus: null,
      changedById: null,
      removedById: newId(),
      externalTag: Buffer.from('tag'),
      assigneeTag: null,
      head: Buffer.from('sealed head'),
      body: Buffer.alloc(5_000, 'sealed body'),
    }
    const reads = [
      { accessCount: 3, lastAccessedAt: 1_795_994_286_751 },
      { accessCount: 7, lastAccessedAt: null },
      { accessCount: 0, lastAccessedAt: null },
    ]
    const old = reads.map((read) => ({ ...plain, id: newId(), externalTag: Buffer.from(newId()), ...read }))
    for (const row of old)
      await db.write((tx) =>
        sql`insert into "memories" (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
            values (${sql.join(Object.values(row))})`.execute(tx),
      )
    await migrate(db)
    const memories = await db.read.selectFrom('memories').selectAll().orderBy('id').execute()
    expect(memories).toEqual(old.map(({ accessCount: _count, lastAccessedAt: _at, ...row }) => row))
    const { userId, vaultId } = plain
    expect(await db.read.selectFrom('memoryReads').selectAll().orderBy('memoryId').execute()).toEqual(
      old.slice(0, 2).map(({ id, accessCount, lastAccessedAt }) => ({
        userId,
        vaultId,
        memoryId: id,
        lastAccessedAt,
        accessCount,
      })),
    )
    await db.close()
  })
})
