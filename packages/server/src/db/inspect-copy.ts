import SqliteDatabase from 'better-sqlite3'
import { Kysely } from 'kysely'
import type { Database } from './dialect.ts'
import { StoreError } from './store-error.ts'
import type { Tables } from './schema.ts'
import { HiddenParametersDialect } from './sqlite.ts'

/** Prepares and checks a copy of the database that no server has open. Blocks the thread while the file is read. */

/** Makes the copy a single file: a store in use has a log file for its latest writes. */
export function settleCopy(file: string): void {
  const connection = new SqliteDatabase(file)
  try {
    connection.pragma('journal_mode = DELETE')
  } finally {
    connection.close()
  }
}

interface CopyIdentity {
  instanceId: string
  /** The last migration. */
  schema: string
}

/** Returns the instance and schema of the copy. Throws if its pages or indexes are inconsistent. */
export function inspectCopy(file: string): CopyIdentity {
  const connection = new SqliteDatabase(file, { readonly: true })
  try {
    const finding = connection.pragma('integrity_check(1)', { simple: true })
    if (finding !== 'ok') throw new Error('integrity_check failed')
    const { id } = connection.prepare('select "id" from "instance"').get() as { id: string }
    const last = connection.prepare('select "name" from "migrations" order by "name" desc limit 1')
    const { name } = last.get() as { name: string }
    return { instanceId: id, schema: name }
  } finally {
    connection.close()
  }
}

/** The number of rows by table. */
export function countCopy(file: string): Record<string, number> {
  const connection = new SqliteDatabase(file, { readonly: true })
  try {
    const tables = connection
      .prepare(`select "name" from "sqlite_master" where "type" = 'table' and "name" not like 'sqlite\\_%' escape '\\'`)
      .pluck()
      .all() as string[]
    return Object.fromEntries(
      tables
        .toSorted()
        .map((table) => [table, connection.prepare(`select count(*) from "${table}"`).pluck().get() as number]),
    )
  } finally {
    connection.close()
  }
}

/** Opens a copy of a store for reading. The caller closes it. */
export function openCopy(file: string): Database {
  const connection = new SqliteDatabase(file, { readonly: true, fileMustExist: true })
  connection.pragma('trusted_schema = OFF')
  const db = new Kysely<Tables>({ dialect: new HiddenParametersDialect({ database: connection }) })
  return {
    dialect: 'sqlite',
    columns: { bytes: 'blob', long: 'integer' },
    read: db,
    write: () => Promise.reject(new StoreError('Copies are read-only.')),
    load: { open: 1, idle: 1, max: 1, waiting: 0 },
    withMigrationLock: () => Promise.reject(new StoreError('Copies are not migrated.')),
    explainFailure: () => undefined,
    close: () => db.destroy(),
  }
}
