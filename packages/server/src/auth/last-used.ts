import type { Log } from '../core/log.ts'
import type { Database, Tx } from '../db/dialect.ts'

/**
 * Times of last use, gathered in memory and written every few seconds and at the stop, so that no request waits for
 * them. What a crash loses is at most these seconds of a display value.
 */
export interface LastUsed {
  /** Remembers that the row was used; `table` names what `writers` writes. */
  note(table: UsedTable, id: string, owner: Owner, at: number): void
  flush(): Promise<void>
  stop(): Promise<void>
}

export type UsedTable = 'agentKeys' | 'dashboardCredentials' | 'memories'

/** Whose row it is; `vaultId` for rows that lie in a vault. */
export interface Owner {
  userId: string
  vaultId?: string
}

/** Writes rows of one owner. They come in the order of their ids, so that two processes lock them in the same order. */
export type UseWriter = (tx: Tx, owner: Owner, used: ReadonlyMap<string, Use>) => Promise<void>

export interface Use {
  at: number
  count: number
}

const flushEveryMs = 15_000
/** Rows in one transaction: other writes get in between. */
const rowsAtOnce = 200

interface Batch {
  table: UsedTable
  owner: Owner
  used: Map<string, Use>
}

export function createLastUsed(db: Database, writers: Record<UsedTable, UseWriter>, log: Log): LastUsed {
  let pending = new Map<string, Batch>()

  function add(table: UsedTable, owner: Owner, id: string, { at, count }: Use): void {
    const name = `${table} ${owner.userId} ${owner.vaultId}`
    const batch = pending.get(name) ?? { table, owner, used: new Map() }
    pending.set(name, batch)
    const before = batch.used.get(id)
    batch.used.set(id, { at: Math.max(at, before?.at ?? at), count: (before?.count ?? 0) + count })
  }

  async function flush(): Promise<void> {
    const batches = [...pending.values()].flatMap(inPieces)
    pending = new Map()
    for (const [done, { table, owner, used }] of batches.entries()) {
      try {
        await db.write((tx) => writers[table](tx, owner, used))
      } catch (error) {
        // What was not written waits for the next time.
        for (const batch of batches.slice(done))
          for (const [id, use] of batch.used) add(batch.table, batch.owner, id, use)
        throw error
      }
    }
  }

  // A full disk must not keep the server from stopping either.
  const tryFlush = () => flush().catch((error: unknown) => log.warn('last-used times were not written', { error }))
  const timer = setInterval(() => void tryFlush(), flushEveryMs).unref()

  return {
    note: (table, id, owner, at) => add(table, owner, id, { at, count: 1 }),
    flush,
    async stop() {
      clearInterval(timer)
      await tryFlush()
    },
  }
}

function inPieces({ table, owner, used }: Batch): Batch[] {
  const sorted = [...used].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const count = Math.ceil(sorted.length / rowsAtOnce)
  return Array.from({ length: count }, (_, n) => ({
    table,
    owner,
    used: new Map(sorted.slice(n * rowsAtOnce, (n + 1) * rowsAtOnce)),
  }))
}
