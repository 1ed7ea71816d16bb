import type { Log } from '../core/log.ts'
import type { Database, Tx } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'
import {
  addCalls,
  completeEntry,
  countedTogetherMs,
  insertEntry,
  type Completion,
  type NewEntry,
} from './activity-store.ts'
import { WriteBehind } from './write-behind.ts'

/**
 * The rows of the activity log outside of a call's own transaction: agents' reads and refused calls, counted per minute, and facts known
 * only after a call. They are written within a second.
 */
export interface Activity {
  add(row: NewEntry): void
  /** Adds facts to an existing row. */
  complete(completion: Completion): void
  /** Equal calls within a minute share one row. */
  count(row: NewEntry): void
  flush(): Promise<void>
  stop(): Promise<void>
}

interface Deps {
  db: Database
  instance: Instance
  log: Log
  now(): number
  beforeWrites?(): void
}

const flushEveryMs = 1_000
/** The most rows that wait while the store is unavailable. */
const maxWaiting = 10_000

/** A row that counts calls. */
interface Minute {
  row: NewEntry
  isInserted: boolean
}

/** A pending change of one row: insert it, or add calls or facts. */
interface Waiting {
  minute?: Minute
  calls: number
  run(tx: Tx, calls: number): Promise<unknown>
}

export function createActivity({ db, instance, log, now, beforeWrites = () => {} }: Deps): Activity {
  const minutes = new Map<string, Minute>()
  const rows = new WriteBehind<Waiting, readonly Waiting[]>({
    db,
    async write(some) {
      await db.write(async (tx) => {
        for (const { run, calls } of some) await run(tx, calls)
      })
      return some
    },
    onWritten(some) {
      for (const { minute } of some) if (minute !== undefined) minute.isInserted = true
    },
    join: (sum, more) => void (sum.calls += more.calls),
    beforeWrites() {
      beforeWrites()
      for (const [name, { row }] of minutes) if (now() - row.at >= countedTogetherMs) minutes.delete(name)
    },
    everyMs: flushEveryMs,
    maxPending: maxWaiting,
    warning: 'activity was not written yet',
    log,
  })

  function minuteOf(row: NewEntry): Minute {
    const name = nameOf(row)
    const known = minutes.get(name)
    if (known !== undefined && row.at - known.row.at < countedTogetherMs) return known
    const minute = { row, isInserted: false }
    minutes.set(name, minute)
    return minute
  }

  const writeMinute = ({ row, isInserted }: Minute, tx: Tx, calls: number) =>
    isInserted
      ? addCalls(tx, { userId: row.userId, id: row.id, calls, at: now() })
      : insertEntry(tx, instance, { ...row, calls })

  return {
    add: (row) => void rows.pending(`add ${row.id}`, () => ({ calls: 1, run: (tx) => insertEntry(tx, instance, row) })),
    complete: (completion) =>
      void rows.pending(`complete ${completion.id}`, () => ({ calls: 0, run: (tx) => completeEntry(tx, completion) })),
    count(row) {
      const minute = minuteOf(row)
      const waiting = rows.pending(`count ${minute.row.id}`, () => ({
        minute,
        calls: 0,
        run: (tx, calls) => writeMinute(minute, tx, calls),
      }))
      waiting.calls++
    },
    flush: () => rows.flush(),
    stop: () => rows.stop(),
  }
}

const nameOf = ({
  userId,
  actor,
  integrationId,
  memberId,
  credentialId,
  operation,
  vaultId,
  status,
  address,
}: NewEntry) => [userId, actor, integrationId, memberId, credentialId, operation, vaultId, status, address].join(' ')
