import type { Log } from '../core/log.ts'
import type { Database, Tx } from '../db/dialect.ts'

/**
 * Times of last use, gathered in memory and written in one transaction every few seconds and at the stop, so that no
 * request waits for them. What a crash loses is at most these seconds of a display value.
 */
export interface LastUsed {
  /** Remembers that the row was used; `table` names what `writers` writes. */
  note(table: UsedTable, id: string, userId: string, at: number): void
  flush(): Promise<void>
  stop(): Promise<void>
}

export type UsedTable = 'agentKeys' | 'dashboardCredentials' | 'memories'
export type UseWriter = (tx: Tx, used: ReadonlyMap<string, Use>) => Promise<void>

export interface Use {
  userId: string
  at: number
  count: number
}

const flushEveryMs = 15_000

export function createLastUsed(db: Database, writers: Record<UsedTable, UseWriter>, log: Log): LastUsed {
  let pending = emptyPending()

  async function flush(): Promise<void> {
    const used = pending
    pending = emptyPending()
    if (Object.values(used).every((uses) => uses.size === 0)) return
    await db.write(async (tx) => {
      for (const table of tables) await writers[table](tx, used[table])
    })
  }

  // A full disk must not keep the server from stopping either.
  const tryFlush = () => flush().catch((error: unknown) => log.warn('last-used times were not written', { error }))
  const timer = setInterval(() => void tryFlush(), flushEveryMs).unref()

  return {
    note(table, id, userId, at) {
      const before = pending[table].get(id)
      pending[table].set(id, { userId, at: Math.max(at, before?.at ?? at), count: (before?.count ?? 0) + 1 })
    },
    flush,
    async stop() {
      clearInterval(timer)
      await tryFlush()
    },
  }
}

const tables = ['agentKeys', 'dashboardCredentials', 'memories'] as const satisfies UsedTable[]
const emptyPending = (): Record<UsedTable, Map<string, Use>> => ({
  agentKeys: new Map(),
  dashboardCredentials: new Map(),
  memories: new Map(),
})
