import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { copyFile, link, open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { BackupEnd } from '../backups/backup-file.ts'
import { syncFolder } from '../backups/backup-folder.ts'
import { isoTime } from '../core/time.ts'
import { markFile } from '../db/sqlite-log-mark.ts'
import { sqliteFile } from '../db/sqlite.ts'
import { openCopy } from '../db/inspect-copy.ts'
import { refuseForeignSchema } from '../db/migrate.ts'
import { readSidecar, sidecarFile, writeSidecar } from '../instance/instance.ts'
import { copyOwner } from '../instance/root-key-file.ts'

interface Replacing {
  /** Already verified. */
  backup: string
  end: BackupEnd
  /** Already locked. */
  dataDir: string
  now: number
  onProgress(doneBytes: number, totalBytes: number): void
}

/**
 * Puts the database of a backup into the data folder. First it copies the previous database and its log next to it. After a
 * crash there is either the previous database or none, which the server refuses to start on; running the command again
 * completes the restore. Returns the file that holds the previous database, or undefined if there was none.
 */
export async function replaceStore(replacing: Replacing): Promise<string | undefined> {
  const { backup, dataDir, end, now, onProgress } = replacing
  const current = sqliteFile(dataDir)
  const staged = `${current}.restoring`
  for (const left of [staged, `${staged}-journal`]) await rm(left, { force: true })
  try {
    await copyDatabase(backup, staged, end.manifest.databaseBytes, onProgress)
    await readBack(staged)
    copyOwner(dataDir, staged)
    const kept = await keepFormer(current, now)
    // Before the database is removed, so that a start in between reports a missing database and doesn't create an instance.
    if (readSidecar(dataDir) === undefined) {
      writeSidecar(dataDir, end.manifest.instanceId)
      copyOwner(dataDir, sidecarFile(dataDir))
    }
    // In this order, SQLite never applies a log to a database that it doesn't belong to, and no log is missed.
    for (const former of [markFile(current), current, `${current}-wal`, `${current}-shm`, `${current}-journal`])
      await rm(former, { force: true })
    await syncFolder(dataDir)
    await rename(staged, current)
    await syncFolder(dataDir)
    return kept
  } catch (error) {
    await rm(staged, { force: true })
    throw error
  }
}

async function copyDatabase(
  from: string,
  to: string,
  bytes: number,
  onProgress: (doneBytes: number, totalBytes: number) => void,
): Promise<void> {
  let doneBytes = 0
  const source = createReadStream(from, { end: bytes - 1, highWaterMark: 1024 ** 2 })
  source.on('data', ({ length }) => onProgress((doneBytes += length), bytes))
  await pipeline(source, createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }))
}

/** Checks that the copy reads back from the disk as a store. The backup itself was verified before. */
async function readBack(staged: string): Promise<void> {
  const copy = openCopy(staged)
  try {
    await refuseForeignSchema(copy)
  } finally {
    await copy.close()
  }
}

/** Uses hard links, so nothing is moved: SQLite matches a database and its log by name. */
async function keepFormer(current: string, now: number): Promise<string | undefined> {
  if (!existsSync(current)) return undefined
  const time = isoTime(now).replaceAll(/[-:.]/g, '')
  const kept = `${current}.before-restore-${time}`
  for (const end of ['', '-wal', '-journal'])
    if (existsSync(current + end))
      await link(current + end, kept + end).catch(() => copyWhole(current + end, kept + end))
  return kept
}

async function copyWhole(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  const handle = await open(to, 'r+')
  await handle.sync()
  await handle.close()
}
