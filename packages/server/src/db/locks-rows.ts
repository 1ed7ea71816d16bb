import { SqliteAdapter } from 'kysely'
import type { Reader } from './dialect.ts'

/** Whether rows can be locked one by one. SQLite has one writer at a time, and nothing to lock. */
export const locksRows = (db: Reader): boolean => !(db.getExecutor().adapter instanceof SqliteAdapter)
