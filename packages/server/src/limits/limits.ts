import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import type { Limits } from '../operation/context.ts'
import type { CountedClass } from '../operation/request-class.ts'
import { createUsageCounter, monthOf } from './count-usage.ts'
import { createRateExchange } from './exchange-store.ts'
import { createRateLimits } from './limit-rates.ts'
import { sumUsage } from './usage-store.ts'

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
    async run(userId, requestClass, work) {
      rates.take(userId, requestClass)
      if (requestClass === 'person') return work()
      const giveBack = await usage.take(userId, requestClass)
      try {
        return await work()
      } catch (error) {
        giveBack()
        throw error
      }
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
