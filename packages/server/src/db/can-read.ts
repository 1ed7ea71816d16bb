import type { Database } from './dialect.ts'

/** Whether the store answers: for readiness, which must not only say that the process lives. */
export async function canRead(db: Database): Promise<boolean> {
  try {
    await db.read.selectFrom('instance').select('id').executeTakeFirstOrThrow()
    return true
  } catch {
    return false
  }
}
