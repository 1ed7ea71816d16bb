import { LRUCache } from 'lru-cache'
import { rateLimited } from '../core/errors.ts'

/**
 * Slows the guessing of passwords, for each account and each client address: after some failures every further try must
 * wait, twice as long each time up to a bound. Never a lock-out: a try that comes at the right moment is always judged. But
 * whoever keeps trying an account can take most of these moments, and so slow its owner down.
 *
 * Kept in memory: a restart forgets it and nodes count on their own, which multiplies the tries by the number of nodes
 * and no more. The tables are bounded; an entry that is pushed out had the oldest failure.
 */
export interface LogInThrottle {
  /** Counts a try in advance, so that many at once cannot all slip through; throws 429 where it comes too early. */
  begin(subjects: Subjects): void
  /** Takes the try back: it was right. The account starts afresh; the address only gets this one back. */
  succeed(subjects: Subjects): void
  /** Takes the try back from both: an outage kept it from being judged. */
  abandon(subjects: Subjects): void
  /** The account is called otherwise from now on: what was counted for it goes on counting. */
  rename(from: string, to: string): void
}

export interface Subjects {
  /** Any text that stands for the account, whether or not it exists. */
  account: string
  address: string
}

interface Failures {
  count: number
  lastAt: number
  blockedUntil: number
}

// An address may be a proxy with many people behind it, so that it may fail more often.
const freeTries = { account: 5, address: 50 } as const
const firstDelayMs = 1_000
const longestDelayMs = 30_000
const forgottenAfterMs = 15 * 60_000
const rememberedSubjects = 10_000

export function createLogInThrottle(now: () => number): LogInThrottle {
  const failures = new LRUCache<string, Failures>({ max: rememberedSubjects })

  const find = (name: string) => {
    const known = failures.get(name)
    // Either way: where the clock went back, nobody is to wait until it is there again.
    return known !== undefined && Math.abs(now() - known.lastAt) < forgottenAfterMs ? known : undefined
  }

  function count(name: string, free: number): void {
    const at = now()
    const tries = (find(name)?.count ?? 0) + 1
    const delayMs = tries < free ? 0 : Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(tries - free, 20))
    failures.set(name, { count: tries, lastAt: at, blockedUntil: at + delayMs })
  }

  function takeBack(name: string): void {
    const known = find(name)
    if (known !== undefined) failures.set(name, { ...known, count: known.count - 1, blockedUntil: 0 })
  }

  return {
    begin(subjects) {
      const names = namesOf(subjects)
      const waitMs = Math.max(...names.map(([name]) => (find(name)?.blockedUntil ?? 0) - now()))
      if (waitMs > 0) throw rateLimited(Math.ceil(Math.min(waitMs, longestDelayMs) / 1000))
      for (const [name, free] of names) count(name, free)
    },
    succeed(subjects) {
      const [[account], [address]] = namesOf(subjects)
      failures.delete(account)
      takeBack(address)
    },
    abandon(subjects) {
      for (const [name] of namesOf(subjects)) takeBack(name)
    },
    rename(from, to) {
      const known = find(accountName(from))
      if (known !== undefined && from !== to) failures.set(accountName(to), known)
    },
  }
}

const accountName = (account: string) => `account ${account}`

const namesOf = ({ account, address }: Subjects) =>
  [
    [accountName(account), freeTries.account],
    [`address ${address}`, freeTries.address],
  ] as const
