import { type Kysely, type RawBuilder, sql, SqliteAdapter, type Transaction } from 'kysely'
import type { Tables } from './schema.ts'

/** The first parameter of every store function: the committed state or a transaction. */
export type Reader = Kysely<Tables>
export type Tx = Transaction<Tables>

/**
 * The store, with everything that differs between SQLite and PostgreSQL. Everything else is written once, in Kysely: rows
 * have the same physical form in both.
 */
export interface Database {
  readonly dialect: 'sqlite' | 'postgres'
  readonly columns: ColumnTypes
  /** Reads of committed state. */
  readonly read: Reader
  /**
   * Runs `work` in a transaction and settles once it is durable. `work` must await nothing but the transaction: other
   * writes may share its commit. Using `read` or another write inside it would deadlock.
   * If `work` throws, all of its changes are rolled back. It may run again after a rollback that another write or the database
   * caused, so it must change nothing but the store: no variable outside of it, and no object that it was given.
   * `lane`: whose rows it locks, as the id of a vault or user, so that many writes of one lane don't keep others from the store.
   */
  write<T>(work: (tx: Tx) => Promise<T>, lane?: string): Promise<T>
  /** How busy its connections are now. */
  readonly load: StoreLoad
  /** Runs `work` while no other process migrates this database. */
  withMigrationLock(work: () => Promise<void>): Promise<void>
  /** Copies the store while it is in use, to a file that must not exist. Only if the store is one file. */
  copyTo?(file: string, options: CopyOptions): Promise<void>
  /** Overwrites deleted data on disk now, if the store would keep it until later. */
  overwriteDeleted?(): Promise<void>
  /** Why the store should get no calls, although it answers. Only if others can change its settings. */
  findObstacle?(): Promise<string | undefined>
  /** What a driver error means for the caller. Undefined if the error is our own bug. */
  explainFailure(error: unknown): Failure | undefined
  close(): Promise<void>
}

interface StoreLoad {
  open: number
  idle: number
  max: number
  /** Transactions and queries that wait for a connection. */
  waiting: number
}

export interface CopyOptions {
  signal: AbortSignal
  onProgress(doneBytes: number, totalBytes: number): void
}

export interface ColumnTypes {
  bytes: 'blob' | 'bytea'
  /** Milliseconds and sequence numbers: beyond 32 bits. */
  long: 'integer' | 'bigint'
}

export interface Failure {
  /** `fatal`: acknowledged writes may not be on disk, so the process must stop and recover at the next start. */
  kind: 'unavailable' | 'fatal'
  reason: string
}

/** Whether rows can be locked one by one. SQLite has one writer at a time, and nothing to lock. */
export const locksRows = (db: Reader): boolean => !(db.getExecutor().adapter instanceof SqliteAdapter)

/**
 * Rows that a statement reads from one parameter, a JSON array of arrays of texts and numbers: `from` is a table, the others read a field
 * by its place. Its text doesn't depend on the number of rows, so it can be prepared.
 */
export function jsonRows(db: Reader, json: string) {
  const rows = locksRows(db) ? sql`jsonb_array_elements(${json}::jsonb)` : sql`json_each(${json})`
  const field = (at: number) => sql`"given"."value" ->> ${sql.lit(at)}`
  return {
    from: rows.as<'given'>('given'),
    text: (at: number) => sql<string>`(${field(at)})`,
    number: (at: number) => sql<number>`cast(${field(at)} as bigint)`,
  }
}

/**
 * The current time of the store's clock, in milliseconds, for values that several servers compare: their clocks differ. Not the
 * start time of the transaction, which may have waited for a lock.
 */
export const storeClock = (db: Reader): RawBuilder<number> =>
  locksRows(db)
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(unixepoch('now', 'subsec') * 1000 as integer)`
