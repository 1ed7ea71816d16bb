import type { Log } from '../core/log.ts'
import type { FailingJob } from '../operation/context.ts'
import { type JobLeases, leaseMs } from './lease-store.ts'

/** Background work. It must be resumable, because a stop or crash can happen at any time. */
export interface Job {
  name: string
  everyMs: number
  /** Set if every server runs it, because its queue is leased row by row. By default, one server at a time runs it. */
  isOnEveryServer?: true
  /** Stops early, at a point to resume from, once `signal` is aborted. Reports progress through `done`. */
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
 * Runs each job at the start and then at its interval, counted from the end of a run, so runs never overlap. With several
 * servers, the first one that finds a job due runs it.
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

/** The shortest time between two checks of another server's lease, whatever the clocks say. */
const minWaitMs = 1_000

/** Runs the job if it is this server's turn. Returns how long to wait. */
async function takeTurn(job: Job, isFirst: boolean, running: Running): Promise<number> {
  const { leases, log, stopping } = running
  if (job.isOnEveryServer === true) {
    await runOnce(job, stopping, running)
    return job.everyMs
  }
  try {
    // After a start there may be interrupted work, even if another server ran the job recently.
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
      // Otherwise each pause would leave a listener behind until the server stops.
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms).unref()
    signal.addEventListener('abort', end)
  })
}

/** How the runs of each job in this process ended, for `/metrics`. Times are milliseconds since 1970. */
export interface JobReport {
  lastStartedAt: number | undefined
  lastEndedAt: number | undefined
  lastDurationMs: number | undefined
  runs: number
  failures: number
  /** Whether its last run failed. */
  isFailing: boolean
  /** How many records, vaults or rows it has processed. Each job documents which. */
  items: number
}

export type JobReports = ReadonlyMap<string, Readonly<JobReport>>

const newReport = (): JobReport => ({
  lastStartedAt: undefined,
  lastEndedAt: undefined,
  lastDurationMs: undefined,
  runs: 0,
  failures: 0,
  isFailing: false,
  items: 0,
})

export const noReports: JobReports = new Map()

export const failingJobs = (reports: JobReports): FailingJob[] =>
  [...reports].flatMap(([name, { isFailing, failures }]) => (isFailing ? [{ name, failures }] : []))
