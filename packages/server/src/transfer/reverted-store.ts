import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'

/** What was taken back of imports: archived memories and trashed notes, which a further import of the same brings back. */

export async function insertReverted(
  tx: Tx,
  scope: VaultScope,
  { recordId, version }: { recordId: string; version: number },
): Promise<void> {
  await tx
    .insertInto('revertedRecords')
    .values({ userId: scope.userId, vaultId: scope.id, recordId, version })
    .onConflict((conflict) => conflict.columns(['userId', 'vaultId', 'recordId']).doUpdateSet({ version }))
    .execute()
}

/** Of at most a batch of ids those that nobody has changed since they were taken back. */
export async function listReverted(db: Reader, scope: VaultScope, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('revertedRecords as reverted')
    .leftJoin('memories as memory', (join) =>
      join.onRef('memory.userId', '=', 'reverted.userId').onRef('memory.id', '=', 'reverted.recordId'),
    )
    .leftJoin('notes as note', (join) =>
      join.onRef('note.userId', '=', 'reverted.userId').onRef('note.id', '=', 'reverted.recordId'),
    )
    .select('reverted.recordId')
    .where('reverted.userId', '=', scope.userId)
    .where('reverted.vaultId', '=', scope.id)
    .where('reverted.recordId', 'in', ids)
    .where((where) =>
      where.or([
        where('memory.version', '=', where.ref('reverted.version')),
        where('note.version', '=', where.ref('reverted.version')),
      ]),
    )
    .execute()
  return new Set(rows.map(({ recordId }) => recordId))
}

export async function forgetReverted(tx: Tx, scope: VaultScope, recordId: string): Promise<void> {
  await tx
    .deleteFrom('revertedRecords')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('recordId', '=', recordId)
    .execute()
}
