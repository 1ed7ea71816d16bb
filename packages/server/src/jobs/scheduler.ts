import type { Log } from '../core/log.ts'

/** Work that no request waits for. It must be resumable: a stop or a crash may come at any time. */
export interface Job {
  name: string
  everyMs: number
  /** Stops early, at a place to go on from, once `signal` is aborted. */
  run(signal: AbortSignal): Promise<void>
}

export interface Scheduler {
  stop(): Promise<void>
}

/** Runs each job at once and then at its interval, counted from the end of a run, so that no job overtakes itself. */
export function startScheduler(jobs: readonly Job[], log: Log): Scheduler {
  const stopping = new AbortController()
  const loops = jobs.map((job) => repeat(job, stopping.signal, log))
  return {
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

async function repeat(job: Job, signal: AbortSignal, log: Log): Promise<void> {
  while (!signal.aborted) {
    try {
      await job.run(signal)
    } catch (error) {
      log.warn('a job failed and will run again', { job: job.name, error })
    }
    await pause(job.everyMs, signal)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, ms).unref()
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}
