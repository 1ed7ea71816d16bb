import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'

/** A memory or note of a person that an agent removed. */
export interface Removal {
  type: 'memory' | 'note'
  id: string
  removedAt: number
  /** Then something else hides it as well. */
  isSuperseded: boolean
}

/** What this integration archived or moved to the trash since a time, of what people wrote or changed last, and no person has decided about. */
export async function listRemovals(
  db: Reader,
  { id: vaultId, userId }: Pick<VaultScope, 'id' | 'userId'>,
  { integrationId, since }: { integrationId: string; since: number },
): Promise<Removal[]> {
  const memories = await db
    .selectFrom('memories')
    .select(['id', 'archivedAt as removedAt', 'supersededById'])
    .where('userId', '=', userId)
    .where('vaultId', '=', vaultId)
    .where('removedById', '=', integrationId)
    .where('archivedAt', '>=', since)
    .$narrowType<{ removedAt: number }>()
    .execute()
  const notes = await db
    .selectFrom('notes')
    .select(['id', 'trashedAt as removedAt'])
    .where('userId', '=', userId)
    .where('vaultId', '=', vaultId)
    .where('removedById', '=', integrationId)
    .where('trashedAt', '>=', since)
    .$narrowType<{ removedAt: number }>()
    .execute()
  return [
    ...memories.map(({ supersededById, ...memory }) => ({
      type: 'memory' as const,
      ...memory,
      isSuperseded: supersededById !== null,
    })),
    ...notes.map((note) => ({ type: 'note' as const, ...note, isSuperseded: false })),
  ]
}
