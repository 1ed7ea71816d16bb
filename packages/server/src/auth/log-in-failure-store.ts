import { exactTag } from '../crypto/hash.ts'
import { tagKeys } from '../crypto/keys.ts'
import type { Database, Reader, Tx } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'
import { type FailureCounts, type Failures, forgottenAfterMs } from './log-in-throttle.ts'

const purgeEveryMs = 60_000

/**
 * Failures that all servers on one database count together. Names are keyed tags, so the table says neither whose accounts were tried nor from
 * where. An attempt that is admitted takes two transactions of some milliseconds, and the check of a password takes much longer. Without the
 * database there is no attempt.
 */
export function shareFailureCounts(db: Database, { keys }: Instance, now: () => number): FailureCounts {
  const tagOf = (name: string) => exactTag(tagKeys(keys).exact, 'log-in', name)
  let purgedAt = now()
  return {
    async change(names, change) {
      const tags = names.map(tagOf)
      // So most of the attempts that come too early are refused without a transaction.
      change(await find(db.read, tags))
      const isPurgeDue = Math.abs(now() - purgedAt) >= purgeEveryMs
      if (isPurgeDue) purgedAt = now()
      // In a lane: many guesses from one address must not hold all connections while they wait for its row.
      await db.write(async (tx) => {
        await lock(tx, tags)
        const changed = change(await find(tx, tags))
        for (const [at, tag] of tags.entries()) await store(tx, tag, changed[at])
        if (!isPurgeDue) return
        await tx
          .deleteFrom('logInFailures')
          .where('lastAt', '<', now() - forgottenAfterMs)
          .execute()
      }, names.at(-1))
    },
  }
}

async function find(db: Reader, tags: readonly Buffer[]): Promise<(Failures | undefined)[]> {
  const rows = await db.selectFrom('logInFailures').selectAll().where('tag', 'in', tags).execute()
  return tags.map((tag) => rows.find((row) => tag.equals(row.tag) && row.lastAt > 0))
}

/** Rows that don't exist yet, too, and in the same order everywhere. */
async function lock(tx: Tx, tags: readonly Buffer[]): Promise<void> {
  const rows = tags
    .toSorted((one, other) => one.compare(other))
    .map((tag) => ({ tag, count: 0, lastAt: 0, blockedUntil: 0 }))
  await tx
    .insertInto('logInFailures')
    .values(rows)
    .onConflict((conflict) => conflict.column('tag').doUpdateSet(({ ref }) => ({ tag: ref('excluded.tag') })))
    .execute()
}

async function store(tx: Tx, tag: Buffer, failures: Failures | undefined): Promise<void> {
  if (failures === undefined) await tx.deleteFrom('logInFailures').where('tag', '=', tag).execute()
  else {
    const { count, lastAt, blockedUntil } = failures
    await tx.updateTable('logInFailures').set({ count, lastAt, blockedUntil }).where('tag', '=', tag).execute()
  }
}

/** Undefined for the embedded store, which only this process uses. */
export const countTogether = (db: Database, instance: Instance, now: () => number): FailureCounts | undefined =>
  db.dialect === 'postgres' ? shareFailureCounts(db, instance, now) : undefined
