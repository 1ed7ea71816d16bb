import type { Reader } from '../db/dialect.ts'

/** The vault of a memory, task or note that isn't in the trash. Undefined if none of the user's vaults has it. */
export async function findVaultOfRecord(db: Reader, userId: string, recordId: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('indexEntries')
    .select('vaultId')
    .where('userId', '=', userId)
    .where('itemId', '=', recordId)
    .executeTakeFirst()
  return found?.vaultId
}

/**
 * When a memory or note of each vault was last written; empty vaults are missing. Like the counts, it reads an index as large as the
 * vaults, so do not call it in a transaction.
 */
export async function findLastWrites(
  db: Reader,
  userId: string,
  vaultIds: readonly string[],
): Promise<Map<string, number>> {
  if (vaultIds.length === 0) return new Map()
  const memories = await db
    .selectFrom('memories')
    .select((write) => ['vaultId', write.fn.max('updatedAt').as('at')])
    .where('userId', '=', userId)
    .where('vaultId', 'in', vaultIds)
    .groupBy('vaultId')
    .execute()
  const notes = await db
    .selectFrom('notes')
    .select((write) => ['vaultId', write.fn.max('updatedAt').as('at')])
    .where('userId', '=', userId)
    .where('vaultId', 'in', vaultIds)
    .groupBy('vaultId')
    .execute()
  const writes = new Map<string, number>()
  for (const { vaultId, at } of [...memories, ...notes]) writes.set(vaultId, Math.max(at, writes.get(vaultId) ?? 0))
  return writes
}
