import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Tx } from './dialect.ts'
import type { Tables } from './schema.ts'

interface Job {
  run(tx: Tx): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

interface GroupCommit {
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Writes that wait for a commit to begin. */
  readonly waiting: number
  readonly isWriting: boolean
}

const maxJobsPerCommit = 64

/**
 * One writer for SQLite: the writes that gather during one turn of the event loop share one transaction and one sync. 16
 * clients write 1.8 times as much per second as one (docs/benchmarks.md). Each shared write has its own savepoint, so a
 * failed one doesn't affect the others, and nothing is acknowledged before the commit.
 */
export function createGroupCommit(db: Kysely<Tables>): GroupCommit {
  const waiting: Job[] = []
  let isDraining = false

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      await commitTogether(db, waiting.splice(0, maxJobsPerCommit))
      // The driver's promises settle without leaving this turn: one writer in a loop would stop all sockets and timers.
      await nextTurn()
    }
    isDraining = false
  }

  return {
    write: <T>(work: (tx: Tx) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ run: work, resolve, reject })
        if (isDraining) return
        isDraining = true
        // Read all ready sockets first: their writes join this commit.
        setImmediate(() => void drain())
      }),
    get waiting() {
      return waiting.length
    },
    get isWriting() {
      return isDraining
    },
  }
}

async function commitTogether(db: Kysely<Tables>, jobs: Job[]): Promise<void> {
  let settle: (() => void)[]
  try {
    const tx = await db.startTransaction().execute()
    try {
      settle = []
      const [only] = jobs
      // A single write needs no savepoint: if it fails, the whole transaction fails.
      if (jobs.length === 1 && only !== undefined) settle.push(await run(tx, only))
      else for (const job of jobs) settle.push(await runBehindSavepoint(tx, job))
      await tx.commit().execute()
    } catch (error) {
      if (!tx.isCommitted && !tx.isRolledBack)
        await tx
          .rollback()
          .execute()
          .catch(() => {})
      throw error
    }
  } catch (error) {
    for (const job of jobs) job.reject(error)
    return
  }
  for (const answer of settle) answer()
}

type OpenTransaction = Awaited<ReturnType<ReturnType<Kysely<Tables>['startTransaction']>['execute']>>
type Guarded = Awaited<ReturnType<ReturnType<typeof savepoint>['execute']>>

async function run(tx: OpenTransaction, job: Job): Promise<() => void> {
  const value = await job.run(tx)
  return () => job.resolve(value)
}

const savepoint = (tx: OpenTransaction) => tx.savepoint('job')

async function runBehindSavepoint(tx: OpenTransaction, job: Job): Promise<() => void> {
  const guarded = await savepoint(tx).execute()
  try {
    const value = await job.run(guarded)
    await guarded.releaseSavepoint('job').execute()
    return () => job.resolve(value)
  } catch (error) {
    await rollBackTo(guarded, error)
    return () => job.reject(error)
  }
}

// After some failures (a full disk) SQLite has already rolled everything back, savepoints included. Then the whole commit
// fails with that reason, not with a missing savepoint.
async function rollBackTo(guarded: Guarded, reason: unknown): Promise<void> {
  try {
    await guarded.rollbackToSavepoint('job').execute()
    await guarded.releaseSavepoint('job').execute()
  } catch {
    throw reason
  }
}
