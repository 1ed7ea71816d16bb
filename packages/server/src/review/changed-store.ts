import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'

interface Page {
  limit: number
  offset: number
}

/** Undecided live memories and tasks of which a person wrote a text and an agent changed it last, the latest changes first. */
export async function listChangedIds(db: Reader, scope: VaultScope, now: number, { limit, offset }: Page) {
  const rows = await changedIn(db, scope, now)
    .select('id')
    .orderBy('updatedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ id }) => id)
}

export async function countChanged(db: Reader, scope: VaultScope, now: number): Promise<number> {
  const { total } = await changedIn(db, scope, now)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Whether a person still has to look at an agent's change of this memory. */
export async function isChanged(db: Reader, scope: VaultScope, now: number, id: string): Promise<boolean> {
  return (await changedIn(db, scope, now).select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

const changedIn = (db: Reader, { id, userId }: VaultScope, now: number) =>
  db
    .selectFrom('memories')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    // The partial index on these few memories applies.
    .where('changedById', 'is not', null)
    .where('integrationId', 'is', null)
    .where('archivedAt', 'is', null)
    .where('supersededById', 'is', null)
    .where((memory) => memory.or([memory('expiresAt', 'is', null), memory('expiresAt', '>', now)]))
    // What a person made of a file's text counts, but not what only the file says.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('memoryVersions as text')
          .select('text.version')
          .whereRef('text.userId', '=', 'memories.userId')
          .whereRef('text.vaultId', '=', 'memories.vaultId')
          .whereRef('text.memoryId', '=', 'memories.id')
          .where('text.integrationId', 'is', null)
          .where('text.provenance', '<>', 'file'),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          // The next change by an agent deletes the decision.
          selectFrom('reviewDecisions as decision')
            .select('decision.at')
            .whereRef('decision.userId', '=', 'memories.userId')
            .whereRef('decision.vaultId', '=', 'memories.vaultId')
            .where('decision.kind', '=', 'changed')
            .whereRef('decision.firstId', '=', 'memories.id')
            .where('decision.secondId', '=', ''),
        ),
      ),
    )
