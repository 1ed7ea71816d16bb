import type { Log } from '../core/log.ts'
import type { Database, Tx } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'
import { addCalls, completeEntry, countedTogetherMs, insertEntry, type Completion, type NewEntry } from './store.ts'

/** What is written down within a second after it happened, many rows in a transaction. A crash may lose that second of it. */
export interface ActivityBuffer {
  add(row: NewEntry): void
  /** Adds what became known to a row that is there. */
  complete(completion: Completion): void
  /** Calls that are alike within a minute make one row. */
  count(row: NewEntry): void
  /** Writes what waits. */
  flush(): Promise<void>
}

interface Deps {
  db: Database
  instance: Instance
  log: Log
  now(): number
}

const flushAfterMs = 1_000
/** Rows in one transaction: other writes get in between. */
const rowsAtOnce = 200
/** While the store is away no more are kept. */
const maxWaiting = 10_000

interface Counted {
  row: NewEntry
  isInserted: boolean
  /** Not written yet. */
  calls: number
}

interface Work {
  run(tx: Tx): Promise<void>
  done?(): void
  failed(): void
}

export function createActivityBuffer({ db, instance, log, now }: Deps): ActivityBuffer {
  const counted = new Map<string, Counted>()
  /** Of minutes that are over. */
  let ended: Counted[] = []
  let waiting: Work[] = []
  let timer: NodeJS.Timeout | undefined
  let flushing = Promise.resolve()

  const schedule = () => void (timer ??= setTimeout(() => void flush(), flushAfterMs).unref())

  function wait(run: Work['run']): void {
    const work: Work = { run, failed: () => wait(run) }
    if (waiting.length < maxWaiting) waiting.push(work)
    schedule()
  }

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const counts = [...ended, ...counted.values()].filter(hasCalls)
    const due = [...waiting, ...counts.map((one) => writeCount({ instance, now }, one, schedule))]
    waiting = []
    for (let from = 0; from < due.length; from += rowsAtOnce) await writeSome(due.slice(from, from + rowsAtOnce))
    ended = ended.filter(hasCalls)
    for (const [name, one] of counted)
      if (!hasCalls(one) && now() - one.row.at >= countedTogetherMs) counted.delete(name)
  }

  async function writeSome(some: readonly Work[]): Promise<void> {
    try {
      await db.write(async (tx) => {
        for (const { run } of some) await run(tx)
      })
    } catch (error) {
      log.warn('what was done is not written down yet', { error })
      for (const { failed } of some) failed()
      return
    }
    for (const { done } of some) done?.()
  }

  // One after the other, so that who waits for a flush also waits for the one before.
  const flush = () => (flushing = flushing.then(write))

  return {
    add: (row) => wait((tx) => insertEntry(tx, instance, row)),
    complete: (completion) => wait((tx) => completeEntry(tx, completion)),
    count(row) {
      const name = nameOf(row)
      const before = counted.get(name)
      if (before !== undefined && row.at - before.row.at < countedTogetherMs) before.calls++
      else if (counted.size + ended.length < maxWaiting) {
        if (before !== undefined && hasCalls(before)) ended.push(before)
        counted.set(name, { row, isInserted: false, calls: 1 })
      }
      schedule()
    },
    flush,
  }
}

const hasCalls = ({ calls }: Counted) => calls > 0

const writeCount = ({ instance, now }: Pick<Deps, 'instance' | 'now'>, one: Counted, failed: () => void): Work => {
  const { row, calls, isInserted } = one
  return {
    run: (tx) =>
      isInserted
        ? addCalls(tx, { userId: row.userId, id: row.id, calls, at: now() })
        : insertEntry(tx, instance, { ...row, calls }),
    done() {
      one.isInserted = true
      one.calls -= calls
    },
    failed,
  }
}

const nameOf = ({ userId, actor, integrationId, credentialId, operation, vaultId, status, address }: NewEntry) =>
  [userId, actor, integrationId, credentialId, operation, vaultId, status, address].join(' ')
