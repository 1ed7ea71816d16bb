import type { VaultScope } from '../crypto/keys.ts'
import { invalid } from '../core/errors.ts'
import type { Database, Reader, Tx } from '../db/dialect.ts'
import { listLinkIdsOf } from '../links/graph-store.ts'
import { removeLinks } from '../links/store.ts'
import { removeEntries, lockVault } from '../vault-index/stored/store.ts'
import { deleteSnapshotsBefore } from '../vault-index/stored/snapshot-store.ts'
import { forgetRecords } from '../vaults/forget-store.ts'
import { nextSeq } from '../vaults/store.ts'
import { deleteTaskAndClaims } from './claim-store.ts'
import { getMemory } from './store.ts'

/** The end of memories: what has expired is archived, and what was archived long enough ago is deleted for good. */

const archivedAtOnce = 200

/** The vaults of all owners that hold memories which expired by then and are not archived yet. */
export const listVaultsWithExpired = (db: Reader, now: number): Promise<{ userId: string; vaultId: string }[]> =>
  db
    .selectFrom('memories')
    .select(['userId', 'vaultId'])
    .distinct()
    .where('expiresAt', '<=', now)
    .where('archivedAt', 'is', null)
    .execute()

/**
 * Archives at most 200 memories of the vault that expired by then, and returns how many. Their index entries stay as they
 * are: those tell when each expired, so that a search as of an earlier day still finds it. No key is needed.
 */
export function archiveExpired(db: Database, userId: string, vaultId: string, now: number): Promise<number> {
  return db.write(async (tx) => {
    // Among the writes to these memories, all of which read them under this lock first.
    await lockVault(tx, userId, vaultId)
    const { numUpdatedRows } = await tx
      .updateTable('memories')
      .set((memory) => ({ archivedAt: now, updatedAt: now, version: memory('version', '+', 1) }))
      .where('userId', '=', userId)
      .where('id', 'in', (query) =>
        query
          .selectFrom('memories as due')
          .select('due.id')
          .where('due.userId', '=', userId)
          .where('due.vaultId', '=', vaultId)
          .where('due.expiresAt', '<=', now)
          .where('due.archivedAt', 'is', null)
          .limit(archivedAtOnce),
      )
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  })
}

const purgedAtOnce = 50
const unlinkedAtOnce = 500

/**
 * Deletes at most 50 memories of the vault that were archived before then, with their index entries, their links (at most
 * 500: a hub takes several calls) and what else was stored of them. Indexes everywhere learn of it. Returns whether there
 * was anything to do; what superseded or cites a deleted memory keeps its id.
 */
export async function purgeArchived(
  db: Database,
  scope: VaultScope,
  before: number,
  at: number,
): Promise<{ purged: number; isDone: boolean }> {
  if ((await listArchivedBefore(db.read, scope, before)).length === 0) return { purged: 0, isDone: true }
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, scope.userId, scope.id)
    // Anew, since one may have been restored meanwhile.
    const ids = await listArchivedBefore(tx, scope, before)
    const linkIds = await listLinkIdsOf(tx, scope, ids, unlinkedAtOnce)
    await removeLinks(tx, scope, seq, linkIds, at)
    if (linkIds.length === unlinkedAtOnce) return { purged: 0, isDone: false }
    await deleteMemories(tx, scope, seq, ids)
    return { purged: ids.length, isDone: false }
  })
}

/**
 * The same with one memory, however lately it was archived: 404 where there is none, 400 where it is not archived. A hub's
 * links go first, some hundreds in a transaction.
 */
export async function purgeOne(db: Database, scope: VaultScope, id: string, at: number): Promise<void> {
  for (let isDone = false; !isDone;)
    isDone = await db.write(async (tx) => {
      const seq = await nextSeq(tx, scope.userId, scope.id)
      const { archivedAt } = await getMemory(tx, scope, id)
      if (archivedAt === undefined) throw invalid({ id: 'is not archived; archive the memory first' })
      const linkIds = await listLinkIdsOf(tx, scope, [id], unlinkedAtOnce)
      await removeLinks(tx, scope, seq, linkIds, at)
      if (linkIds.length === unlinkedAtOnce) return false
      await deleteMemories(tx, scope, seq, [id])
      return true
    })
}

/** With their index entries, what they were as tasks and what names them elsewhere; their links are gone before. */
export async function deleteMemories(tx: Tx, scope: VaultScope, seq: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await deleteTaskAndClaims(tx, scope, ids)
  await forgetRecords(tx, scope, ids)
  await removeEntries(tx, scope, seq, ids)
  // They hold the keyed words of what is deleted.
  await deleteSnapshotsBefore(tx, scope, seq)
  await tx
    .deleteFrom('memories')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', 'in', ids)
    .execute()
}

async function listArchivedBefore(db: Reader, { id, userId }: VaultScope, before: number): Promise<string[]> {
  const rows = await db
    .selectFrom('memories')
    .select('id')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('archivedAt', '<', before)
    .orderBy('archivedAt')
    .orderBy('id')
    .limit(purgedAtOnce)
    .execute()
  return rows.map((row) => row.id)
}
