import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceDurably } from '../core/durable-file.ts'
import { isoTime } from '../core/time.ts'
import { version } from '../core/program.ts'
import type { Database } from '../db/dialect.ts'
import type { LoadedRootKeys } from '../instance/root-key-source.ts'
import type { RunningBackup } from '../operation/backups.ts'
import { backupName } from './backup-file.ts'
import { makeFolder, partialOf, publishFile, sweepFolder, uploadStateOf } from './backup-folder.ts'
import { refuseUnusableBackup } from './prove-backup.ts'
import { runWorker } from './run-worker.ts'

interface Making {
  db: Database
  folder: string
  instanceId: string
  /** Updated while the backup runs. */
  state: RunningBackup
  signal: AbortSignal
  keysOf(instanceId: string): LoadedRootKeys
  /** Whether it is uploaded afterwards, also by another process after a crash. */
  isUploaded?: boolean
}

/** Copies, checks, then renames: a file gets the name of a backup only after it passed the checks. A failure leaves no file. */
export async function makeBackup({
  db,
  folder,
  instanceId,
  state,
  signal,
  keysOf,
  isUploaded = false,
}: Making): Promise<{ file: string; bytes: number }> {
  if (db.copyTo === undefined) throw new Error('this store is not copied by us')
  await makeFolder(folder)
  await sweepFolder(folder, instanceId)
  const { id, kind, startedAt } = state
  const file = join(folder, backupName(id, startedAt))
  const partial = partialOf(file, instanceId)
  try {
    await db.copyTo(partial, {
      signal,
      onProgress: (doneBytes, totalBytes) => Object.assign(state, { doneBytes, totalBytes }),
    })
    const { size } = await stat(partial)
    Object.assign(state, { step: 'checking', doneBytes: 0, totalBytes: size })
    const facts = { id, kind, createdAt: isoTime(startedAt), version }
    await runWorker(
      { what: 'seal', file: partial, facts },
      { signal, onProgress: (doneBytes) => (state.doneBytes = doneBytes) },
    )
    await refuseUnusableBackup(partial, keysOf)
    if (isUploaded) replaceDurably(uploadStateOf(file), '{}')
    await publishFile(partial, file, folder)
    return { file, bytes: (await stat(file)).size }
  } catch (error) {
    for (const left of [partial, `${partial}-journal`, uploadStateOf(file)]) await rm(left, { force: true })
    throw error
  }
}
