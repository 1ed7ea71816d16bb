import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { createPrivateFile } from '../core/private-file.ts'
import { describeDisk } from '../db/sqlite-disk.ts'
import { driverCode, StoreError } from '../db/store-error.ts'

/**
 * One process owns a data folder. The lock is an exclusive transaction on an empty SQLite file: the operating system
 * releases it when the process ends, for any reason, so a crash leaves nothing to clean up.
 */
export function lockDataDir(dataDir: string): { release(): void } {
  let lock: SqliteDatabase.Database | undefined
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const file = join(dataDir, 'holdfast.lock')
    createPrivateFile(file)
    lock = new SqliteDatabase(file, { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    const code = driverCode(error)
    const isHeld = code.startsWith('SQLITE_BUSY')
    throw new StoreError(
      isHeld
        ? `Another Holdfast is running on the data folder ${dataDir}. Stop it first, or set another HOLDFAST_DATA_DIR for this one.`
        : (describeDisk(dataDir, code) ??
            `Cannot lock the data folder ${dataDir} (${code}). Check that it exists and is writable.`),
      { cause: error },
    )
  }
  const held = lock
  heldLocks.add(held)
  return {
    release() {
      heldLocks.delete(held)
      held.close()
    },
  }
}

// Without a reference, the garbage collector would close the connection and release the lock too early.
const heldLocks = new Set<SqliteDatabase.Database>()
