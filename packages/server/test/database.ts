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
  reuse: {
    describe: (url) => withClient(url, describeSchema),
    empty: (url, description) => withClient(url, (client) => emptyTables(client, description)),
  },
}

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Everything in a new database: columns, indexes, and the journal of migrations, the only table with rows. */
async function describeSchema(client: Client): Promise<string> {
  const { rows: columns } = await client.query(
    `select relname, attname, format_type(atttypid, atttypmod), attnotnull
     from pg_class left join pg_attribute on attrelid = pg_class.oid and attnum > 0
     where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname, attnum`,
  )
  const { rows: indexes } = await client.query(
    `select indexdef from pg_indexes where schemaname = 'public' order by indexname`,
  )
  const { rows: migrations } = await client.query('select * from migrations order by name')
  return JSON.stringify({ columns, indexes, migrations })
}

/** False if the schema or the journal was changed, or if someone is still connected. */
async function emptyTables(client: Client, description: string): Promise<boolean> {
  if ((await describeSchema(client)) !== description || !(await isAlone(client))) return false
  const { rows: tables } = await client.query<{ name: string }>(
    `select tablename as "name" from pg_tables where schemaname = 'public' and tablename <> 'migrations'`,
  )
  const holders = tables.map(({ name }) => `select '"${name}"' as "name" where exists (select from "${name}")`)
  const { rows: filled } = await client.query<{ name: string }>(holders.join(' union all '))
  if (filled.length > 0) await client.query(`truncate ${filled.map(({ name }) => name).join(', ')}`)
  return true
}

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
