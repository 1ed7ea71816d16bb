import { type Kysely, type RawBuilder, sql, SqliteAdapter, type Transaction } from 'kysely'
import type { Tables } from './schema.ts'

/** What every store function takes first: the committed state, or a transaction. */
export type Reader = Kysely<Tables>
export type Tx = Transaction<Tables>

/**
 * The store, and the whole list of what differs between SQLite and PostgreSQL. Everything else is written once, in
 * Kysely: rows have the same physical form in both.
 */
export interface Database {
  readonly dialect: 'sqlite' | 'postgres'
  readonly columns: ColumnTypes
  /** Reads of committed state. */
  readonly read: Reader
  /**
   * Runs `work` in a transaction and settles once it is durable. `work` must await nothing but the transaction: other
   * writes may share its commit. A read past the transaction, of `read` or another write, would wait for itself to end.
   * When `work` throws, nothing of it stays.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs `work` while no other process migrates this database. */
  withMigrationLock(work: () => Promise<void>): Promise<void>
  /** Makes a copy to go back to before a migration; only where one file holds everything. */
  backUp?(name: string): void
  /** Copies the store while it is used, to a file that is not there yet; only where one file holds everything. */
  copyTo?(file: string, options: CopyOptions): Promise<void>
  /** Overwrites on disk what was deleted, where the store would keep it until some later time. */
  overwriteDeleted?(): Promise<void>
  /** What an error of the driver means for the caller; undefined where it is our own mistake. */
  explainFailure(error: unknown): Failure | undefined
  close(): Promise<void>
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
  /** Fatal: what was acknowledged may not be on disk, so that the process must stop and recover at the next start. */
  kind: 'unavailable' | 'fatal'
  reason: string
}

/** A start that must not go on; the message says what was found and what to do. */
export class StoreError extends Error {
  /** `away`: the store may come back by itself; `missing`: there is none yet; `wrong`: somebody must put it right. */
  readonly kind: 'away' | 'missing' | 'wrong'

  constructor(message: string, options: ErrorOptions & { kind?: StoreError['kind'] } = {}) {
    super(message, options)
    this.name = 'StoreError'
    this.kind = options.kind ?? 'wrong'
  }
}

/** The code that both drivers put on their errors. */
export function driverCode(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : ''
}

/** Whether rows can be locked one by one. SQLite has one writer at a time, and nothing to lock. */
export const locksRows = (db: Reader): boolean => !(db.getExecutor().adapter instanceof SqliteAdapter)

/**
 * The time by the store's own clock, in milliseconds, for what several servers compare: each has a clock of its own. It is
 * that of the moment, not of the transaction's beginning, which may have waited for a lock.
 */
export const storeClock = (db: Reader): RawBuilder<number> =>
  locksRows(db)
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(unixepoch('now', 'subsec') * 1000 as integer)`
