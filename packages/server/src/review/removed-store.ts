import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'

/** What an agent removed of what a person wrote, and no person has decided about: archived, superseded or expired memories, trashed notes. */

interface Page {
  limit: number
  offset: number
}

/** Of memories and notes, the latest changes first. */
export async function listRemovedIds(db: Reader, scope: VaultScope, now: number, { limit, offset }: Page) {
  const memories = removedMemories(db, scope, now).select(['id', 'updatedAt'])
  const notes = removedNotes(db, scope).select(['id', 'updatedAt'])
  const rows = await db
    .selectFrom(memories.unionAll(notes).as('removed'))
    .select('removed.id')
    .orderBy('removed.updatedAt', 'desc')
    .orderBy('removed.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ id }) => id)
}

export async function countRemoved(db: Reader, scope: VaultScope, now: number): Promise<number> {
  const memories = removedMemories(db, scope, now).select('id')
  const notes = removedNotes(db, scope).select('id')
  const { total } = await db
    .selectFrom(memories.unionAll(notes).as('removed'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Only while searches don't find it: an end in the future shows as a change. */
const removedMemories = (db: Reader, { id, userId }: VaultScope, now: number) =>
  db
    .selectFrom('memories')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    // The partial index on these few memories applies.
    .where('removedById', 'is not', null)
    .where((memory) =>
      memory.or([
        memory('archivedAt', 'is not', null),
        memory('supersededById', 'is not', null),
        memory('expiresAt', '<=', now),
      ]),
    )

const removedNotes = (db: Reader, { id, userId }: VaultScope) =>
  db.selectFrom('notes').where('userId', '=', userId).where('vaultId', '=', id).where('removedById', 'is not', null)

/** A person has seen that it is gone. */
export const keepRemoved = (tx: Tx, scope: VaultScope, type: 'memory' | 'note', id: string): Promise<void> =>
  markRemoved(tx, scope, { type, id, removedById: null })

/** `removedById`: the integration whose removal needs a review; null if none does. */
export async function markRemoved(
  tx: Tx,
  scope: VaultScope,
  { type, id, removedById }: { type: 'memory' | 'note'; id: string; removedById: string | null },
): Promise<void> {
  await tx
    .updateTable(type === 'memory' ? 'memories' : 'notes')
    .set({ removedById })
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', id)
    .execute()
}
