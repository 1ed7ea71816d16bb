import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { StoreError, type Database } from './dialect.ts'
import type { Tables } from './schema.ts'

/** A copy of a store, to be looked at. The caller closes it. */
export function openCopy(file: string): Database {
  const connection = new SqliteDatabase(file, { readonly: true, fileMustExist: true })
  connection.pragma('trusted_schema = OFF')
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: connection }) })
  return {
    dialect: 'sqlite',
    columns: { bytes: 'blob', long: 'integer' },
    read: db,
    write: () => Promise.reject(new StoreError('A copy is not written to.')),
    withMigrationLock: () => Promise.reject(new StoreError('A copy is not migrated.')),
    explainFailure: () => undefined,
    close: () => db.destroy(),
  }
}
