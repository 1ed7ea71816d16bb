import { newId } from '../core/ids.ts'
import type { Database } from '../db/dialect.ts'

/**
 * When several servers share a database, one of them runs a job. Times come from the servers' own clocks. If these differ, or a
 * server hangs for longer than its lease, a job may run twice at once. All jobs allow for that; leases only save work.
 */
export interface JobLeases {
  /** Returns undefined if the caller should run the job now; otherwise how long to wait for another server's lease or for the next run. */
  claim(name: string, how: { ignoresRest: boolean }): Promise<number | undefined>
  /** Returns false if the lease expired and another server took it. */
  renew(name: string): Promise<boolean>
  /** Releases the lease. The job doesn't need to run again for `restMs`. */
  release(name: string, restMs: number): Promise<void>
}

export const leaseMs = 30_000

export function createJobLeases(db: Database, now: () => number): JobLeases {
  // Only this process uses the file, and a lease that a crash left behind must not delay the next start.
  if (db.dialect === 'sqlite') return { claim: async () => undefined, renew: async () => true, release: async () => {} }
  const holder = newId()
  return {
    async claim(name, { ignoresRest }) {
      const at = now()
      const taken = await db.write((tx) =>
        tx
          .insertInto('jobLeases')
          .values({ name, holder, leaseUntil: at + leaseMs, restUntil: 0 })
          .onConflict((conflict) =>
            conflict
              .column('name')
              .doUpdateSet({ holder, leaseUntil: at + leaseMs })
              .where('jobLeases.leaseUntil', '<=', at)
              .where('jobLeases.restUntil', '<=', ignoresRest ? Number.MAX_SAFE_INTEGER : at),
          )
          .returning('name')
          .executeTakeFirst(),
      )
      if (taken !== undefined) return undefined
      const lease = await db.read.selectFrom('jobLeases').selectAll().where('name', '=', name).executeTakeFirst()
      return Math.max(lease?.leaseUntil ?? at, lease?.restUntil ?? at) - at
    },
    async renew(name) {
      const { numUpdatedRows } = await db.write((tx) =>
        tx
          .updateTable('jobLeases')
          .set({ leaseUntil: now() + leaseMs })
          .where('name', '=', name)
          .where('holder', '=', holder)
          .executeTakeFirstOrThrow(),
      )
      return numUpdatedRows > 0n
    },
    async release(name, restMs) {
      await db.write((tx) =>
        tx
          .updateTable('jobLeases')
          .set({ leaseUntil: 0, restUntil: now() + restMs })
          .where('name', '=', name)
          .where('holder', '=', holder)
          .execute(),
      )
    },
  }
}
