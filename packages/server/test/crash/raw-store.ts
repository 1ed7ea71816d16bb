// The database as its administrator, or a thief, sees it: SQL without the server.

import { rmSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import { Client } from 'pg'
import { markFile } from '../../src/db/sqlite-log-mark.ts'
import { sqliteFile } from '../../src/db/sqlite.ts'
import type { FreshStore } from '../dialects.ts'

export type Row = Record<string, unknown>

/**
 * Names must be quoted, so both dialects accept the same SQL. No server may be running on an SQLite database. The WAL of a killed one
 * stays for the next start to recover.
 */
export const query = async (store: FreshStore, statement: string): Promise<Row[]> =>
  store.kind === 'sqlite'
    ? withSqlite(store.dir, { readonly: true }, (db) => db.prepare(statement).all() as Row[])
    : queryPostgres(store.url, [statement])

/** Runs statements that change something, in one transaction. */
export async function change(store: FreshStore, ...statements: string[]): Promise<void> {
  if (store.kind === 'sqlite') withSqlite(store.dir, {}, (db) => void db.exec(inTransaction(statements).join(';')))
  else await queryPostgres(store.url, inTransaction(statements))
}

const inTransaction = (statements: string[]) => ['begin', ...statements, 'commit']

function withSqlite<T>(dir: string, options: { readonly?: boolean }, work: (db: SqliteDatabase.Database) => T): T {
  const db = new SqliteDatabase(sqliteFile(dir), { fileMustExist: true, ...options })
  // Closing empties the log, so the next start must not miss it.
  if (options.readonly !== true) rmSync(markFile(sqliteFile(dir)), { force: true })
  try {
    return work(db)
  } finally {
    db.close()
  }
}

async function queryPostgres(url: string, statements: string[]): Promise<Row[]> {
  const client = new Client(url)
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) ({ rows } = await client.query<Row>(statement))
    return rows
  } finally {
    await client.end()
  }
}
