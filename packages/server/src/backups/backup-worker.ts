import { parentPort, workerData } from 'node:worker_threads'
import { inspectCopy, settleCopy } from '../db/inspect-copy.ts'
import { driverCode } from '../db/store-error.ts'
import {
  appendEnd,
  backupFormat,
  BackupProblem,
  hashBackup,
  sizeOf,
  type BackupEnd,
  type Manifest,
} from './backup-file.ts'

/** Runs in a separate thread, because requests would wait while a whole backup is read: see run-worker.ts. */

export type Job =
  /** Ends a copy with its manifest. */
  | { what: 'seal'; file: string; facts: Pick<Manifest, 'id' | 'createdAt' | 'kind' | 'version'> }
  /** Whether a backup is unchanged since it was made. */
  | { what: 'check'; file: string; end: BackupEnd }

export type Reply =
  | { kind: 'progress'; doneBytes: number }
  | { kind: 'sealed'; manifest: Manifest }
  | { kind: 'whole' }
  | { kind: 'failed'; code: string; problem: string | undefined }

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
const post = (reply: Reply) => parentPort?.postMessage(reply)
const onProgress = (doneBytes: number) => post({ kind: 'progress', doneBytes })

function seal({ file, facts }: Extract<Job, { what: 'seal' }>): Reply {
  settleCopy(file)
  const manifest = { format: backupFormat, ...facts, ...inspectCopy(file), databaseBytes: sizeOf(file) }
  appendEnd(file, manifest, onProgress)
  return { kind: 'sealed', manifest }
}

function check({ file, end }: Extract<Job, { what: 'check' }>): Reply {
  if (hashBackup(file, end, onProgress) !== end.sha256)
    throw new BackupProblem('It is damaged: its SHA-256 hash has changed.')
  const { instanceId } = inspectCopy(file)
  if (instanceId !== end.manifest.instanceId) throw new BackupProblem('Its manifest belongs to another instance.')
  return { kind: 'whole' }
}

try {
  const job = workerData as Job
  post(job.what === 'seal' ? seal(job) : check(job))
} catch (error) {
  const problem = error instanceof BackupProblem ? error.message : undefined
  post({ kind: 'failed', code: driverCode(error), problem })
}
