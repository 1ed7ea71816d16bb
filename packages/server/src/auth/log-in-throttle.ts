import { LRUCache } from 'lru-cache'
import { rateLimited } from '../core/errors.ts'
import { clientNetwork } from './client-network.ts'

/**
 * Throttles guesses of passwords, and of whose addresses have an account, per account and client address: after some failures, each
 * further attempt has to wait, twice as long each time up to a maximum. It never locks an account: an attempt after the wait is always
 * checked. But someone who keeps guessing can use up most of these chances and so slow down the owner.
 *
 * Kept in memory: a restart forgets it, and each server counts for itself, which at most multiplies the attempts by the number of
 * servers. The tables are bounded and drop the entry with the oldest failure.
 */
export interface LogInThrottle {
  /** Counts an attempt in advance, so parallel attempts can't all pass. Throws 429 if it comes too early. */
  begin(subjects: Subjects): void
  /** For a correct attempt: resets the account, and uncounts this one attempt for the address. */
  succeed(subjects: Subjects): void
  /** Uncounts the attempt for both: an outage prevented the check. */
  abandon(subjects: Subjects): void
}

export interface Subjects {
  /** Any text that identifies the account, whether or not it exists. */
  account: string
  address: string
  /**
   * Failures of an address count for each method on its own. Anyone can send invalid passkeys by the hundred, so they must not slow
   * down people with the right password at the same address, such as behind a proxy.
   */
  method: 'password' | 'passkey' | 'new address'
}

interface Failures {
  count: number
  lastAt: number
  blockedUntil: number
}

// An address may be a proxy for many people, so it may fail more often.
const freeTries = { account: 5, address: 50 } as const
const firstDelayMs = 1_000
const longestDelayMs = 30_000
const forgottenAfterMs = 15 * 60_000
const rememberedSubjects = 10_000

export function createLogInThrottle(now: () => number): LogInThrottle {
  const failures = new LRUCache<string, Failures>({ max: rememberedSubjects })

  const find = (name: string) => {
    const known = failures.get(name)
    // Compares in both directions: after the clock is set back, a wait must not last until the old time.
    return known !== undefined && Math.abs(now() - known.lastAt) < forgottenAfterMs ? known : undefined
  }

  function count(name: string, free: number): void {
    const at = now()
    const tries = (find(name)?.count ?? 0) + 1
    const delayMs = tries < free ? 0 : Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(tries - free, 20))
    failures.set(name, { count: tries, lastAt: at, blockedUntil: at + delayMs })
  }

  function uncount(name: string): void {
    const known = find(name)
    if (known !== undefined) failures.set(name, { ...known, count: known.count - 1, blockedUntil: 0 })
  }

  return {
    begin(subjects) {
      const names = namesOf(subjects)
      const waitMs = Math.max(...names.map(([name]) => (find(name)?.blockedUntil ?? 0) - now()))
      if (waitMs > 0) throw rateLimited(Math.ceil(Math.min(waitMs, longestDelayMs) / 1000), 'login_throttle')
      for (const [name, free] of names) count(name, free)
    },
    succeed(subjects) {
      const [[account], [address]] = namesOf(subjects)
      failures.delete(account)
      uncount(address)
    },
    abandon(subjects) {
      for (const [name] of namesOf(subjects)) uncount(name)
    },
  }
}

const namesOf = ({ account, address, method }: Subjects) =>
  [
    [`account ${account}`, freeTries.account],
    [`${method} ${clientNetwork(address)}`, freeTries.address],
  ] as const
