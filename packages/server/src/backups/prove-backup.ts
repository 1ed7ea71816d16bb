import { StoreError } from '../db/store-error.ts'
import { refuseForeignSchema } from '../db/migrate.ts'
import { openCopy } from '../db/inspect-copy.ts'
import { refuseForeignCopy } from '../instance/instance.ts'
import type { LoadedRootKeys } from '../instance/root-key-source.ts'
import { BackupProblem, readBackupEnd, type BackupEnd } from './backup-file.ts'
import { runWorker, WorkerFailure } from './run-worker.ts'

interface Options {
  signal: AbortSignal
  onProgress(doneBytes: number, totalBytes: number): void
  keysOf(instanceId: string): LoadedRootKeys
}

/**
 * Checks that this file could be restored here: it is intact, its schema isn't newer than this version's, and the root key opens
 * it. Throws a BackupProblem if not.
 */
export async function proveBackup(file: string, { signal, onProgress, keysOf }: Options): Promise<BackupEnd> {
  try {
    const end = await readBackupEnd(file)
    await runWorker(
      { what: 'check', file, end },
      { signal, onProgress: (doneBytes) => onProgress(doneBytes, end.hashedBytes) },
    )
    await refuseUnusableBackup(file, keysOf)
    return end
  } catch (error) {
    throw explained(error)
  }
}

/**
 * Checks that a database that was restored from a backup is the same, byte by byte, and that each table has as many rows as the backup
 * says. Throws a BackupProblem if not.
 */
export async function proveRestored(
  file: string,
  end: BackupEnd,
  { signal, onProgress }: Pick<Options, 'signal' | 'onProgress'>,
): Promise<void> {
  const total = end.manifest.databaseBytes
  try {
    await runWorker({ what: 'compare', file, end }, { signal, onProgress: (done) => onProgress(done, total) })
  } catch (error) {
    throw explained(error)
  }
}

/** For a file that is known to be intact. */
export async function refuseUnusableBackup(
  file: string,
  keysOf: (instanceId: string) => LoadedRootKeys,
): Promise<void> {
  const copy = openCopy(file)
  try {
    await refuseForeignSchema(copy)
    await refuseForeignCopy(copy, keysOf)
  } finally {
    await copy.close()
  }
}

function explained(error: unknown): unknown {
  if (error instanceof StoreError) return new BackupProblem(error.message, { cause: error })
  if (error instanceof WorkerFailure)
    return new BackupProblem(`The database in it is damaged or cannot be read (${error.code || 'integrity_check'}).`)
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new BackupProblem('File not found.', { cause: error })
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined
    ? new BackupProblem(`It cannot be read (${code}).`, { cause: error })
    : error
}
