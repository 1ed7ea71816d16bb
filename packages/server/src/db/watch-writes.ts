import type { Database } from './dialect.ts'

/**
 * The same store, which says when acknowledged writes may not be on disk. Whoever writes: a sync that failed for a background job casts
 * the same doubt on what was acknowledged.
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

/** Whether the store answers: for readiness, which must not only say that the process lives. */
export async function canRead(db: Database): Promise<boolean> {
  try {
    await db.read.selectFrom('instance').select('id').executeTakeFirstOrThrow()
    return true
  } catch {
    return false
  }
}
