import { newId } from '../core/ids.ts'
import type { Database } from '../db/dialect.ts'

/**
 * Of several servers on one database one runs a job. Times are the servers' own clocks: where these differ, or a server
 * hangs for longer than its lease, a job may run twice at once. All are made for that; leases only spare the work.
 */
export interface JobLeases {
  /** Undefined where the caller is to run the job now; else how long another one runs it or lets it rest. */
  claim(name: string, how: { ignoresRest: boolean }): Promise<number | undefined>
  /** False where the lease ran out and went to another. */
  renew(name: string): Promise<boolean>
  /** Gives the lease back; nobody needs to run the job before `restMs` have passed. */
  release(name: string, restMs: number): Promise<void>
}

export const leaseMs = 30_000

export function createJobLeases(db: Database, now: () => number): JobLeases {
  // The file belongs to this process alone, and what a crash has left of a lease must not hold up the next start.
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
