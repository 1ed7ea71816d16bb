import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, sql, SqliteDialect, SqliteQueryCompiler, type SqliteDatabase as KyselyDatabase } from 'kysely'
import { LRUCache } from 'lru-cache'
import { closeToOthers, createPrivateFile } from '../core/private-file.ts'
import { copySqlite } from './copy-sqlite.ts'
import type { Database, Failure } from './dialect.ts'
import { markOpen, refuseLostLog, unmarkOpen } from './sqlite-log-mark.ts'
import { driverCode, StoreError } from './store-error.ts'
import { createGroupCommit } from './group-commit.ts'
import { openFailure, refuseUnusableDisk } from './sqlite-disk.ts'
import type { Tables } from './schema.ts'

export const sqliteFile = (dataDir: string) => join(dataDir, 'holdfast.db')

/** True if the folder has a database that isn't empty: SQLite would open an empty file as a new database. */
export function hasSqliteFile(dataDir: string): boolean {
  const file = sqliteFile(dataDir)
  return existsSync(file) && statSync(file).size > 0
}

/**
 * The embedded store: one file in the data folder and one connection. A second connection for reads would gain nothing, because
 * both run on this thread, and it would lose its page cache at every commit.
 */
export function openSqlite(dataDir: string): Database {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const connection = connect(dataDir)
  const db = new Kysely<Tables>({ dialect: new HiddenParametersDialect({ database: keepStatements(connection) }) })
  const commits = createGroupCommit(db)
  return {
    dialect: 'sqlite',
    columns: { bytes: 'blob', long: 'integer' },
    read: db,
    write: commits.write,
    get load() {
      return { open: 1, idle: commits.isWriting ? 0 : 1, max: 1, waiting: commits.waiting }
    },
    // The data folder's lock keeps out all other processes.
    withMigrationLock: (work) => work(),
    copyTo: (file, options) => copySqlite(connection, file, options),
    // A deleted row stays in the main file and in older pages of the log until the log is checkpointed and truncated.
    overwriteDeleted: async () => void (await sql`pragma wal_checkpoint(truncate)`.execute(db)),
    explainFailure,
    async close() {
      try {
        unmarkOpen(sqliteFile(dataDir))
      } finally {
        await db.destroy()
      }
    },
  }
}

function connect(dataDir: string): SqliteDatabase.Database {
  let connection: SqliteDatabase.Database | undefined
  try {
    // SQLite gives the log the mode of the database. One that an earlier version left may have another.
    createPrivateFile(sqliteFile(dataDir))
    refuseUnusableDisk(sqliteFile(dataDir))
    for (const end of ['-wal', '-shm', '-journal']) closeToOthers(sqliteFile(dataDir) + end)
    connection = new SqliteDatabase(sqliteFile(dataDir))
    configure(connection, dataDir)
    // SQLite creates the log at the first read.
    connection.pragma('user_version')
    markOpen(sqliteFile(dataDir))
    return connection
  } catch (error) {
    // Otherwise it would keep its locks, and the next try would fail as well.
    if (connection !== undefined) closeFailed(connection, sqliteFile(dataDir))
    throw error instanceof StoreError ? error : openFailure(sqliteFile(dataDir), error)
  }
}

/** Closing applies the log and deletes it, so a mark from before would have the next start miss it. */
function closeFailed(connection: SqliteDatabase.Database, file: string): void {
  try {
    unmarkOpen(file)
  } catch {
    // The failure of the start says more. Where the mark can't be deleted, neither can the log.
  } finally {
    connection.close()
  }
}

function configure(connection: SqliteDatabase.Database, dataDir: string): void {
  // Only this process uses the folder: without shared memory and file locks, a write takes 23 system calls on the file instead of 43.
  connection.pragma('locking_mode = EXCLUSIVE')
  connection.pragma('journal_mode = WAL')
  // The driver's default for WAL is NORMAL, which may lose acknowledged commits in a power cut.
  connection.pragma('synchronous = FULL')
  // Pages in the WAL are copied back once for many commits; at 16 MB one write in a thousand takes 7 ms.
  connection.pragma('wal_autocheckpoint = 4000')
  connection.pragma('secure_delete = ON')
  connection.pragma('trusted_schema = OFF')
  if (
    connection.pragma('synchronous', { simple: true }) !== 2 ||
    connection.pragma('journal_mode', { simple: true }) !== 'wal'
  )
    throw new StoreError(
      `${sqliteFile(dataDir)} cannot be opened with WAL and synchronous=FULL, so writes would not be durable.`,
    )
}

/**
 * SQLite plans by the values of parameters where they might matter: in joins, patterns and conditions of partial indexes. It then plans
 * each run again: 33 µs instead of 6 µs for authentication, 210 instead of 20 for a vault's keys. A unary plus doesn't change a value but
 * hides it from the planner. Where the plan needs a value, the query has a literal.
 */
export class HiddenParametersDialect extends SqliteDialect {
  override createQueryCompiler(): SqliteQueryCompiler {
    return new HiddenParametersCompiler()
  }
}

class HiddenParametersCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

const keptStatements = 500

// Preparing takes longer than running most statements: 30 µs, and 130 µs for authentication.
function keepStatements(connection: SqliteDatabase.Database): KyselyDatabase {
  const statements = new LRUCache<string, ReturnType<KyselyDatabase['prepare']>>({ max: keptStatements })
  return {
    close: () => void connection.close(),
    prepare(text) {
      const kept = statements.get(text)
      if (kept !== undefined) return kept
      const statement = connection.prepare(text)
      statements.set(text, statement)
      return statement
    },
  }
}

/** Throws if the file is damaged, its log is missing or its disk can't be used, before any request uses it. */
export function refuseDamagedSqlite(dataDir: string): void {
  refuseLostLog(sqliteFile(dataDir))
  refuseUnusableDisk(sqliteFile(dataDir))
  const connection = new SqliteDatabase(sqliteFile(dataDir), { readonly: true })
  try {
    // With memory mapping, the check of 200 MB takes 0.13 s, otherwise 0.3 s.
    connection.pragma(`mmap_size = ${statSync(sqliteFile(dataDir)).size}`)
    const finding = connection.pragma('quick_check(1)', { simple: true })
    if (finding !== 'ok') throw openFailure(sqliteFile(dataDir))
  } catch (error) {
    throw error instanceof StoreError ? error : openFailure(sqliteFile(dataDir), error)
  } finally {
    connection.close()
  }
}

const reasons: [prefix: string, Failure][] = [
  // A later sync may succeed although pages were dropped, so no acknowledgement can be trusted.
  ['SQLITE_IOERR_FSYNC', { kind: 'fatal', reason: 'the disk refused to sync' }],
  ['SQLITE_IOERR_DIR_FSYNC', { kind: 'fatal', reason: 'the disk refused to sync' }],
  ['SQLITE_FULL', { kind: 'unavailable', reason: 'the disk is full' }],
  ['SQLITE_IOERR', { kind: 'unavailable', reason: 'the database cannot be read or written' }],
  ['SQLITE_CORRUPT', { kind: 'unavailable', reason: 'the database is damaged' }],
  ['SQLITE_NOTADB', { kind: 'unavailable', reason: 'the database is damaged' }],
  ['SQLITE_CANTOPEN', { kind: 'unavailable', reason: 'the database cannot be opened' }],
  ['SQLITE_READONLY', { kind: 'unavailable', reason: 'the database cannot be written' }],
  ['SQLITE_BUSY', { kind: 'unavailable', reason: 'the database is busy' }],
]

function explainFailure(error: unknown): Failure | undefined {
  const code = driverCode(error)
  return reasons.find(([prefix]) => code.startsWith(prefix))?.[1]
}
