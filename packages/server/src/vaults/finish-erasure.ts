import type { Services } from '../operation/context.ts'
import { eraseRows } from './erase-store.ts'

/**
 * Erases the rest of a vault whose keys were destroyed. First everything that still holds a copy of the keys: backups that the server made
 * on its own, and deleted pages. The vault's row is deleted last, so a failure or a crash leaves it to the job `finish-erasures`.
 */
export async function finishErasure(
  { db, backups }: Pick<Services, 'db' | 'backups'>,
  { userId, id }: { userId: string; id: string },
  signal?: AbortSignal,
): Promise<void> {
  await backups.deleteBeforeUpdate('all')
  await db.overwriteDeleted?.()
  await eraseRows(db, userId, id, signal)
}
