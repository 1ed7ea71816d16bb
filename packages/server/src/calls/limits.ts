import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import type { CountedClass, RequestClass } from './request-class.ts'
import { createUsageCounter, monthOf } from './quotas.ts'
import { createRateExchange } from './rate-exchange-store.ts'
import { createRateLimits } from './rates.ts'
import { sumUsage } from './usage-store.ts'

/** Requests a minute and units a month of each user. */
export interface Limits {
  /** Units a month of each class; 0: no limit. */
  quotas: Readonly<Record<CountedClass, number>>
  /** Requests a minute of each class; 0: no limit. */
  rates: Readonly<Record<CountedClass, number>>
  /** Counts a request, or throws 429. Returns how to give back the unit of one that failed. */
  admit(userId: string, requestClass: RequestClass): Promise<() => void>
  noteTokens(userId: string, tokens: number): void
  /** Writes what is counted so far. */
  flush(): Promise<void>
  /** Of all users together. */
  usageThisMonth(): Promise<Record<CountedClass | 'embeddingTokens', number>>
  stop(): Promise<void>
}

/** What a person's pages may ask for in a minute: far more than they do, unless one of them runs wild. */
const dashboardRequestsAMinute = 3000

interface Options {
  db: Database
  /** Requests a minute; 0: no limit. */
  rateLimits: Readonly<Record<CountedClass, number>>
  /** Units a month; 0: no quota. */
  quotas: Readonly<Record<CountedClass, number>>
  log: Log
  now(): number
}

export function createLimits({ db, rateLimits, quotas, log, now }: Options): Limits {
  const rates = createRateLimits({
    limits: { ...rateLimits, person: dashboardRequestsAMinute },
    // The embedded store belongs to this process alone.
    exchange: db.dialect === 'postgres' ? createRateExchange(db) : undefined,
    log,
    now,
  })
  const usage = createUsageCounter({ db, quotas, log, now })
  return {
    quotas,
    rates: rateLimits,
    async admit(userId, requestClass) {
      rates.take(userId, requestClass)
      return requestClass === 'person' ? () => {} : usage.take(userId, requestClass)
    },
    noteTokens: usage.noteTokens,
    flush: usage.flush,
    async usageThisMonth() {
      await usage.flush()
      return sumUsage(db.read, monthOf(now()))
    },
    async stop() {
      await rates.stop()
      await usage.stop()
    },
  }
}
