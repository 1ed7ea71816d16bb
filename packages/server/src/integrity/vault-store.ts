import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import type { VaultsTable } from '../db/tables/vaults.ts'
import type { Found } from './problem.ts'

/**
 * The change number of a vault. Indexes take in what has a higher number than they have, so no row may have a higher one than its vault:
 * later changes would be left out.
 */
export async function compareVaults(db: Reader, scope: VaultScope, rows: readonly VaultsTable[]): Promise<Found[]> {
  const found: Found[] = []
  for (const { id, seq } of rows) {
    let highest = seq
    for (const table of ['indexEntries', 'links', 'indexRemovals'] as const) {
      const last = await db
        .selectFrom(table)
        .select('seq')
        .where('userId', '=', scope.userId)
        .where('vaultId', '=', scope.id)
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst()
      highest = Math.max(highest, last?.seq ?? 0)
    }
    if (highest === seq) continue
    found.push({
      table: 'vaults',
      recordId: id,
      column: 'seq',
      problem: 'different',
      async repair(tx) {
        await tx
          .updateTable('vaults')
          .set({ seq: highest + 1 })
          .where('userId', '=', scope.userId)
          .where('id', '=', id)
          .execute()
      },
    })
  }
  return found
}
