import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { onPostgres } from '../../test/dialects.ts'
import { makeClock } from '../../test/scenarios.ts'
import { createLog } from '../core/log.ts'
import { createJobLeases, leaseMs, type JobLeases } from './lease-store.ts'
import { failingJobs, type Job, type Scheduler, startScheduler } from './scheduler.ts'

const everyMs = 60_000

/** Like on a separate database: every claim is granted. */
const alone: JobLeases = { claim: async () => undefined, renew: async () => true, release: async () => {} }

const lines: string[] = []
const log = createLog('warn', { write: (line) => void lines.push(line) })

describe('the scheduler', () => {
  const running: Scheduler[] = []
  const start = (jobs: Job[], leases = alone) => {
    const scheduler = startScheduler(jobs, { leases, log, now: Date.now })
    running.push(scheduler)
    return scheduler
  }
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-11-21T09:00:00.000Z') })
    lines.length = 0
  })
  afterEach(async () => {
    const stops = running.splice(0).map((scheduler) => scheduler.stop())
    // Work that a test has left running finishes.
    await vi.advanceTimersByTimeAsync(everyMs)
    await Promise.all(stops)
    vi.useRealTimers()
  })

  it('runs a job at once, and again when its interval has passed since the end of the last run', async () => {
    const began: number[] = []
    const job: Job = {
      name: 'slow',
      everyMs,
      async run() {
        began.push(Date.now())
        await new Promise((resolve) => setTimeout(resolve, 20_000))
      },
    }
    const startedAt = Date.now()
    start([job])
    await vi.advanceTimersByTimeAsync(200_000)
    expect(began.map((at) => at - startedAt)).toEqual([0, 80_000, 160_000])
  })

  it('leaves no timers or listeners of the pauses between runs', async () => {
    const listeners: number[] = []
    const run = async (signal: AbortSignal) => void listeners.push(getEventListeners(signal, 'abort').length)
    start([{ name: 'often', everyMs, isOnEveryServer: true, run }])
    await vi.advanceTimersByTimeAsync(everyMs * 4)
    expect(listeners).toEqual([0, 0, 0, 0, 0])
  })

  it('reports when a job last ran, what it processed and how often it failed', async () => {
    let isBroken = false
    const job: Job = {
      name: 'counts',
      everyMs,
      async run(_signal, done) {
        done?.(2)
        done?.(3)
        if (isBroken) throw new Error('planted failure')
        await new Promise((resolve) => setTimeout(resolve, 1_500))
      },
    }
    const { reports } = start([job])
    await vi.advanceTimersByTimeAsync(0)
    expect(reports.get('counts')).toMatchObject({ lastEndedAt: undefined, runs: 1, items: 5 })
    await vi.advanceTimersByTimeAsync(1_500)
    const [began, ended] = ['09:00:00.000', '09:00:01.500'].map((time) => Date.parse(`2026-11-21T${time}Z`))
    expect(reports.get('counts')).toMatchObject({
      lastStartedAt: began,
      lastEndedAt: ended,
      lastDurationMs: 1_500,
      runs: 1,
      failures: 0,
      items: 5,
    })
    isBroken = true
    await vi.advanceTimersByTimeAsync(everyMs)
    expect(reports.get('counts')).toMatchObject({ runs: 2, failures: 1, items: 10 })
    expect(lines.join('')).toContain('a job failed and will run again')
    expect(failingJobs(reports)).toEqual([{ name: 'counts', failures: 1 }])
    isBroken = false
    await vi.advanceTimersByTimeAsync(everyMs + 1_500)
    expect(reports.get('counts')).toMatchObject({ runs: 3, failures: 1 })
    expect(failingJobs(reports)).toEqual([])
  })

  it('runs other jobs if one fails', async () => {
    const broken: Job = { name: 'broken', everyMs, run: () => Promise.reject(new Error('planted failure')) }
    const sound: Job = { name: 'sound', everyMs, run: async () => {} }
    const { reports } = start([broken, sound])
    await vi.advanceTimersByTimeAsync(everyMs * 3)
    expect([reports.get('broken')?.failures, reports.get('sound')?.runs]).toEqual([4, 4])
  })

  it('ends a run early when it is stopped, and waits for its end', async () => {
    let ended = false
    const job: Job = {
      name: 'long',
      everyMs,
      async run(signal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        ended = true
      },
    }
    const scheduler = start([job])
    await vi.advanceTimersByTimeAsync(1000)
    await scheduler.stop()
    expect(ended).toBe(true)
  })

  it('ends a run whose lease was taken by another server', async () => {
    let wasAborted = false
    const job: Job = {
      name: 'long',
      everyMs,
      async run(signal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        wasAborted = true
      },
    }
    start([job], { ...alone, renew: async () => false })
    await vi.advanceTimersByTimeAsync(leaseMs)
    expect(wasAborted).toBe(true)
  })

  it('tries again when another server is done, and needs no lease for jobs that every server runs', async () => {
    let waitMs: number | undefined = 10_000
    const claims: number[] = []
    const leases: JobLeases = {
      ...alone,
      async claim() {
        claims.push(Date.now())
        return waitMs
      },
    }
    const one: Job = { name: 'one', everyMs, run: async () => {} }
    const every: Job = { name: 'every', everyMs, isOnEveryServer: true, run: async () => {} }
    const { reports } = start([one, every], leases)
    await vi.advanceTimersByTimeAsync(10_000)
    expect([claims.length, reports.get('one')?.runs, reports.get('every')?.runs]).toEqual([2, 0, 1])
    waitMs = undefined
    await vi.advanceTimersByTimeAsync(10_000)
    expect(reports.get('one')?.runs).toBe(1)
  })

  it('continues if the leases are unavailable', async () => {
    let isAway = true
    const leases: JobLeases = {
      ...alone,
      claim: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(undefined)),
    }
    const { reports } = start([{ name: 'one', everyMs, run: async () => {} }], leases)
    await vi.advanceTimersByTimeAsync(everyMs)
    isAway = false
    await vi.advanceTimersByTimeAsync(everyMs)
    expect(reports.get('one')).toMatchObject({ runs: 1, failures: 0 })
  })
})

onPostgres('leases of jobs', (dialect) => {
  const first = { ignoresRest: true }
  const later = { ignoresRest: false }

  const open = async () => {
    const clock = makeClock()
    const db = await openTestDatabase(dialect)
    const [one, other] = [createJobLeases(db, clock.now), createJobLeases(db, clock.now)]
    return { clock, db, one, other }
  }

  it('are granted to only one of several servers that ask at once', async () => {
    const { db, clock } = await open()
    const servers = Array.from({ length: 6 }, () => createJobLeases(db, clock.now))
    const claims = await Promise.all(servers.map((server) => server.claim('job', first)))
    expect(claims.filter((waitMs) => waitMs === undefined)).toHaveLength(1)
    expect(claims.filter((waitMs) => waitMs === leaseMs)).toHaveLength(5)
    await db.close()
  })

  it('are kept by renewing, and pass to another server when they expire', async () => {
    const { clock, db, one, other } = await open()
    expect(await one.claim('job', first)).toBeUndefined()
    clock.advance(leaseMs - 1)
    expect(await one.renew('job')).toBe(true)
    clock.advance(leaseMs - 1)
    expect(await other.claim('job', first)).toBe(1)
    clock.advance(1)
    expect(await other.claim('job', first)).toBeUndefined()
    expect(await one.renew('job')).toBe(false)
    // A lease that another server has taken cannot be released.
    await one.release('job', 0)
    expect(await one.claim('job', first)).toBe(leaseMs)
    await db.close()
  })

  it('delay the next run of a job, except on a server that has just started', async () => {
    const { clock, db, one, other } = await open()
    await one.claim('job', first)
    await one.release('job', 60_000)
    expect([await one.claim('job', later), await other.claim('job', later)]).toEqual([60_000, 60_000])
    expect(await other.claim('job', first)).toBeUndefined()
    await other.release('job', 60_000)
    clock.advance(60_000)
    expect(await one.claim('job', later)).toBeUndefined()
    await db.close()
  })

  it('run a job on one server at a time, and at its interval across all', async () => {
    const { db } = await open()
    let atOnce = 0
    let most = 0
    const job: Job = {
      name: 'job',
      everyMs: 1_500,
      async run() {
        most = Math.max(most, ++atOnce)
        await new Promise((resolve) => setTimeout(resolve, 50))
        atOnce--
      },
    }
    const servers = Array.from({ length: 3 }, () =>
      startScheduler([job], { leases: createJobLeases(db, Date.now), log, now: Date.now }),
    )
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    await Promise.all(servers.map((server) => server.stop()))
    const runs = servers.reduce((sum, { reports }) => sum + (reports.get('job')?.runs ?? 0), 0)
    expect(most).toBe(1)
    expect(runs).toBeGreaterThanOrEqual(2)
    // Three starts, and the interval.
    expect(runs).toBeLessThanOrEqual(5)
    await db.close()
  })
})
