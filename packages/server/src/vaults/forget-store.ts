import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'

/**
 * What else names records that are deleted for good, or leave the vault: that an import made them, or that it was taken back,
 * and what somebody decided about them. In the transaction that deletes them; at most some hundreds.
 */
export async function forgetRecords(
  tx: Tx,
  { id, userId }: Pick<VaultScope, 'id' | 'userId'>,
  recordIds: readonly string[],
): Promise<void> {
  if (recordIds.length === 0) return
  for (const table of ['importedRecords', 'revertedRecords'] as const)
    await tx
      .deleteFrom(table)
      .where('userId', '=', userId)
      .where('vaultId', '=', id)
      .where('recordId', 'in', recordIds)
      .execute()
  await tx
    .deleteFrom('reviewDecisions')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where((decision) => decision.or([decision('firstId', 'in', recordIds), decision('secondId', 'in', recordIds)]))
    .execute()
}
