import { rateLimited } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { RequestClass } from './call.ts'

/**
 * Requests a minute, by user and class. Counted in memory, so that no request waits for a query. Where several servers
 * share a database, each tells the others once a second what it has counted for the users that were here since, and asks
 * what they have: together they hold the limit within that second. A server that cannot ask goes by its own counts.
 */
export interface RateLimits {
  /** Counts a request, or throws 429 and does not. */
  take(userId: string, requestClass: RequestClass): void
  /** One round with the other servers. */
  exchange(): Promise<void>
  stop(): Promise<void>
}

/** What several servers tell each other. */
export interface RateExchange {
  publish(counts: readonly PublishedCounts[], at: number): Promise<void>
  /** What all other servers have counted for these users, in all classes. */
  readOthers(userIds: readonly string[]): Promise<OtherCounts[]>
  /** Forgets what was published before then. */
  purge(before: number): Promise<void>
}

export interface PublishedCounts {
  userId: string
  requestClass: string
  counts: SecondCounts
}

export interface OtherCounts extends PublishedCounts {
  server: string
}

interface Options {
  /** 0: no limit. */
  limits: Readonly<Record<RequestClass, number>>
  /** Undefined where this is the only server. */
  exchange: RateExchange | undefined
  log: Log
  now(): number
}

interface Window {
  userId: string
  requestClass: RequestClass
  /** This server's own. */
  counts: SecondCounts
  others: OtherCounts[]
  wasUsed: boolean
}

const roundEveryMs = 1000
const windowsAtOnce = 200
const purgeEveryMs = 60_000
const keptMs = 300_000

export function createRateLimits({ limits, exchange, log, now }: Options): RateLimits {
  const windows = new Map<string, Window>()
  const meetOthers = exchange === undefined ? async () => {} : createMeeting(exchange, { log, now })
  const secondNow = () => Math.floor(now() / 1000)
  let round: Promise<void> | undefined

  function windowOf(userId: string, requestClass: RequestClass): Window {
    const name = nameOf(userId, requestClass)
    const known = windows.get(name)
    if (known !== undefined) return known
    const window: Window = { userId, requestClass, counts: [], others: [], wasUsed: false }
    windows.set(name, window)
    return window
  }

  async function takeRound(): Promise<void> {
    forgetIdle(windows, secondNow())
    const used = [...windows.values()].filter(({ wasUsed }) => wasUsed)
    for (const window of used) window.wasUsed = false
    await meetOthers(used)
  }

  // Never two at once: where the store hangs, the next one waits with it.
  const takeNext = () => (round ??= takeRound().finally(() => (round = undefined)))
  const timer = setInterval(() => void takeNext(), roundEveryMs).unref()

  return {
    take(userId, requestClass) {
      const limit = limits[requestClass]
      if (limit === 0) return
      const window = windowOf(userId, requestClass)
      window.wasUsed = true
      const second = secondNow()
      const all = allCounts(window)
      if (countWithin(all, second) >= limit) throw rateLimited(secondsUntilBelow(limit, all, second))
      addAt(window.counts, second)
    },
    exchange: takeNext,
    async stop() {
      clearInterval(timer)
      await round
    },
  }
}

/** One round for these windows. Where it fails they count as used, and have their turn in the next one. */
function createMeeting(exchange: RateExchange, { log, now }: Pick<Options, 'log' | 'now'>) {
  let purgedAt = now()
  let isAlone = false
  return async (used: readonly Window[]): Promise<void> => {
    try {
      for (let from = 0; from < used.length; from += windowsAtOnce)
        await exchangeSome(exchange, used.slice(from, from + windowsAtOnce), now())
      if (now() - purgedAt >= purgeEveryMs) {
        purgedAt = now()
        await exchange.purge(now() - keptMs)
      }
      isAlone = false
    } catch (error) {
      for (const window of used) window.wasUsed = true
      // Once an outage, not once a second.
      if (!isAlone) log.warn('requests are limited by the counts of this server alone', { error })
      isAlone = true
    }
  }
}

async function exchangeSome(exchange: RateExchange, used: readonly Window[], at: number): Promise<void> {
  await exchange.publish(used, at)
  const others = await exchange.readOthers([...new Set(used.map(({ userId }) => userId))])
  const byWindow = Map.groupBy(others, ({ userId, requestClass }) => nameOf(userId, requestClass))
  for (const window of used) {
    const found = byWindow.get(nameOf(window.userId, window.requestClass)) ?? []
    window.others = found.map((other) => ({ ...other, counts: notAfter(Math.floor(at / 1000), other.counts) }))
  }
}

const nameOf = (userId: string, requestClass: string) => `${requestClass} ${userId}`

const allCounts = ({ counts, others }: Window): SecondCounts =>
  others.length === 0 ? counts : [counts, ...others.map((other) => other.counts)].flat()

function forgetIdle(windows: Map<string, Window>, second: number): void {
  for (const [name, window] of windows)
    if (!window.wasUsed && countWithin(allCounts(window), second) === 0) windows.delete(name)
}

/**
 * How often something happened in each clock second, oldest first. A window of 61 of them covers any minute wherever it
 * begins within a second, so that no 60 seconds hold more than the limit.
 */
export type SecondCounts = [second: number, count: number][]

export const windowSeconds = 61

/** Adds one, and forgets what is not in the window. */
export function addAt(counts: SecondCounts, second: number): void {
  if (counts.some((count) => !isWithin(count, second)))
    counts.splice(0, counts.length, ...counts.filter((count) => isWithin(count, second)))
  const last = counts.at(-1)
  if (last !== undefined && last[0] >= second) last[1]++
  else counts.push([second, 1])
}

export function countWithin(counts: SecondCounts, second: number): number {
  let total = 0
  for (const count of counts) if (isWithin(count, second)) total += count[1]
  return total
}

/** After how many seconds fewer than `limit` are left in the window, if nothing is added until then: at least 1. */
export function secondsUntilBelow(limit: number, counts: SecondCounts, second: number): number {
  let left = countWithin(counts, second)
  for (const [at, count] of counts.filter((one) => isWithin(one, second)).toSorted(([a], [b]) => a - b)) {
    left -= count
    if (left < limit) return Math.max(1, at + windowSeconds - second)
  }
  return 1
}

/** The counts of a server whose clock may be ahead, as if its latest second were at most this one. */
export function notAfter(second: number, counts: SecondCounts): SecondCounts {
  const ahead = (counts.at(-1)?.[0] ?? second) - second
  return ahead > 0 ? counts.map(([at, count]) => [at - ahead, count]) : counts
}

// What lies further ahead was counted before the clock was set back.
const isWithin = ([at]: SecondCounts[number], second: number) => Math.abs(second - at) < windowSeconds
