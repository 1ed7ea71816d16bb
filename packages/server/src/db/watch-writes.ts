import type { Database } from './dialect.ts'

/**
 * Wraps the store and calls `onFatal` when acknowledged writes may not be on disk. A failed sync of a background job counts, too:
 * it affects writes that requests have acknowledged.
 */
export function watchWrites(db: Database, onFatal: (reason: string) => void): Database {
  const watch = async <T>(result: Promise<T>): Promise<T> => {
    try {
      return await result
    } catch (error) {
      const failure = db.explainFailure(error)
      if (failure?.kind === 'fatal') onFatal(failure.reason)
      throw error
    }
  }
  return {
    ...db,
    write: (work) => watch(db.write(work)),
    overwriteDeleted: () => watch(db.overwriteDeleted?.() ?? Promise.resolve()),
  }
}

/** Whether the store answers. Used for readiness, which means more than a running process. */
export async function canRead(db: Database): Promise<boolean> {
  try {
    await db.read.selectFrom('instance').select('id').executeTakeFirstOrThrow()
    return true
  } catch {
    return false
  }
}
