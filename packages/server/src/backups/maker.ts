import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import type { LoadedRootKeys } from '../instance/root-key-source.ts'
import type { BackupKind, Backups, RunningBackup } from '../operation/backups.ts'
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

/** Makes one backup at a time, of any kind. A request meanwhile returns the running one. */
export function createMaker({ db, folder, instanceId, stopping, log, keysOf, now }: Deps): Maker {
  let running: Running | undefined
  let lastFailure: { at: number; reason: string } | undefined

  async function settle(state: RunningBackup, made: Promise<{ bytes: number }>): Promise<void> {
    try {
      const { bytes } = await made
      lastFailure = undefined
      log.info('a backup was made', { bytes, ms: now() - state.startedAt })
    } catch (error) {
      lastFailure = { at: now(), reason: describeFailure(error, db, folder) }
      throw error
    } finally {
      running = undefined
    }
  }

  return {
    lastFailure: () => lastFailure,
    running: () => running,
    begin(kind, signal = stopping) {
      if (running !== undefined) return running
      const state: RunningBackup = { id: newId(), kind, startedAt: now(), step: 'copying', doneBytes: 0, totalBytes: 0 }
      const made = makeBackup({ db, folder, instanceId, keysOf, state, signal: AbortSignal.any([signal, stopping]) })
      running = { state, made: settle(state, made) }
      return running
    },
  }
}
