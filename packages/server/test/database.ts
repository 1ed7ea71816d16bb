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
  const counts = { seq: 0, minGeneration: 1, settingsVersion: 1, version: 1 }
  const row = { id, userId, profile, ...counts, isDefault: 0, createdAt: 0, updatedAt: 0 }
  await db.write((tx) => tx.insertInto('vaults').values(row).execute())
}
