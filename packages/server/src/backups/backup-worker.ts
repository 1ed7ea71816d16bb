import { parentPort, workerData } from 'node:worker_threads'
import { countCopy, inspectCopy, settleCopy } from '../db/inspect-copy.ts'
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
  /** Whether a database that was restored from it is the same. */
  | { what: 'compare'; file: string; end: BackupEnd }

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
  const manifest = {
    format: backupFormat,
    ...facts,
    ...inspectCopy(file),
    databaseBytes: sizeOf(file),
    rows: countCopy(file),
  }
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

function compare({ file, end }: Extract<Job, { what: 'compare' }>): Reply {
  const { databaseBytes, rows } = end.manifest
  if (sizeOf(file) !== databaseBytes || hashBackup(file, end, onProgress) !== end.sha256)
    throw new BackupProblem('The restored database differs from the one in the backup.')
  if (rows === undefined) return { kind: 'whole' }
  const counted = countCopy(file)
  const tables = [...new Set([...Object.keys(rows), ...Object.keys(counted)])]
  const differing = tables.filter((table) => rows[table] !== counted[table])
  if (differing.length > 0)
    throw new BackupProblem(
      `Other numbers of rows than the backup says: ${differing.map((table) => `${table} ${counted[table] ?? 0} instead of ${rows[table] ?? 0}`).join(', ')}.`,
    )
  return { kind: 'whole' }
}

const run = (job: Job): Reply => (job.what === 'seal' ? seal(job) : job.what === 'check' ? check(job) : compare(job))

try {
  post(run(workerData as Job))
} catch (error) {
  const problem = error instanceof BackupProblem ? error.message : undefined
  post({ kind: 'failed', code: driverCode(error), problem })
}
