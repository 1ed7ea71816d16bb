import { LRUCache } from 'lru-cache'
import { rateLimited } from '../core/errors.ts'
import { clientNetwork } from './client-network.ts'

/**
 * Throttles guesses of passwords, and of whose addresses have an account, per account and client address: after some failures, each
 * further attempt has to wait, twice as long each time up to a maximum. It never locks an account: an attempt after the wait is always
 * checked. But someone who keeps guessing can use up most of these chances and so slow down the owner.
 *
 * With one server, failures are kept in memory: a restart forgets them. The table is bounded and drops the entry with the oldest failure.
 * Servers that share a database count together, in a table.
 */
export interface LogInThrottle {
  /** Counts an attempt in advance, so parallel attempts can't all pass. Throws 429 if it comes too early. */
  begin(subjects: Subjects): Promise<void>
  /** For a correct attempt: resets the account, and uncounts this one attempt for the address. */
  succeed(subjects: Subjects): Promise<void>
  /** Uncounts the attempt for both: an outage prevented the check. */
  abandon(subjects: Subjects): Promise<void>
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

export interface Failures {
  count: number
  lastAt: number
  blockedUntil: number
}

export interface FailureCounts {
  /**
   * Replaces what is known of these names by what `change` returns, in the same order; undefined forgets a name. No other change of them comes
   * in between. If `change` throws, so does this, and nothing changes.
   */
  change(
    names: readonly string[],
    change: (known: readonly (Failures | undefined)[]) => readonly (Failures | undefined)[],
  ): Promise<void>
}

// An address may be a proxy for many people, so it may fail more often.
const freeTries = { account: 5, address: 50 } as const
const firstDelayMs = 1_000
const longestDelayMs = 30_000
export const forgottenAfterMs = 15 * 60_000
const rememberedSubjects = 10_000

export function createLogInThrottle(now: () => number, counts: FailureCounts = countInMemory()): LogInThrottle {
  /** Compares in both directions: after the clock is set back, a wait must not last until the old time. */
  const unlessOld = (known: Failures | undefined) =>
    known !== undefined && Math.abs(now() - known.lastAt) < forgottenAfterMs ? known : undefined

  function count(known: Failures | undefined, free: number): Failures {
    const at = now()
    const tries = (known?.count ?? 0) + 1
    const delayMs = tries < free ? 0 : Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(tries - free, 20))
    return { count: tries, lastAt: at, blockedUntil: at + delayMs }
  }

  const uncount = (known: Failures | undefined): Failures | undefined =>
    known && { ...known, count: known.count - 1, blockedUntil: 0 }

  return {
    begin: (subjects) =>
      counts.change(namesOf(subjects), (stored) => {
        const [account, address] = stored.map(unlessOld)
        const waitMs = Math.max(...[account, address].map((known) => (known?.blockedUntil ?? 0) - now()))
        if (waitMs > 0) throw rateLimited(Math.ceil(Math.min(waitMs, longestDelayMs) / 1000), 'login_throttle')
        return [count(account, freeTries.account), count(address, freeTries.address)]
      }),
    succeed: (subjects) => counts.change(namesOf(subjects), ([, address]) => [undefined, uncount(unlessOld(address))]),
    abandon: (subjects) => counts.change(namesOf(subjects), (stored) => stored.map(unlessOld).map(uncount)),
  }
}

/** Of the account, then of the address. */
const namesOf = ({ account, address, method }: Subjects) => [
  `account ${account}`,
  `${method} ${clientNetwork(address)}`,
]

function countInMemory(): FailureCounts {
  const failures = new LRUCache<string, Failures>({ max: rememberedSubjects })
  return {
    // Without a pause between reading and writing.
    async change(names, change) {
      const changed = change(names.map((name) => failures.get(name)))
      for (const [at, name] of names.entries()) failures.set(name, changed[at])
    },
  }
}
