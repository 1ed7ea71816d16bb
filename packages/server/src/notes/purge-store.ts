import { invalid } from '../core/errors.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Database, Tx } from '../db/dialect.ts'
import { listLinkIdsOf } from '../links/graph-store.ts'
import { removeLinks } from '../links/store.ts'
import { removeEntries } from '../vault-index/stored/store.ts'
import { deleteSnapshotsBefore } from '../vault-index/stored/snapshot-store.ts'
import { forgetRecords } from '../vaults/forget-store.ts'
import { nextSeq } from '../vaults/store.ts'
import { getNote } from './store.ts'

const unlinkedAtOnce = 500

/**
 * Deletes a trashed note for good, with its former texts, tags, links and index entry: 404 where there is none, 400 where it
 * is not in the trash. A hub's links go first, some hundreds in a transaction. What cites the note keeps its id.
 */
export async function purgeNote(db: Database, scope: VaultScope, id: string, at: number): Promise<void> {
  for (let isDone = false; !isDone;)
    isDone = await db.write(async (tx) => {
      const seq = await nextSeq(tx, scope.userId, scope.id)
      const { trashedAt } = await getNote(tx, scope, id)
      if (trashedAt === undefined) throw invalid({ id: 'is not in the trash; put the note there first' })
      const linkIds = await listLinkIdsOf(tx, scope, [id], unlinkedAtOnce)
      await removeLinks(tx, scope, seq, linkIds, at)
      if (linkIds.length === unlinkedAtOnce) return false
      await deleteNote(tx, scope, seq, id)
      return true
    })
}

async function deleteNote(tx: Tx, scope: VaultScope, seq: number, id: string): Promise<void> {
  await forgetRecords(tx, scope, [id])
  await removeEntries(tx, scope, seq, [id])
  // They hold the keyed words of what is deleted.
  await deleteSnapshotsBefore(tx, scope, seq)
  for (const table of ['noteTags', 'noteVersions', 'wikiTargets'] as const)
    await tx
      .deleteFrom(table)
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where('noteId', '=', id)
      .execute()
  await tx
    .deleteFrom('notes')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', id)
    .execute()
}
