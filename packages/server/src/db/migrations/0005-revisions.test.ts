import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openStore } from '../../../test/database.ts'
import { eachDialect } from '../../../test/dialects.ts'
import { migrate, migrations } from '../migrate.ts'

eachDialect('the migration to revisions', (dialect) => {
  it('gives existing rows the revision under which their cells were sealed', async () => {
    const db = await openStore(await dialect.freshUrl())
    const former = migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === '0005-revisions'),
    )
    await migrate(db, former)
    const bytes = Buffer.from('sealed')
    await db.write((tx) =>
      sql`insert into "users" ("id", "passwordHash", "createdAt", "isOwner", "mekVersion", "emailTag", "profile", "wrappedMek")
          values ('a', '', 1, 0, 1, ${bytes}, ${bytes}, ${bytes})`.execute(tx),
    )
    await migrate(db)
    expect(await db.read.selectFrom('users').select(['id', 'profileRevision']).execute()).toEqual([
      { id: 'a', profileRevision: 1 },
    ])
    await db.close()
  })
})
