import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import type { LoadedRootKeys } from '../instance/root-key-source.ts'
import type { BackupFailure, BackupKind, Backups, RunningBackup } from '../operation/backups.ts'
import { keepFailure, makeFolder, readFailure } from './backup-folder.ts'
import { describeFailure } from './describe-failure.ts'
import { makeBackup } from './make-backup.ts'

interface Deps {
  db: Database
  folder: string
  instanceId: string
  stopping: AbortSignal
  log: Log
  keysOf(instanceId: string): LoadedRootKeys
  now(): number
}

interface Running {
  state: RunningBackup
  made: Promise<void>
}

export interface Maker extends Pick<Backups, 'lastFailure'> {
  running(): Running | undefined
  begin(kind: BackupKind, signal?: AbortSignal): Running
}

const interrupted = 'Holdfast stopped before it was finished'

/** Makes one backup at a time, of any kind. A request meanwhile returns the running one. */
export function createMaker({ db, folder, instanceId, stopping, log, keysOf, now }: Deps): Maker {
  let running: Running | undefined
  /** Why the latest finished backup failed. Read from the folder until one was made in this process. */
  let lastFailure: Promise<BackupFailure | undefined> | undefined
  const readLastFailure = () => (lastFailure ??= readFailure(folder, instanceId))

  /** A folder that can't be written is reported by the backup itself. */
  const keep = (failure: BackupFailure | undefined) =>
    keepFailure(folder, instanceId, failure).catch((error: unknown) =>
      log.warn('the result of a backup could not be stored', { error }),
    )

  async function make(state: RunningBackup, signal: AbortSignal): Promise<void> {
    await readLastFailure()
    let failure: BackupFailure | undefined = { at: state.startedAt, reason: interrupted }
    try {
      await makeFolder(folder)
      // Found by the next start if this process doesn't live to replace it.
      await keep(failure)
      const { bytes } = await makeBackup({ db, folder, instanceId, keysOf, state, signal })
      failure = undefined
      log.info('a backup was made', { bytes, ms: now() - state.startedAt })
    } catch (error) {
      failure = { at: now(), reason: signal.aborted ? interrupted : describeFailure(error, db, folder) }
      throw error
    } finally {
      lastFailure = Promise.resolve(failure)
      await keep(failure)
      running = undefined
    }
  }

  return {
    lastFailure: readLastFailure,
    running: () => running,
    begin(kind, signal = stopping) {
      if (running !== undefined) return running
      const state: RunningBackup = { id: newId(), kind, startedAt: now(), step: 'copying', doneBytes: 0, totalBytes: 0 }
      const made = make(state, AbortSignal.any([signal, stopping]))
      running = { state, made }
      return running
    },
  }
}
