import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { pagesSince } from './page-store.ts'

/** Records that are deleted for good: their entries go, and what stays tells every index to forget them. */

type Owner = Pick<VaultScope, 'id' | 'userId'>

/** In the transaction that deletes the records, under its change number; at most some hundreds. */
export async function removeEntries(tx: Tx, { id, userId }: Owner, seq: number, itemIds: readonly string[]) {
  if (itemIds.length === 0) return
  await tx
    .deleteFrom('indexEntries')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('itemId', 'in', itemIds)
    .execute()
  await tx
    .insertInto('indexRemovals')
    .values(itemIds.map((itemId) => ({ userId, vaultId: id, seq, itemId })))
    .execute()
}

/** Whether anything was deleted after `seq`. */
export async function hasRemovalsSince(db: Reader, { id, userId }: Owner, seq: number): Promise<boolean> {
  const removal = await db
    .selectFrom('indexRemovals')
    .select('itemId')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('seq', '>', seq)
    .limit(1)
    .executeTakeFirst()
  return removal !== undefined
}

/** What was deleted after `seq`, oldest first, a page at a time. */
export const removalsSince = (
  db: Reader,
  { id, userId }: Owner,
  seq: number,
): AsyncGenerator<{ seq: number; itemId: string }[]> => {
  const query = db
    .selectFrom('indexRemovals')
    .select(['seq', 'itemId'])
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
  return pagesSince(query, 'itemId', seq)
}

/** Records that were deleted here, or moved away, and are back under their ids: nobody is to forget them any more. */
export async function forgetRemovals(tx: Tx, { id, userId }: Owner, itemIds: readonly string[]): Promise<void> {
  if (itemIds.length === 0) return
  await tx
    .deleteFrom('indexRemovals')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('itemId', 'in', itemIds)
    .execute()
}
