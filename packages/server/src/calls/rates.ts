import { rateLimited } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { RequestClass } from './call.ts'

/**
 * Limits requests per minute by user and class, and within them by agent key: while several keys of a user call, each may use half of the
 * limit, so that one agent in a loop can't use up the requests of all others. Each server counts keys for itself. Counts are in memory, so no request waits for a query. Servers that share a database
 * exchange their counts of recently active users once a second, so together they enforce the limit within about a second. A server that
 * can't reach the database uses its own counts.
 */
export interface RateLimits {
  /** Counts a request, or throws 429 without counting it. `keyId`: of an agent's request. */
  take(userId: string, requestClass: RequestClass, keyId?: string): void
  /** Exchanges counts with the other servers once. */
  exchange(): Promise<void>
  stop(): Promise<void>
}

/** How servers exchange counts. */
export interface RateExchange {
  publish(counts: readonly PublishedCounts[], at: number): Promise<void>
  /** The counts of all other servers for these users, in all classes. */
  readOthers(userIds: readonly string[]): Promise<OtherCounts[]>
  /** Deletes older counts. */
  purge(before: number): Promise<void>
}

interface PublishedCounts {
  userId: string
  requestClass: string
  counts: SecondCounts
}

interface OtherCounts extends PublishedCounts {
  server: string
}

interface Options {
  /** 0: no limit. */
  limits: Readonly<Record<RequestClass, number>>
  /** Undefined for a single server. */
  exchange: RateExchange | undefined
  log: Log
  now(): number
}

interface Window {
  userId: string
  requestClass: RequestClass
  /** This server's counts. */
  counts: SecondCounts
  others: OtherCounts[]
  /** This server's counts of each agent key. */
  keys: Map<string, KeyCounts>
  wasUsed: boolean
}

interface KeyCounts {
  counts: SecondCounts
  /** The second of its last request, refused or not: a key that gets nothing is not alone either. */
  triedAt: number
}

const roundEveryMs = 1000
const windowsAtOnce = 200
const purgeEveryMs = 60_000
const keptMs = 300_000

export function createRateLimits({ limits, exchange, log, now }: Options): RateLimits {
  const windows = new Map<string, Window>()
  const exchangeCounts = exchange === undefined ? async () => {} : createExchangeRound(exchange, { log, now })
  const secondNow = () => Math.floor(now() / 1000)
  let round: Promise<void> | undefined

  function windowOf(userId: string, requestClass: RequestClass): Window {
    const name = nameOf(userId, requestClass)
    const known = windows.get(name)
    if (known !== undefined) return known
    const window: Window = { userId, requestClass, counts: [], others: [], keys: new Map(), wasUsed: false }
    windows.set(name, window)
    return window
  }

  async function runRound(): Promise<void> {
    forgetIdle(windows, secondNow())
    const used = [...windows.values()].filter(({ wasUsed }) => wasUsed)
    for (const window of used) window.wasUsed = false
    await exchangeCounts(used)
  }

  // Never two rounds at once: if the store hangs, the next round waits.
  const runNextRound = () => (round ??= runRound().finally(() => (round = undefined)))
  const timer = setInterval(() => void runNextRound(), roundEveryMs).unref()

  return {
    take(userId, requestClass, keyId) {
      const limit = limits[requestClass]
      if (limit === 0) return
      const window = windowOf(userId, requestClass)
      window.wasUsed = true
      const second = secondNow()
      const key = keyId === undefined ? undefined : keyIn(window, keyId, second)
      const all = allCounts(window)
      if (countWithin(all, second) >= limit) throw rateLimited(secondsUntilBelow(limit, all, second))
      if (key !== undefined && !isAlone(window, key, second)) {
        const share = Math.ceil(limit / 2)
        if (countWithin(key.counts, second) >= share) throw rateLimited(secondsUntilBelow(share, key.counts, second))
      }
      addAt(window.counts, second)
      if (key !== undefined) addAt(key.counts, second)
    },
    exchange: runNextRound,
    async stop() {
      clearInterval(timer)
      await round
    },
  }
}

/** One round for these windows. If it fails, they are included in the next one. */
function createExchangeRound(exchange: RateExchange, { log, now }: Pick<Options, 'log' | 'now'>) {
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
      // Log once per outage, not once per second.
      if (!isAlone) log.warn('rate limits use only the counts of this server', { error })
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
  for (const [name, window] of windows) {
    for (const [keyId, key] of window.keys) if (!hasTried(key, second)) window.keys.delete(keyId)
    if (!window.wasUsed && countWithin(allCounts(window), second) === 0) windows.delete(name)
  }
}

function keyIn({ keys }: Window, keyId: string, second: number): KeyCounts {
  const key = keys.get(keyId) ?? { counts: [], triedAt: second }
  key.triedAt = second
  keys.set(keyId, key)
  return key
}

const hasTried = ({ triedAt }: KeyCounts, second: number) => Math.abs(second - triedAt) < windowSeconds

const isAlone = ({ keys }: Window, key: KeyCounts, second: number) =>
  !Array.from(keys.values()).some((other) => other !== key && hasTried(other, second))

/** Counts per clock second, oldest first. A window of 61 seconds covers any 60 seconds, wherever they begin within a second. */
export type SecondCounts = [second: number, count: number][]

const windowSeconds = 61

/** Adds one and drops counts outside of the window. */
function addAt(counts: SecondCounts, second: number): void {
  if (counts.some((count) => !isWithin(count, second)))
    counts.splice(0, counts.length, ...counts.filter((count) => isWithin(count, second)))
  const last = counts.at(-1)
  if (last !== undefined && last[0] >= second) last[1]++
  else counts.push([second, 1])
}

function countWithin(counts: SecondCounts, second: number): number {
  let total = 0
  for (const count of counts) if (isWithin(count, second)) total += count[1]
  return total
}

/** The number of seconds, at least 1, until fewer than `limit` are in the window if nothing is added. */
function secondsUntilBelow(limit: number, counts: SecondCounts, second: number): number {
  let left = countWithin(counts, second)
  for (const [at, count] of counts.filter((one) => isWithin(one, second)).toSorted(([a], [b]) => a - b)) {
    left -= count
    if (left < limit) return Math.max(1, at + windowSeconds - second)
  }
  return 1
}

/** Shifts the counts of a server whose clock is ahead, so that its latest second is at most this one. */
function notAfter(second: number, counts: SecondCounts): SecondCounts {
  const ahead = (counts.at(-1)?.[0] ?? second) - second
  return ahead > 0 ? counts.map(([at, count]) => [at - ahead, count]) : counts
}

// Counts further ahead are from before the clock was set back.
const isWithin = ([at]: SecondCounts[number], second: number) => Math.abs(second - at) < windowSeconds
