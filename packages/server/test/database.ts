import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { asSealed } from '../src/crypto/cell.ts'
import type { Database } from '../src/db/dialect.ts'
import { migrate } from '../src/db/migrate.ts'
import { openPostgres } from '../src/db/postgres.ts'
import { openSqlite } from '../src/db/sqlite.ts'
import type { FreshStore, Template, TestDialect } from './dialects.ts'

/** Every test starts from a migrated, empty database, copied rather than migrated again. */
export const migratedTemplate: Template = {
  name: 'migrated',
  async prepare(store) {
    const db = await openStore(store)
    await migrate(db)
    await db.close()
  },
  empty: emptyDatabase,
}

/** The first database that was emptied shows what all of them hold. */
let schemaSeen: string | undefined

/** False if the schema was changed or if someone is still connected. Only the journal of migrations has rows in a new database. */
async function emptyDatabase(url: string): Promise<boolean> {
  const client = new Client(url)
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string; columns: string }>(tablesAndColumns)
    const schema = JSON.stringify(tables)
    schemaSeen ??= schema
    if (schema !== schemaSeen || !(await isAlone(client))) return false
    const holders = tables.map(({ name }) => `select '"${name}"' as "name" where exists (select from "${name}")`)
    const { rows: filled } = await client.query<{ name: string }>(holders.join(' union all '))
    if (filled.length > 0) await client.query(`truncate ${filled.map(({ name }) => name).join(', ')}`)
    return true
  } finally {
    await client.end()
  }
}

const tablesAndColumns = `
  select relname as "name", string_agg(attname || ' ' || atttypid, ',' order by attnum) as "columns"
  from pg_class join pg_attribute on attrelid = pg_class.oid
  where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations' and attnum > 0
  group by relname order by relname`

/** A closed connection is listed for a moment longer. */
async function isAlone(client: Client): Promise<boolean> {
  for (let look = 0; look < 20; look++) {
    const { rowCount } = await client.query(
      'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    if (rowCount === 0) return true
    await sleep(5)
  }
  return false
}

export const openStore = async (store: FreshStore): Promise<Database> =>
  store.kind === 'sqlite' ? openSqlite(store.dir) : openPostgres(store.url)

export const openTestDatabase = async (dialect: TestDialect): Promise<Database> =>
  openStore(await dialect.freshUrl(migratedTemplate))

/** One migrated database for all tests of a block, which use separate users and vaults. */
export function useTestDatabase(dialect: TestDialect): () => Database {
  let db: Database | undefined
  beforeAll(async () => {
    db = await openTestDatabase(dialect)
  })
  afterAll(async () => {
    await db?.close()
    db = undefined
  })
  return () => {
    if (db === undefined) throw new Error('the store is opened before the first test of its block')
    return db
  }
}

/** Only the row of a vault, for tests of what belongs to a vault. */
export async function insertVaultRow(db: Database, { id, userId }: { id: string; userId: string }): Promise<void> {
  const profile = asSealed(Buffer.alloc(0))
  const row = { id, userId, profile, seq: 0, isDefault: 0, settingsVersion: 1, version: 1, createdAt: 0, updatedAt: 0 }
  await db.write((tx) => tx.insertInto('vaults').values(row).execute())
}
