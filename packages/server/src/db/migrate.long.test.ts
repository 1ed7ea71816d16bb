import { expect, it } from 'vitest'
import { openStore } from '../../test/database.ts'
import { eachDialect } from '../../test/dialects.ts'
import { measured } from '../../test/promises/measured.ts'
import { migrate, migrations } from './migrate.ts'

eachDialect('a migration that ends at any of its statements', (dialect) => {
  it('leaves the former schema, and is applied the next time', { timeout: 1_200_000 }, async () => {
    const db = await openStore(await dialect.freshUrl())
    const schema = async () => JSON.stringify(await db.read.introspection.getTables())
    let ended = 0
    for (const [at, migration] of migrations.entries()) {
      const applied = migrations.slice(0, at)
      await migrate(db, applied)
      const former = await schema()
      const statements = migration.statements(db)
      for (let count = 0; count <= statements.length; count++) {
        const cut = () => [...statements.slice(0, count), 'drop table "nothing"']
        await expect(migrate(db, [...applied, { ...migration, statements: cut }])).rejects.toThrow(/nothing/)
        ended++
      }
      expect(await schema()).toBe(former)
    }
    await migrate(db)
    await migrate(db)
    await db.close()
    measured({ migrations: migrations.length, 'ended at': ended })
  })
})
