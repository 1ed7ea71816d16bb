import type { Log } from '../core/log.ts'
import { leaseMs, type JobLeases } from './lease-store.ts'
import { newReport, type JobReport, type JobReports } from './reports.ts'

/** Work that no request waits for. It must be resumable: a stop or a crash may come at any time. */
export interface Job {
  name: string
  everyMs: number
  /** Whether each server runs it, since its queue is leased row by row. Default: one of them at a time. */
  isOnEveryServer?: true
  /** Stops early, at a place to go on from, once `signal` is aborted. Says by `done` how much it has got through. */
  run(signal: AbortSignal, done?: (items: number) => void): Promise<void>
}

export interface Scheduler {
  reports: JobReports
  stop(): Promise<void>
}

interface Parts {
  leases: JobLeases
  log: Log
  now(): number
}

interface Running extends Parts {
  report: JobReport
  stopping: AbortSignal
}

/**
 * Runs each job at once and then at its interval, counted from the end of a run, so that no job overtakes itself. Where
 * other servers run it too, whoever finds it due first does.
 */
export function startScheduler(jobs: readonly Job[], parts: Parts): Scheduler {
  const stopping = new AbortController()
  const reports = new Map(jobs.map((job) => [job.name, newReport()]))
  const loops = jobs.map((job) =>
    repeat(job, { ...parts, report: reports.get(job.name) ?? newReport(), stopping: stopping.signal }),
  )
  return {
    reports,
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

async function repeat(job: Job, running: Running): Promise<void> {
  for (let isFirst = true; !running.stopping.aborted; isFirst = false) {
    const waitMs = await takeTurn(job, isFirst, running)
    await pause(Math.min(Math.max(waitMs, minWaitMs), job.everyMs), running.stopping)
  }
}

/** Between two looks at another server's lease, whatever the clocks say. */
const minWaitMs = 1_000

/** Runs the job if it is this server's turn. Returns how long to wait. */
async function takeTurn(job: Job, isFirst: boolean, running: Running): Promise<number> {
  const { leases, log, stopping } = running
  if (job.isOnEveryServer === true) {
    await runOnce(job, stopping, running)
    return job.everyMs
  }
  try {
    // After a start there may be something to finish, however lately another server has looked.
    const waitMs = await leases.claim(job.name, { ignoresRest: isFirst })
    if (waitMs !== undefined) return waitMs
    const lost = new AbortController()
    const renewal = setInterval(() => void renew(job.name, lost, running), leaseMs / 3).unref()
    await runOnce(job, AbortSignal.any([stopping, lost.signal]), running).finally(() => clearInterval(renewal))
    await leases.release(job.name, stopping.aborted ? 0 : job.everyMs)
  } catch (error) {
    log.warn('the lease of a job could not be kept', { job: job.name, error })
  }
  return job.everyMs
}

async function renew(name: string, lost: AbortController, { leases, log }: Running): Promise<void> {
  try {
    if (!(await leases.renew(name))) lost.abort()
  } catch (error) {
    log.warn('the lease of a job could not be renewed', { job: name, error })
  }
}

async function runOnce(job: Job, signal: AbortSignal, { report, log, now }: Running): Promise<void> {
  const began = performance.now()
  report.lastStartedAt = now()
  report.runs++
  try {
    await job.run(signal, (items) => (report.items += items))
    report.isFailing = false
  } catch (error) {
    report.failures++
    report.isFailing = true
    log.warn('a job failed and will run again', { job: job.name, error })
  }
  report.lastEndedAt = now()
  report.lastDurationMs = performance.now() - began
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      // Or each pause would leave a listener behind for as long as the server runs.
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms).unref()
    signal.addEventListener('abort', end)
  })
}
