import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import { StoreError } from '../db/store-error.ts'
import { findInstanceId } from '../instance/instance.ts'
import { loadRootKeys, type RootKeySource } from '../instance/root-key-source.ts'
import type { RunningBackup } from '../operation/backups.ts'
import { sweepFolder } from './backup-folder.ts'
import { describeFailure } from './describe-failure.ts'
import { makeBackup } from './make-backup.ts'
import { sweepTemporary } from './temporary-folder.ts'

interface Deps {
  db: Database
  folder: string
  rootKey: RootKeySource
  log: Log
  now(): number
}

/**
 * Makes a verified backup before the tables are updated: the way back if the update goes wrong. Throws a StoreError if that
 * fails, and the update must not begin.
 */
export async function backUpBeforeUpdate({ db, folder, rootKey, log, now }: Deps): Promise<void> {
  const instanceId = await findInstanceId(db)
  // Without an instance, there is nothing to lose.
  if (db.copyTo === undefined || instanceId === undefined) return
  const startedAt = now()
  const state: RunningBackup = {
    id: newId(),
    kind: 'before-update',
    startedAt,
    step: 'copying',
    doneBytes: 0,
    totalBytes: 0,
  }
  const keysOf = (id: string) => loadRootKeys(rootKey, id)
  const { signal } = new AbortController()
  try {
    const { bytes } = await makeBackup({ db, folder, instanceId, state, signal, keysOf })
    log.info('the store was backed up before an update of its tables', {
      bytes,
      ms: now() - startedAt,
      advice: 'It is listed with the other backups, and deleted after a week or when a vault is deleted permanently.',
    })
  } catch (error) {
    throw new StoreError(
      `The store must be backed up before this version updates its tables, and that failed: ${describeFailure(error, db, folder)}\n` +
        'Nothing was changed. Fix the problem, then start again.',
      { cause: error },
    )
  }
}

/** Deletes what a crash left of a backup or a drill: such a copy must not keep the keys of vaults that are deleted later. */
export async function sweepUnfinished({
  db,
  folder,
  dataDir,
  log,
}: Pick<Deps, 'db' | 'folder' | 'log'> & { dataDir: string }): Promise<void> {
  const instanceId = await findInstanceId(db)
  if (db.copyTo === undefined || instanceId === undefined) return
  try {
    const count = (await sweepFolder(folder, instanceId)) + (await sweepTemporary([folder, dataDir]))
    if (count > 0) log.warn('a backup was interrupted, and what was left of it is deleted', { count })
  } catch (error) {
    log.warn('unfinished backups could not be deleted', { error })
  }
}
