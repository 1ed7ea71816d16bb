import { ServiceError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import type { CountedClass } from '../operation/request-class.ts'
import { addUsage, findUsage, type UsageCounts, type UsageNews } from './usage-store.ts'

/**
 * Units a month, by user and class, and the tokens of embeddings. Gathered in memory and written every few seconds, before
 * they are read, and at the stop: what a crash loses is these seconds. A quota is looked up at a user's first call and
 * goes by memory from then on; each write brings in what other servers have counted.
 */
export interface UsageCounter {
  /** Counts a unit, or throws 429 where the quota of the month is used up. Returns how to give it back. */
  take(userId: string, requestClass: CountedClass): Promise<() => void>
  noteTokens(userId: string, tokens: number): void
  flush(): Promise<void>
  stop(): Promise<void>
}

type Kind = keyof UsageCounts

interface Options {
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
  /** Being written, and not yet. */
  writing: Map<Kind, number>
  pending: Map<Kind, number>
}

const flushEveryMs = 5000
const rowsAtOnce = 200

export function createUsageCounter({ db, quotas, log, now }: Options): UsageCounter {
  const { accountOf, load, flush } = createAccounts(db, log)
  const thisMonth = (userId: string) => accountOf(userId, monthOf(now()))
  const timer = setInterval(() => void flush(), flushEveryMs).unref()

  async function loadedAccountOf(userId: string): Promise<Account> {
    let account = thisMonth(userId)
    while (account.stored === undefined) {
      await load(account)
      // Another month may have begun, and an account that nobody used is dropped.
      account = thisMonth(userId)
    }
    return account
  }

  return {
    async take(userId, requestClass) {
      const quota = quotas[requestClass]
      const account = quota > 0 ? await loadedAccountOf(userId) : thisMonth(userId)
      if (quota > 0 && usedOf(account, requestClass) >= quota) throw quotaExceeded(quota, requestClass, now())
      add(account.pending, requestClass, 1)
      return () => add(accountOf(userId, account.month).pending, requestClass, -1)
    },
    noteTokens: (userId, tokens) => add(thisMonth(userId).pending, 'embeddingTokens', tokens),
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

/** What is counted and not yet written, beside what the store has. */
function createAccounts(db: Database, log: Log) {
  const accounts = new Map<string, Account>()
  // Reads and writes of sums one after the other: so it is known which counts a sum that is read holds already.
  let queue: Promise<unknown> = Promise.resolve()
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work)
    queue = result.catch(() => {})
    return result
  }

  function accountOf(userId: string, month: string): Account {
    const name = `${userId} ${month}`
    const known = accounts.get(name)
    if (known !== undefined) return known
    const account = { userId, month, stored: undefined, loading: undefined, writing: new Map(), pending: new Map() }
    accounts.set(name, account)
    return account
  }

  /** Reads what the store has of this month, once. */
  function load(account: Account): Promise<void> {
    account.loading ??= enqueue(async () => {
      const rows = await findUsage(db.read, account)
      account.stored = new Map(rows.map(({ kind, units }) => [kind, units]))
    }).finally(() => (account.loading = undefined))
    return account.loading
  }

  async function write(): Promise<void> {
    for (const [name, account] of accounts)
      if (!hasNews(account) && account.loading === undefined) accounts.delete(name)
    const due = [...accounts.values()].filter(hasNews)
    const news = due.flatMap(takeNews)
    for (let from = 0; from < news.length; from += rowsAtOnce)
      await writeSome(news.slice(from, from + rowsAtOnce)).catch((error: unknown) =>
        log.warn('usage was not written yet', { error }),
      )
    // What was written is gone from here; the rest waits for the next time.
    for (const { pending, writing } of due) {
      for (const [kind, units] of writing) add(pending, kind, units)
      writing.clear()
    }
  }

  async function writeSome(news: readonly UsageNews[]): Promise<void> {
    for (const { userId, month, kind, units } of await addUsage(db, news)) {
      const account = accountOf(userId, month)
      account.stored?.set(kind, units)
      account.writing.delete(kind as Kind)
    }
  }

  return { accountOf, load, flush: () => enqueue(write) }
}

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

const usedOf = ({ stored, writing, pending }: Account, kind: Kind) =>
  (stored?.get(kind) ?? 0) + (writing.get(kind) ?? 0) + (pending.get(kind) ?? 0)

const hasNews = ({ pending }: Account) => [...pending.values()].some((units) => units !== 0)

function takeNews(account: Account): UsageNews[] {
  const { userId, month } = account
  account.writing = new Map([...account.pending].filter(([, units]) => units !== 0))
  account.pending.clear()
  return [...account.writing].map(([kind, units]) => ({ userId, month, kind, units }))
}

function add(units: Map<Kind, number>, kind: Kind, more: number): void {
  units.set(kind, (units.get(kind) ?? 0) + more)
}
