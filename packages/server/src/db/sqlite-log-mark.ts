import { existsSync, rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { replaceDurably, syncFolder } from '../core/durable-file.ts'
import { StoreError } from './store-error.ts'

/**
 * Notices that the log (WAL) of a killed process was deleted: without it, SQLite opens the database as it was at some earlier time, and
 * says nothing. A file next to the database says that there has to be a log. It exists while a process has the database open.
 *
 * A log that was cut or replaced isn't noticed, and neither is a copy of the database alone.
 */

export const markFile = (file: string): string => `${file}-open`

const hasLog = (file: string) => existsSync(`${file}-wal`)

/** Call this before SQLite opens the database: it would create an empty log. */
export function refuseLostLog(file: string): void {
  const mark = markFile(file)
  if (!existsSync(mark) || hasLog(file)) return
  throw new StoreError(
    `The log of the database is missing: ${file}-wal. The process that last used the database was killed, and what it wrote at the end was only in this file. ` +
      'Nothing was changed.\n' +
      'Put the file back. If you cannot, or if another program has opened the database since (such as sqlite3, which empties the log), ' +
      `delete ${mark} and start again. The database then opens without what was only in the log.`,
  )
}

/** After opening: from now on, commits are in the log. */
export function markOpen(file: string): void {
  const name = basename(file)
  replaceDurably(markFile(file), `A process has ${name} open, or was killed. Then the next start needs ${name}-wal.\n`)
}

/** Before closing, which deletes the log: after a crash in between, the log only isn't missed. */
export function unmarkOpen(file: string): void {
  rmSync(markFile(file), { force: true })
  syncFolder(dirname(file))
}
