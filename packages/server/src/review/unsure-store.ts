import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'

/** Memories with this confidence or lower need a review. */
const unsureConfidence = 2

interface Page {
  limit: number
  offset: number
}

/** Undecided live memories that agents wrote with low confidence, newest first, except those of trusted agents. */
export async function listUnsureIds(db: Reader, scope: VaultScope, now: number, { limit, offset }: Page) {
  const rows = await unsureIn(db, scope, now)
    .select('id')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ id }) => id)
}

export async function countUnsure(db: Reader, scope: VaultScope, now: number): Promise<number> {
  const { total } = await unsureIn(db, scope, now)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

const unsureIn = (db: Reader, { id, userId }: VaultScope, now: number) =>
  db
    .selectFrom('memories')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    // A literal instead of a parameter, so the partial index on these few memories applies.
    .where('confidence', '<=', ({ lit }) => lit(unsureConfidence))
    // A person's own memories need no review.
    .where('integrationId', 'is not', null)
    .where('type', '<>', 'task')
    .where('archivedAt', 'is', null)
    .where('supersededById', 'is', null)
    .where((memory) => memory.or([memory('expiresAt', 'is', null), memory('expiresAt', '>', now)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reviewDecisions as decision')
            .select('decision.at')
            .whereRef('decision.userId', '=', 'memories.userId')
            .whereRef('decision.vaultId', '=', 'memories.vaultId')
            .where('decision.secondId', '=', '')
            .where((decision) =>
              decision.or([
                decision.and([
                  decision('decision.kind', '=', 'unsure'),
                  decision('decision.firstId', '=', decision.ref('memories.id')),
                ]),
                decision.and([
                  decision('decision.kind', '=', 'agent'),
                  decision('decision.firstId', '=', decision.ref('memories.integrationId')),
                ]),
              ]),
            ),
        ),
      ),
    )
