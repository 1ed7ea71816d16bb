import type { Tx } from '../db/dialect.ts'

/**
 * Makes the transaction wait its turn among the writes to this vault without being one of its changes. False where there
 * is no such vault.
 */
export async function lockVault(tx: Tx, userId: string, vaultId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('vaults')
    .set((vault) => ({ seq: vault.ref('seq') }))
    .where('userId', '=', userId)
    .where('id', '=', vaultId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
