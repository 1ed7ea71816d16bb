import type { Log } from '../core/log.ts'
import type { Database, Tx } from '../db/dialect.ts'
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
export interface Owner {
  userId: string
  vaultId?: string
}

/** Writes rows of one owner, ordered by id, so that two processes lock them in the same order. */
export type UseWriter = (tx: Tx, owner: Owner, used: ReadonlyMap<string, Use>) => Promise<void>

export interface Use {
  at: number
  count: number
}

interface Used extends Use {
  table: UsedTable
  owner: Owner
  id: string
}

const flushEveryMs = 15_000

export function createLastUsed(db: Database, writers: Record<UsedTable, UseWriter>, log: Log): LastUsed {
  const used = new WriteBehind<Used>({
    db,
    async write(some) {
      const rows = some.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      const [first] = rows
      if (first === undefined) return
      await db.write((tx) =>
        writers[first.table](tx, first.owner, new Map(rows.map(({ id, at, count }) => [id, { at, count }]))),
      )
    },
    join: add,
    groupOf: ({ table, owner }) => nameOf(table, owner),
    everyMs: flushEveryMs,
    isUnhurried: true,
    warning: 'last-used times were not written',
    log,
  })
  return {
    record(table, id, owner, at) {
      const sum = used.pending(`${nameOf(table, owner)} ${id}`, () => ({ table, owner, id, at, count: 0 }))
      add(sum, { at, count: 1 })
    },
    flush: (only) => used.flush(only && (({ table, owner }) => table === only.table && owner.userId === only.userId)),
    stop: () => used.stop(),
  }
}

const nameOf = (table: UsedTable, { userId, vaultId }: Owner) => `${table} ${userId} ${vaultId}`

function add(sum: Use, { at, count }: Use): void {
  sum.at = Math.max(sum.at, at)
  sum.count += count
}
