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
