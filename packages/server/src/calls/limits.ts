import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import type { CountedClass, RequestClass } from './call.ts'
import { createRateExchange } from './rate-exchange-store.ts'
import { createRateLimits } from './rates.ts'
import { sumUsage, addUsage, findUsage, usageKinds, type UsageCounts, type UsageNews } from './usage-store.ts'
import { ServiceError } from '../core/errors.ts'
import { WriteBehind } from './write-behind.ts'

/** Limits each user's requests per minute and units per month. */
export interface Limits {
  /** Units per month of each class; 0: no limit. */
  quotas: Readonly<Record<CountedClass, number>>
  /** Requests per minute of each class; 0: no limit. */
  rates: Readonly<Record<CountedClass, number>>
  /** Counts a request, or throws 429. `keyId`: of an agent's request. Returns a function that gives back the unit of a failed request. */
  admit(userId: string, requestClass: RequestClass, keyId?: string): Promise<() => void>
  addTokens(userId: string, tokens: number): void
  /** Writes all counts. */
  flush(): Promise<void>
  /** The total of all users. */
  usageThisMonth(): Promise<Record<CountedClass | 'embeddingTokens', number>>
  stop(): Promise<void>
}

interface Options {
  db: Database
  /** Requests per minute; 0: no limit. */
  rateLimits: Readonly<Record<CountedClass, number>>
  /** The same for what people call, as one class. */
  dashboardRateLimit: number
  /** Units per month; 0: no quota. */
  quotas: Readonly<Record<CountedClass, number>>
  log: Log
  now(): number
}

export function createLimits({ db, rateLimits, dashboardRateLimit, quotas, log, now }: Options): Limits {
  const rates = createRateLimits({
    limits: { ...rateLimits, person: dashboardRateLimit },
    // Only this process uses the embedded store.
    exchange: db.dialect === 'postgres' ? createRateExchange(db) : undefined,
    log,
    now,
  })
  const usage = createUsageCounter({ db, quotas, log, now })
  return {
    quotas,
    rates: rateLimits,
    async admit(userId, requestClass, keyId) {
      rates.take(userId, requestClass, keyId)
      return requestClass === 'person' ? () => {} : usage.take(userId, requestClass)
    },
    addTokens: usage.addTokens,
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
 * Counts units per month by user and class, and embedding tokens, in memory. A user's first call reads the stored sums for a quota; each
 * write brings in the counts of other servers.
 */
interface UsageCounter {
  /** Counts a unit, or throws 429 if the month's quota is used up. Returns a function that gives it back. */
  take(userId: string, requestClass: CountedClass): Promise<() => void>
  addTokens(userId: string, tokens: number): void
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

function createUsageCounter({ db, quotas, log, now }: UsageOptions): UsageCounter {
  const { loadedAccountOf, usedOf, add, flush, stop } = createAccounts({ db, log, now })
  return {
    async take(userId, requestClass) {
      const quota = quotas[requestClass]
      const account = quota > 0 ? await loadedAccountOf(userId) : undefined
      // No await between check and count, because many calls may come at once.
      if (account !== undefined && usedOf(account, requestClass) >= quota)
        throw quotaExceeded(quota, requestClass, now())
      const month = account?.month ?? monthOf(now())
      add(userId, month, requestClass, 1)
      return () => add(userId, month, requestClass, -1)
    },
    addTokens: (userId, tokens) => add(userId, monthOf(now()), 'embeddingTokens', tokens),
    flush,
    stop,
  }
}

/** Stored sums plus counts that aren't written yet. */
function createAccounts({ db, log, now }: Omit<UsageOptions, 'quotas'>) {
  const accounts = new Map<string, Account>()
  const units = gatherUnits(db, log, {
    addWritten: (sum) => void accounts.get(nameOf(sum))?.stored?.set(sum.kind, sum.units),
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

  /** Reads this month's stored sums, once. */
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
      // A new month may have begun, and idle accounts are dropped.
      account = accountOf(userId)
    }
    return account
  }

  return { loadedAccountOf, usedOf, add, flush: () => units.flush(), stop: () => units.stop() }
}

const gatherUnits = (
  db: Database,
  log: Log,
  { addWritten, forgetIdle }: { addWritten(sum: UsageNews): void; forgetIdle(): void },
) =>
  new WriteBehind<UsageNews, UsageNews[]>({
    db,
    async write(some) {
      // Units that were given back need no write.
      const news = some.filter((one) => one.units !== 0)
      return news.length === 0 ? [] : addUsage(db, news)
    },
    onWritten: (sums) => sums.forEach(addWritten),
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
  new ServiceError(
    'rate_limited',
    `Quota exceeded: you have used all ${quota} ${requestClass} requests for this month`,
    { retryAfterSeconds: Math.ceil((endOfMonth(at) - at) / 1000), refusal: 'quota' },
  )
