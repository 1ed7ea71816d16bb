// The database as its administrator, or a thief, sees it: SQL beside the server.

import SqliteDatabase from 'better-sqlite3'
import { Client } from 'pg'
import { sqliteFile } from '../../src/db/sqlite.ts'
import type { FreshStore } from '../dialects.ts'

export type Row = Record<string, unknown>

/** Runs statements one after another and returns the last one's rows. Names must be quoted: both dialects are asked alike. */
export async function query(store: FreshStore, ...statements: string[]): Promise<Row[]> {
  return store.kind === 'sqlite' ? querySqlite(store.dir, statements) : queryPostgres(store.url, statements)
}

function querySqlite(dir: string, statements: string[]): Row[] {
  const db = new SqliteDatabase(sqliteFile(dir), { fileMustExist: true })
  try {
    let rows: Row[] = []
    for (const statement of statements.map((sql) => db.prepare(sql)))
      if (statement.reader) rows = statement.all() as Row[]
      else statement.run()
    return rows
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
