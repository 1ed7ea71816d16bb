import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { driverCode, StoreError } from './store-error.ts'

/**
 * Tells a disk that is full, read-only or failing from a damaged database. A backup in the place of a good database would lose what was
 * written after it.
 */

const full = /^(SQLITE_FULL|SQLITE_IOERR_SHM(SIZE|MAP)|ENOSPC|EDQUOT)$/
export const isFull = (code: string): boolean => full.test(code)
const isReadOnly = /^(SQLITE_READONLY.*|EROFS)$/
const isForbidden = /^(SQLITE_CANTOPEN.*|SQLITE_PERM|SQLITE_AUTH|EACCES|EPERM)$/
const isDamage = /^(SQLITE_CORRUPT.*|SQLITE_NOTADB)$/

/** Why a file or folder can't be used; undefined if the code says nothing about its disk. */
export function describeDisk(path: string, code: string): string | undefined {
  if (isFull(code)) return `The disk of ${path} is full (${code}). Nothing was changed. Free some space on it.`
  if (isReadOnly.test(code))
    return `The disk of ${path} is read-only (${code}). Nothing was changed. Mount it for writing. If it became read-only by itself, the system's log says why.`
  if (isForbidden.test(code))
    return `This user may not read and write ${path} (${code}). Nothing was changed. Start as the user who owns it, or change its owner.`
  return undefined
}

/** Why the database didn't open. Without a `cause`, its pages were checked and are damaged. */
export function openFailure(file: string, cause?: unknown): StoreError {
  const code = driverCode(cause)
  const onDisk = describeDisk(file, code)
  if (onDisk !== undefined) return new StoreError(onDisk, { cause })
  // Holdfast's own processes are kept out by the lock of the data folder.
  if (code.startsWith('SQLITE_BUSY'))
    return new StoreError(
      `Another program has the database ${file} open (${code}). Nothing was changed. Close it there, then start again.`,
      { cause },
    )
  if (cause !== undefined && !isDamage.test(code))
    return new StoreError(
      `The database ${file} cannot be read (${code || 'unknown error'}). Nothing was changed. The disk may be failing: see the system's log, ` +
        'and copy the folder before you try anything else.',
      { cause },
    )
  return new StoreError(
    `The database ${file} is damaged or unreadable (${code || 'quick_check'}). Nothing was changed. ` +
      'Put the last good backup in its place, or try `sqlite3 holdfast.db .recover` on a copy.',
    { cause },
  )
}

/** What SQLite needs next to a WAL of so many bytes, to read it: 32 KiB for each 4096 pages. */
const neededFor = (walBytes: number) => 2 ** 16 + walBytes / 2 ** 9

/**
 * Throws if the disk is read-only or full. SQLite opens a file on a read-only disk all the same and fails with other codes later. On a full
 * disk, it maps a file that has no space, and touching that ends the process without a word (SIGBUS).
 */
export function refuseUnusableDisk(file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
  } catch (cause) {
    throw openFailure(file, cause)
  }
  const { blocks, bavail, bsize } = statfsSync(dirname(file))
  const wal = `${file}-wal`
  // Some file systems don't count.
  if (blocks > 0 && bavail * bsize < neededFor(existsSync(wal) ? statSync(wal).size : 0))
    throw openFailure(file, Object.assign(new Error('no space'), { code: 'ENOSPC' }))
}
