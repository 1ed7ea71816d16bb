import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { readdir, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StoreError } from '../db/store-error.ts'
import { lockDataDir } from '../instance/lock.ts'

/**
 * Folders for copies of a store that nobody keeps. A copy has the keys of vaults that may be deleted later, so the folder is removed
 * when its work ends, also after a signal. What a kill leaves is found by its lock, which nobody holds then.
 */

const prefix = 'holdfast-temporary-'

/** Disk space that a copy leaves to others. */
const spareBytes = 64 * 1024 ** 2

/** A folder that was just made may not be locked yet. */
const youngMs = 60_000

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/**
 * Runs `work` with the path of a new folder that only this user can read, in the first of these folders, or else the system's folder for
 * temporary files, whose disk has so much room. Throws a StoreError if there is none. A signal removes the folder and ends the process.
 */
export async function withTemporaryFolder<T>(
  folders: readonly string[],
  bytes: number,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  // What a kill left may be what fills the disk.
  await sweepTemporary(folders)
  const place = await findRoom([...folders, tmpdir()], bytes)
  // Before there is a folder: without a handler, a signal would end the process and leave it.
  if (removals.size === 0) for (const signal of signals) process.on(signal, stop)
  let folder: string | undefined
  let lock: ReturnType<typeof lockDataDir> | undefined
  const remove = () => {
    lock?.release()
    // SQLite may still create files while the process ends.
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  removals.add(remove)
  try {
    folder = mkdtempSync(join(place, prefix))
    lock = lockDataDir(folder)
    return await work(folder)
  } finally {
    removals.delete(remove)
    if (removals.size === 0) for (const signal of signals) process.off(signal, stop)
    remove()
  }
}

/** Of the folders that this process uses now. */
const removals = new Set<() => void>()

function stop(signal: (typeof signals)[number]): void {
  for (const remove of removals) remove()
  process.exit(exitCodes[signal])
}

async function findRoom(folders: readonly string[], bytes: number): Promise<string> {
  const free: string[] = []
  for (const folder of folders) {
    if (!existsSync(folder)) continue
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize >= bytes + spareBytes) return folder
    free.push(`${folder} has ${inMegabytes(bavail * bsize)}`)
  }
  throw new StoreError(
    `Not enough disk space for a temporary copy of ${inMegabytes(bytes)} plus ${inMegabytes(spareBytes)} for others: ${free.join(', ')}.\n` +
      'Make room, or set TMPDIR to a folder on another disk.',
    { kind: 'away' },
  )
}

const inMegabytes = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2)} MB`

/** Removes the temporary folders that nobody uses, in these folders and the system's. Returns how many. */
export async function sweepTemporary(folders: readonly string[]): Promise<number> {
  let count = 0
  for (const folder of new Set([...folders, tmpdir()])) {
    const names = await readdir(folder).catch(() => [])
    const left = names.filter((name) => name.startsWith(prefix)).map((name) => join(folder, name))
    count += left.filter((path) => removeUnused(path)).length
  }
  return count
}

function removeUnused(path: string): boolean {
  try {
    // Others may write to the system's folder, so this may be a link to a folder that must stay.
    const stats = lstatSync(path)
    if (!stats.isDirectory() || (process.getuid !== undefined && stats.uid !== process.getuid())) return false
    if (Date.now() - stats.mtimeMs < youngMs) return false
    lockDataDir(path).release()
    rmSync(path, { recursive: true, force: true })
    return true
  } catch {
    // In use, of another user, or removed meanwhile.
    return false
  }
}

/** The folder of a restored store in a temporary folder, whose own lock file keeps others out. */
export function dataFolderIn(folder: string): string {
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  return dataDir
}
