import type { Services } from '../operation/context.ts'
import { eraseRows } from './erase-store.ts'

/**
 * Erases the rest of a vault whose keys were destroyed. The vault's row is deleted last, so a failure or a crash leaves it to the job
 * `finish-erasures`.
 */
export async function finishErasure(
  { db, backups }: Pick<Services, 'db' | 'backups'>,
  { userId, id }: { userId: string; id: string },
  signal?: AbortSignal,
): Promise<void> {
  await destroyKeyCopies({ db, backups })
  await eraseRows(db, userId, id, signal)
}

/** Deletes everything that still holds a copy of destroyed keys: backups that the server made on its own, and deleted pages. */
export async function destroyKeyCopies({ db, backups }: Pick<Services, 'db' | 'backups'>): Promise<void> {
  await backups.deleteBeforeUpdate('all')
  await db.overwriteDeleted?.()
}
