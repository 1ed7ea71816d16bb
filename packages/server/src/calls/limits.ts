import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import type { CountedClass, RequestClass } from './call.ts'
import { createRateExchange } from './rate-exchange-store.ts'
import { createRateLimits } from './rates.ts'
import { sumUsage, addUsage, findUsage, usageKinds, type UsageCounts, type UsageNews } from './usage-store.ts'
import { ServiceError } from '../core/errors.ts'
import { WriteBehind } from './write-behind.ts'

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

/**
 * Units a month, by user and class, and the tokens of embeddings, gathered in memory. A quota is looked up at a user's first
 * call and goes by memory from then on; each write brings in what other servers have counted.
 */
export interface UsageCounter {
  /** Counts a unit, or throws 429 where the quota of the month is used up. Returns how to give it back. */
  take(userId: string, requestClass: CountedClass): Promise<() => void>
  noteTokens(userId: string, tokens: number): void
  flush(): Promise<void>
  stop(): Promise<void>
}

type Kind = keyof UsageCounts

interface UsageOptions {
  db: Database
  /** 0: no quota. */
  quotas: Readonly<Record<CountedClass, number>>
  log: Log
  now(): number
}

/** One month of one user. */
interface Account {
  userId: string
  month: string
  /** Sums in the store; undefined until a quota asks for them. */
  stored: Map<string, number> | undefined
  loading: Promise<void> | undefined
}

export function createUsageCounter({ db, quotas, log, now }: UsageOptions): UsageCounter {
  const { loadedAccountOf, usedOf, add, flush, stop } = createAccounts({ db, log, now })
  return {
    async take(userId, requestClass) {
      const quota = quotas[requestClass]
      const account = quota > 0 ? await loadedAccountOf(userId) : undefined
      // No wait between the look and the count: many may come at once.
      if (account !== undefined && usedOf(account, requestClass) >= quota)
        throw quotaExceeded(quota, requestClass, now())
      const month = account?.month ?? monthOf(now())
      add(userId, month, requestClass, 1)
      return () => add(userId, month, requestClass, -1)
    },
    noteTokens: (userId, tokens) => add(userId, monthOf(now()), 'embeddingTokens', tokens),
    flush,
    stop,
  }
}

/** What is counted and not yet written, beside what the store has. */
function createAccounts({ db, log, now }: Omit<UsageOptions, 'quotas'>) {
  const accounts = new Map<string, Account>()
  const units = gatherUnits(db, log, {
    noteSum: (sum) => void accounts.get(nameOf(sum))?.stored?.set(sum.kind, sum.units),
    forgetIdle() {
      for (const [name, account] of accounts)
        if (account.loading === undefined && !hasNews(account)) accounts.delete(name)
    },
  })

  function add(userId: string, month: string, kind: Kind, more: number): void {
    units.pending(`${userId} ${month} ${kind}`, () => ({ userId, month, kind, units: 0 })).units += more
  }

  function waiting({ userId, month }: Account, kind: Kind): number {
    return units.unwritten(`${userId} ${month} ${kind}`).reduce((sum, one) => sum + one.units, 0)
  }

  const hasNews = (account: Account) => usageKinds.some((kind) => waiting(account, kind) !== 0)
  const usedOf = (account: Account, kind: Kind) => (account.stored?.get(kind) ?? 0) + waiting(account, kind)

  function accountOf(userId: string): Account {
    const month = monthOf(now())
    const name = nameOf({ userId, month })
    const known = accounts.get(name)
    if (known !== undefined) return known
    const account: Account = { userId, month, stored: undefined, loading: undefined }
    accounts.set(name, account)
    return account
  }

  /** Reads what the store has of this month, once. */
  function load(account: Account): Promise<void> {
    account.loading ??= units
      .between(async () => {
        const rows = await findUsage(db.read, account)
        account.stored = new Map(rows.map((row) => [row.kind, row.units]))
      })
      .finally(() => (account.loading = undefined))
    return account.loading
  }

  async function loadedAccountOf(userId: string): Promise<Account> {
    let account = accountOf(userId)
    while (account.stored === undefined) {
      await load(account)
      // Another month may have begun, and an account that nobody used is dropped.
      account = accountOf(userId)
    }
    return account
  }

  return { loadedAccountOf, usedOf, add, flush: () => units.flush(), stop: () => units.stop() }
}

const gatherUnits = (
  db: Database,
  log: Log,
  { noteSum, forgetIdle }: { noteSum(sum: UsageNews): void; forgetIdle(): void },
) =>
  new WriteBehind<UsageNews, UsageNews[]>({
    async write(some) {
      // What was taken and given back is no news.
      const news = some.filter((one) => one.units !== 0)
      return news.length === 0 ? [] : addUsage(db, news)
    },
    noteWritten: (sums) => sums.forEach(noteSum),
    join: (sum, more) => void (sum.units += more.units),
    beforeWrites: forgetIdle,
    warning: 'usage was not written yet',
    log,
  })

const nameOf = ({ userId, month }: { userId: string; month: string }) => `${userId} ${month}`

/** In UTC. */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7)

export function endOfMonth(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

const quotaExceeded = (quota: number, requestClass: CountedClass, at: number) =>
  new ServiceError('rate_limited', `Quota exceeded: ${quota} ${requestClass} requests a month are used up`, {
    retryAfterSeconds: Math.ceil((endOfMonth(at) - at) / 1000),
  })
