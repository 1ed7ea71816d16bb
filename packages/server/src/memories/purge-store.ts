import { isDamage } from '../auth/scope-key-store.ts'
import type { VaultScope } from '../crypto/keys.ts'
import { invalid } from '../core/errors.ts'
import type { Database, Reader, Tx } from '../db/dialect.ts'
import { listLinkIdsOf } from '../links/graph-store.ts'
import { removeLinks } from '../links/store.ts'
import { removeEntries, lockVaultRow } from '../vault-index/stored/store.ts'
import { deleteSnapshotsBefore } from '../vault-index/stored/snapshot-store.ts'
import { forgetRecords } from '../vaults/erase-store.ts'
import { nextSeq } from '../vaults/store.ts'
import { deleteTaskAndClaims } from './claim-store.ts'
import { deleteReads } from './read-store.ts'
import { findErasable, getMemory, queueForAll } from './store.ts'
import { deleteVersions } from './version-store.ts'

/** Archives expired memories, and permanently deletes the ones that were archived long enough ago. */

const archivedAtOnce = 200

/** The vaults of all owners with expired memories that are not archived yet. */
export const listVaultsWithExpired = (db: Reader, now: number): Promise<{ userId: string; vaultId: string }[]> =>
  db
    .selectFrom('memories')
    .select(['userId', 'vaultId'])
    .distinct()
    .where('expiresAt', '<=', now)
    .where('archivedAt', 'is', null)
    .execute()

/**
 * Archives up to 200 expired memories of the vault and returns how many. Their index entries stay unchanged: they hold the
 * expiry, so a search as of an earlier day still finds the memory. Needs no key.
 */
export function archiveExpired(db: Database, userId: string, vaultId: string, now: number): Promise<number> {
  return db.write(async (tx) => {
    // All writes to these memories read them under this lock first.
    await lockVaultRow(tx, userId, vaultId)
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
 * Deletes up to 50 memories of the vault that were archived before a time, with their index entries, their links (up to 500
 * per call, so a hub takes several) and everything else stored about them. The indexes of all servers learn of it. Memories
 * that superseded or cite a deleted one keep its id.
 */
export async function purgeArchived(
  db: Database,
  scope: VaultScope,
  before: number,
  at: number,
): Promise<{ purged: number; isDone: boolean }> {
  if ((await listArchivedBefore(db.read, scope, before)).length === 0) return { purged: 0, isDone: true }
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, scope)
    // Read again, since one may have been restored in the meantime.
    const ids = await listArchivedBefore(tx, scope, before)
    const linkIds = await listLinkIdsOf(tx, scope, ids, unlinkedAtOnce)
    await removeLinks(tx, scope, { seq, at }, linkIds)
    if (linkIds.length === unlinkedAtOnce) return { purged: 0, isDone: false }
    await queueForAll(tx, scope, ids, { change: 'deleted', at })
    await deleteMemories(tx, scope, seq, ids)
    return { purged: ids.length, isDone: false }
  })
}

/**
 * Deletes one memory that is archived, or damaged: 404 if it doesn't exist, 400 if it is neither. Its links go first, a few hundred per
 * transaction. `alongside` runs in the transaction that deletes the memory itself.
 */
export async function purgeOne(
  db: Database,
  scope: VaultScope,
  id: string,
  { at, alongside }: { at: number; alongside: (tx: Tx) => Promise<void> },
): Promise<void> {
  for (let isDone = false; !isDone;)
    isDone = await db.write(async (tx) => {
      const seq = await nextSeq(tx, scope)
      await refuseLive(tx, scope, id)
      const linkIds = await listLinkIdsOf(tx, scope, [id], unlinkedAtOnce)
      await removeLinks(tx, scope, { seq, at }, linkIds)
      if (linkIds.length === unlinkedAtOnce) return false
      await queueForAll(tx, scope, [id], { change: 'deleted', at })
      await deleteMemories(tx, scope, seq, [id])
      await alongside(tx)
      return true
    })
}

/** A damaged memory can't be archived, so it need not be. */
async function refuseLive(tx: Tx, scope: VaultScope, id: string): Promise<void> {
  const found = await findErasable(tx, scope, id)
  if (typeof found?.archivedAt === 'number') return
  try {
    await getMemory(tx, scope, id)
  } catch (error) {
    if (await isDamage(tx, error)) return
    throw error
  }
  throw invalid({ id: 'is not archived; archive the memory first' })
}

/** Deletes memories with their index entries, former texts, task states and references. Their links have to be deleted before. */
export async function deleteMemories(tx: Tx, scope: VaultScope, seq: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await deleteTaskAndClaims(tx, scope, ids)
  await deleteVersions(tx, scope, ids)
  await deleteReads(tx, scope, ids)
  await forgetRecords(tx, scope, ids)
  await removeEntries(tx, scope, seq, ids)
  // Snapshots contain the keyed words of the deleted memories.
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
