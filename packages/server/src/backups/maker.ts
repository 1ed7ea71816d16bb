import { rm } from 'node:fs/promises'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { CopyOptions, Database } from '../db/dialect.ts'
import type { LoadedRootKeys } from '../instance/root-key-source.ts'
import type { BackupFailure, BackupKind, Backups, RunningBackup } from '../operation/backups.ts'
import { keepFailure, listUploads, makeFolder, readFailure, uploadStateOf } from './backup-folder.ts'
import { describeFailure } from './describe-failure.ts'
import { makeBackup } from './make-backup.ts'

interface Deps {
  db: Database
  folder: string
  instanceId: string
  stopping: AbortSignal
  log: Log
  keysOf(instanceId: string): LoadedRootKeys
  /** Copies a backup to S3; undefined without such a setting. */
  upload: ((file: string, options: CopyOptions) => Promise<void>) | undefined
  now(): number
}

interface Running {
  state: RunningBackup
  made: Promise<void>
}

export interface Maker extends Pick<Backups, 'lastFailure'> {
  running(): Running | undefined
  begin(kind: BackupKind, signal?: AbortSignal): Running
  /** Uploads what an outage or a crash kept from S3. Returns at once while a backup is made. */
  uploadWaiting(signal: AbortSignal): Promise<void>
}

interface Work {
  work(signal: AbortSignal): Promise<void>
  /** A failure about which this work says nothing. */
  stays: BackupFailure | undefined
}

const interrupted = 'Holdfast stopped before it was finished'

/** Makes one backup at a time, of any kind. A request meanwhile returns the running one. */
export function createMaker(deps: Deps): Maker {
  const { db, folder, instanceId, stopping, log, upload, now } = deps
  let running: Running | undefined
  /** Why the latest finished backup failed. Read from the folder until one was made in this process. */
  let lastFailure: Promise<BackupFailure | undefined> | undefined
  const readLastFailure = () => (lastFailure ??= readFailure(folder, instanceId))

  /** A folder that can't be written is reported by the backup itself. */
  const keep = (failure: BackupFailure | undefined) =>
    keepFailure(folder, instanceId, failure).catch((error: unknown) =>
      log.warn('the result of a backup could not be stored', { error }),
    )

  /** Does the work, and remembers whether it succeeded. */
  async function follow(state: RunningBackup, signal: AbortSignal, { work, stays }: Work): Promise<void> {
    await readLastFailure()
    const during = () => (state.step === 'uploading' ? { during: 'upload' as const } : {})
    let failure: BackupFailure | undefined = stays ?? { at: state.startedAt, reason: interrupted, ...during() }
    try {
      await makeFolder(folder)
      // Found by the next start if this process doesn't live to replace it.
      await keep(failure)
      await work(signal)
      failure = stays
    } catch (error) {
      const reason = signal.aborted ? interrupted : describeFailure(error, db, folder)
      failure = stays ?? { at: now(), reason, ...during() }
      throw error
    } finally {
      lastFailure = Promise.resolve(failure)
      await keep(failure)
      running = undefined
    }
  }

  const run = (state: RunningBackup, signal: AbortSignal, work: Work): Running => {
    running = { state, made: follow(state, AbortSignal.any([signal, stopping]), work) }
    return running
  }

  return {
    lastFailure: readLastFailure,
    running: () => running,
    begin(kind, signal = stopping) {
      if (running !== undefined) return running
      const state: RunningBackup = { id: newId(), kind, startedAt: now(), step: 'copying', doneBytes: 0, totalBytes: 0 }
      return run(state, signal, { work: (both) => make(deps, state, both), stays: undefined })
    },
    async uploadWaiting(signal) {
      const waiting = upload === undefined ? [] : await listUploads(folder, instanceId)
      for (const { id, kind = 'manual', file, bytes, createdAt } of waiting) {
        const stays = laterFailure(await readLastFailure(), createdAt)
        if (running !== undefined) return
        const startedAt = now()
        const state: RunningBackup = { id, kind, startedAt, step: 'uploading', doneBytes: 0, totalBytes: bytes }
        await run(state, signal, { work: (both) => send(deps, file, state, both), stays }).made
      }
    },
  }
}

/** That a later backup could not be made stays true, however the upload of this one ends. */
const laterFailure = (failure: BackupFailure | undefined, createdAt: number): BackupFailure | undefined =>
  failure !== undefined && failure.during !== 'upload' && failure.at > createdAt ? failure : undefined

async function make(deps: Deps, state: RunningBackup, signal: AbortSignal): Promise<void> {
  const { upload, log, now } = deps
  const { file, bytes } = await makeBackup({ ...deps, state, signal, isUploaded: upload !== undefined })
  log.info('a backup was made', { bytes, ms: now() - state.startedAt })
  await send(deps, file, state, signal)
}

/** Copies a backup to S3, if the settings say so. */
async function send(
  { upload, log, now }: Pick<Deps, 'upload' | 'log' | 'now'>,
  file: string,
  state: RunningBackup,
  signal: AbortSignal,
): Promise<void> {
  if (upload === undefined) return
  const beganAt = now()
  Object.assign(state, { step: 'uploading', doneBytes: 0 })
  const onProgress = (doneBytes: number, totalBytes: number) => void Object.assign(state, { doneBytes, totalBytes })
  await upload(file, { signal, onProgress })
  await rm(uploadStateOf(file), { force: true })
  log.info('a backup was copied to S3', { bytes: state.totalBytes, ms: now() - beganAt })
}
