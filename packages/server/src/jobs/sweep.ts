import type { Reader } from '../db/dialect.ts'
import type { OwnerRange } from '../db/owner-range.ts'
import { findOwnerAfter } from './sweep-store.ts'

/** Vaults of a part, apart from those of its last owner. A part of 5,000 vaults without work takes a job about 20 ms. */
const vaultsAtOnce = 5_000

/**
 * Goes through all owners in parts of some thousand vaults, for jobs that can't ask the database for what needs work, because the index for that would
 * cost each write more. A run of the job takes one part, so it takes as long with a million vaults as with thousands. Only in memory: a
 * start begins with the first owner, and so does each server that takes the job over.
 */
export interface Sweep {
  /** The next part. Undefined until `restMs` after the last round began, if all owners had their turn since. */
  next(db: Reader): Promise<OwnerRange | undefined>
  /** The next part begins after this owner: the run ended before it was through with its part. */
  continueAfter(userId: string): void
}

interface Rounds {
  now(): number
  /** Default: a new round begins at once. */
  restMs?: number
  atOnce?: number
}

export function createSweep({ now, restMs = 0, atOnce = vaultsAtOnce }: Rounds): Sweep {
  let after = ''
  let beganAt: number | undefined
  return {
    async next(db) {
      const at = now()
      // Also if the clock was set back.
      if (after === '' && beganAt !== undefined && Math.abs(at - beganAt) < restMs) return undefined
      if (after === '') beganAt = at
      const range = { after, upTo: await findOwnerAfter(db, after, atOnce) }
      after = range.upTo ?? ''
      return range
    },
    continueAfter(userId) {
      after = userId
    },
  }
}
