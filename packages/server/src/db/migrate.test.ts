import { expect, it } from 'vitest'
import { eachDialect } from '../../test/dialects.ts'
import { openStore } from '../../test/database.ts'
import { StoreError } from './dialect.ts'
import { migrate, type Migration } from './migrate.ts'

const first: Migration = {
  name: '0001-first',
  statements: ({ read }) => [read.schema.createTable('first').addColumn('id', 'text')],
}
const second: Migration = {
  name: '0002-second',
  statements: ({ read }) => [read.schema.createTable('second').addColumn('id', 'text')],
}
const halfBroken: Migration = {
  name: '0002-second',
  statements: ({ read }) => [
    read.schema.createTable('second').addColumn('id', 'text'),
    read.schema.dropTable('nothing'),
  ],
}

eachDialect('migrate', (dialect) => {
  it('applies what is missing and changes nothing when called again', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db, [first])
    await migrate(db, [first, second])
    await migrate(db, [first, second])
    const tables = (await db.read.introspection.getTables()).map((table) => table.name)
    expect(tables).toEqual(expect.arrayContaining(['first', 'second', 'migrations']))
    await db.close()
  })

  it('leaves nothing of a migration that fails half way', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db, [first])
    await expect(migrate(db, [first, halfBroken])).rejects.toThrow(/nothing/)
    const tables = (await db.read.introspection.getTables()).map((table) => table.name)
    expect(tables).not.toContain('second')
    await migrate(db, [first, second])
    await db.close()
  })

  it('refuses a database that a newer version has migrated', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db, [first, second])
    await expect(migrate(db, [first])).rejects.toThrow(/newer Holdfast \(migration 0002-second\)/)
    await db.close()
  })

  it('refuses a database whose migration had other statements', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db, [first])
    const altered: Migration = { ...second, name: first.name }
    await expect(migrate(db, [altered])).rejects.toThrow(StoreError)
    await db.close()
  })

  it('lets two processes migrate at once', async () => {
    const store = await dialect.freshUrl()
    if (store.kind === 'sqlite') return // One process owns the folder; the lock is tested with the instance.
    const [a, b] = [await openStore(store), await openStore(store)]
    await Promise.all([migrate(a), migrate(b)])
    expect(await a.read.selectFrom('memories').selectAll().execute()).toEqual([])
    await Promise.all([a.close(), b.close()])
  })

  it('brings the real schema to an empty store', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db)
    expect(await db.read.selectFrom('memories').selectAll().execute()).toEqual([])
    await db.close()
  })
})
