import { Worker } from 'node:worker_threads'
import { programFile } from '../core/program.ts'
import { BackupProblem } from './backup-file.ts'
import type { Job, Reply } from './backup-worker.ts'

interface Options {
  signal: AbortSignal
  onProgress(doneBytes: number): void
}

/** A disk or SQLite error in the thread. Contains only its code, because drivers' messages may quote stored data. */
export class WorkerFailure extends Error {
  readonly code: string

  constructor(code: string) {
    super(`the thread failed (${code})`)
    this.name = 'WorkerFailure'
    this.code = code
  }
}

/** Runs one job in a thread without the server's environment. An abort ends the thread. */
export async function runWorker(job: Job, { signal, onProgress }: Options): Promise<Reply> {
  signal.throwIfAborted()
  const worker = new Worker(programFile('backups/backup-worker'), {
    workerData: job,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop)
  try {
    return await new Promise<Reply>((resolve, reject) => {
      worker.on('message', (reply: Reply) => {
        if (reply.kind === 'progress') onProgress(reply.doneBytes)
        else if (reply.kind !== 'failed') resolve(reply)
        else reject(reply.problem === undefined ? new WorkerFailure(reply.code) : new BackupProblem(reply.problem))
      })
      worker.on('error', reject)
      // The thread ended without an answer. After an answer this does nothing.
      worker.on('exit', () => reject(signal.aborted ? (signal.reason as Error) : new WorkerFailure('ended')))
    })
  } finally {
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
