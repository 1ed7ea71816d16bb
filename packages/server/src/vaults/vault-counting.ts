import { LRUCache } from 'lru-cache'
import type { Reader } from '../db/dialect.ts'
import type { VaultCounting } from '../operation/context.ts'
import { type CountedVault, countRecords } from './count-store.ts'

interface Kept {
  /** The change number of the vault that was counted. */
  seq: number
  /** The first expiry in the vault; Infinity while it isn't known. */
  until: number
  counted: Promise<CountedVault>
}

/** About 300 bytes each. */
const maxVaults = 20_000

/**
 * Counts a vault once for each change number, because every change of a record takes one in its own transaction. Time changes counts as
 * well: they are kept until the next expiry, and not at all while an expired memory waits for the job that archives it. Calls that come
 * while a vault is counted wait for that.
 */
export function createVaultCounting({ read }: { read: Reader }): VaultCounting {
  const kept = new LRUCache<string, Kept>({ max: maxVaults })
  const keep = (vaultId: string, seq: number, all: Promise<ReadonlyMap<string, CountedVault>>): Kept => {
    const counted = all.then((counts) => {
      const own = counts.get(vaultId)
      if (own === undefined) throw new RangeError('each vault is counted')
      one.until = own.until
      return own
    })
    const one: Kept = { seq, until: Infinity, counted }
    // Callers that wait for it get the error. The next call counts again.
    counted.catch(() => void (one.until = -Infinity))
    kept.set(vaultId, one)
    return one
  }
  return {
    async count(userId, vaults, now) {
      const known = new Map<string, Kept>()
      for (const { vaultId, seq } of vaults) {
        const one = kept.get(vaultId)
        if (one?.seq === seq && now < one.until) known.set(vaultId, one)
      }
      const changed = vaults.filter(({ vaultId }) => !known.has(vaultId))
      const ids = changed.map(({ vaultId }) => vaultId)
      const all = countRecords(read, userId, ids, now)
      for (const { vaultId, seq } of changed) known.set(vaultId, keep(vaultId, seq, all))
      return new Map(await Promise.all(Array.from(known, async ([id, { counted }]) => [id, await counted] as const)))
    },
  }
}
