import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'

/** From this confidence down a memory is a guess, which somebody should look at. */
export const unsureConfidence = 2

interface Page {
  limit: number
  offset: number
}

/** Live memories that an agent was hardly sure of and nobody has looked at yet, newest first; not of agents whose guesses are accepted. */
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
    // A number and no parameter, so that the index of these few fits.
    .where('confidence', '<=', ({ lit }) => lit(unsureConfidence))
    // What a person wrote the person has judged.
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
