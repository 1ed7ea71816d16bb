import type { Database } from './dialect.ts'

interface Watcher {
  /** Acknowledged writes may not be on disk. A failed sync of a background job counts, too: it affects writes that requests acknowledged. */
  onFatal(reason: string): void
  /** The database or its disk failed. */
  countStoreFailure(): void
  /** How long a write took until it was durable. */
  observeWrite(ms: number): void
}

/** Wraps the store and reports how its writes end. */
export function watchWrites(db: Database, { onFatal, countStoreFailure, observeWrite }: Watcher): Database {
  const watch = async <T>(result: Promise<T>): Promise<T> => {
    try {
      return await result
    } catch (error) {
      const failure = db.explainFailure(error)
      if (failure !== undefined) countStoreFailure()
      if (failure?.kind === 'fatal') onFatal(failure.reason)
      throw error
    }
  }
  return {
    ...db,
    // A spread would read it once.
    get load() {
      return db.load
    },
    async write(work, lane) {
      const beganAt = performance.now()
      const result = await watch(db.write(work, lane))
      observeWrite(performance.now() - beganAt)
      return result
    },
    overwriteDeleted: () => watch(db.overwriteDeleted?.() ?? Promise.resolve()),
  }
}

/** Why the store can't be used now, as a sentence. Used for readiness, which means more than a running process. */
export async function findOutage(db: Database): Promise<string | undefined> {
  try {
    await db.read.selectFrom('instance').select('id').executeTakeFirstOrThrow()
    return await db.findObstacle?.()
  } catch {
    return `${db.dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL'} does not respond.`
  }
}
