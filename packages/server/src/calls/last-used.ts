import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import { WriteBehind } from './write-behind.ts'

/** When rows were last used and how often. These values are only for display, so no request waits for them. */
export interface LastUsed {
  /** Notes that the row was used. `table` selects the writer. */
  record(table: UsedTable, id: string, owner: Owner, at: number): void
  /** Writes what has been recorded, optionally only of one user's rows in a table. */
  flush(only?: { table: UsedTable; userId: string }): Promise<void>
  stop(): Promise<void>
}

export type UsedTable = 'agentKeys' | 'dashboardCredentials' | 'memories'

/** The owner of a row; `vaultId` for rows in a vault. */
interface Owner {
  userId: string
  vaultId?: string
}

/** What happened to one row since the last time. */
export interface Used extends Owner {
  id: string
  /** The last time. */
  at: number
  count: number
}

/**
 * Writes rows of all owners, ordered by owner and id, so that two processes lock them in the same order. Throws if it could write none, and
 * returns the ones that it could not write.
 */
export type UseWriter = (db: Database, used: readonly Used[]) => Promise<Unwritten | undefined>

export interface Unwritten {
  rows: readonly Used[]
  error: unknown
}

interface Sum extends Used {
  table: UsedTable
}

/** The longer, the more searches that find the same memory write it once. A crash loses as much. */
const flushEveryMs = 60_000
const warning = 'last-used times were not written'

export function createLastUsed(db: Database, writers: Record<UsedTable, UseWriter>, log: Log): LastUsed {
  const sums = new WriteBehind<Sum>({
    db,
    async write(some) {
      const [first] = some
      if (first === undefined) return
      const left = await writers[first.table](db, some)
      if (left === undefined) return
      for (const row of left.rows) add(pendingSum(first.table, row.id, row), row)
      log.warn(warning, { error: left.error })
    },
    join: add,
    groupOf: ({ table }) => table,
    everyMs: flushEveryMs,
    isUnhurried: true,
    warning,
    log,
  })

  const pendingSum = (table: UsedTable, id: string, { userId, vaultId }: Owner) =>
    sums.pending(`${table} ${userId} ${vaultId} ${id}`, () => ({
      table,
      userId,
      ...(vaultId !== undefined && { vaultId }),
      id,
      at: 0,
      count: 0,
    }))

  return {
    record: (table, id, owner, at) => add(pendingSum(table, id, owner), { at, count: 1 }),
    flush: (only) => sums.flush(only && ((sum) => sum.table === only.table && sum.userId === only.userId)),
    stop: () => sums.stop(),
  }
}

function add(sum: Pick<Used, 'at' | 'count'>, { at, count }: Pick<Used, 'at' | 'count'>): void {
  sum.at = Math.max(sum.at, at)
  sum.count += count
}
