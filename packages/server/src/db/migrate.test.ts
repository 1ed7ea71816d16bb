import { expect, it } from 'vitest'
import { eachDialect } from '../../test/dialects.ts'
import { openStore } from '../../test/database.ts'
import { StoreError } from './store-error.ts'
import { migrate, refuseDueMigrations, refuseForeignSchema, type Migration } from './migrate.ts'

const createTable = (name: string) => `create table "${name}" ("id" text)`
const first: Migration = { name: '0001-first', statements: () => [createTable('first')] }
const second: Migration = { name: '0002-second', statements: () => [createTable('second')] }
const added: Migration = { name: '0003-expand-third', statements: () => [createTable('third')] }
const halfBroken: Migration = { ...second, statements: () => [createTable('second'), 'drop table "nothing"'] }

eachDialect('migrate', (dialect) => {
  it('applies missing migrations and changes nothing when called again', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db, [first])
    await migrate(db, [first, second])
    await migrate(db, [first, second])
    const tables = (await db.read.introspection.getTables()).map((table) => table.name)
    expect(tables).toEqual(expect.arrayContaining(['first', 'second', 'migrations']))
    await db.close()
  })

  it('leaves nothing of a migration that fails halfway', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db, [first])
    await expect(migrate(db, [first, halfBroken])).rejects.toThrow(/nothing/)
    const tables = (await db.read.introspection.getTables()).map((table) => table.name)
    expect(tables).not.toContain('second')
    await migrate(db, [first, second])
    await db.close()
  })

  it('rejects a database that a newer version has migrated', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db, [first, second])
    await expect(migrate(db, [first])).rejects.toThrow(/newer Holdfast \(migration 0002-second\)/)
    await db.close()
  })

  it('opens a database to which newer versions only added, and changes nothing in it', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db, [first, second, added])
    await migrate(db, [first, second])
    await refuseDueMigrations(db, [first, second])
    await refuseForeignSchema(db, [first, second])
    const last: Migration = { name: '0004-last', statements: () => [createTable('last')] }
    await migrate(db, [first, second, added, last])
    for (const open of [migrate, refuseDueMigrations, refuseForeignSchema])
      await expect(open(db, [first, second])).rejects.toThrow(/newer Holdfast \(migration 0004-last\)/)
    await db.close()
  })

  it('adds to a database that servers of the version before use, and changes nothing else until they have stopped', async () => {
    const db = await openStore(await dialect.freshUrl())
    const update = { listServers: async () => ['ada (process 1)', 'eve (process 2)'] }
    await migrate(db, [first], update)
    let backups = 0
    const beforeUpdate = async () => void backups++
    await expect(migrate(db, [first, second, added], { ...update, beforeUpdate })).rejects.toThrow(
      /0002-second .* 2 still run on this database: ada \(process 1\), eve \(process 2\)\. Stop them first/,
    )
    expect((await db.read.introspection.getTables()).map((table) => table.name)).not.toContain('second')
    await migrate(db, [first, second], { beforeUpdate })
    await migrate(db, [first, second, added], { ...update, beforeUpdate })
    expect(backups).toBe(2)
    await db.close()
  })

  it('rejects a database whose migration had other statements', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db, [first, second])
    const altered: Migration = { ...second, statements: () => [createTable('other')] }
    const opening = migrate(db, [first, altered])
    await expect(opening).rejects.toThrow(StoreError)
    await expect(opening).rejects.toThrow(/0002-second.*another build/)
    await db.close()
  })

  it('rejects a database of a development version with another first migration, and says what to do', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db, [{ ...first, name: '0001-initial' }, second])
    for (const open of [migrate, refuseDueMigrations, refuseForeignSchema]) {
      const opening = open(db)
      await expect(opening).rejects.toThrow(StoreError)
      await expect(opening).rejects.toThrow(/development version[^]*holdfast export/)
    }
    expect((await db.read.introspection.getTables()).map((table) => table.name)).not.toContain('memories')
    await db.close()
  })

  it('counts pending migrations for callers that may not migrate', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db, [])
    await expect(refuseDueMigrations(db, [first])).rejects.toThrow('1 migration is due.')
    await expect(refuseDueMigrations(db, [first, second])).rejects.toThrow('2 migrations are due.')
    await migrate(db, [first, second])
    await refuseDueMigrations(db, [first, second])
    await db.close()
  })

  it('lets two processes migrate at the same time', async () => {
    const store = await dialect.freshUrl()
    if (store.kind === 'sqlite') return // One process owns the folder; the lock is tested with the instance.
    const [a, b] = [await openStore(store), await openStore(store)]
    await Promise.all([migrate(a), migrate(b)])
    expect(await a.read.selectFrom('memories').selectAll().execute()).toEqual([])
    await Promise.all([a.close(), b.close()])
  })

  it('creates the real schema in an empty database', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db)
    expect(await db.read.selectFrom('memories').selectAll().execute()).toEqual([])
    await db.close()
  })
})
