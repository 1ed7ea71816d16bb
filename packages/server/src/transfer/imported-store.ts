import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'

/** What an import has made. */

export interface ImportedRecord {
  kind: string
  recordId: string
  version: number
}

export async function insertImported(
  tx: Tx,
  scope: VaultScope,
  importId: string,
  records: readonly ImportedRecord[],
): Promise<void> {
  if (records.length === 0) return
  const rows = records.map((record) => ({ userId: scope.userId, vaultId: scope.id, importId, ...record }))
  await tx
    .insertInto('importedRecords')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Links before what they join. */
export function listImported(
  db: Reader,
  scope: VaultScope,
  importId: string,
  limit: number,
): Promise<ImportedRecord[]> {
  return importedIn(db, scope, importId)
    .select(['kind', 'recordId', 'version'])
    .orderBy('kind')
    .orderBy('recordId')
    .limit(limit)
    .execute()
}

export async function countImported(db: Reader, scope: VaultScope, importId: string): Promise<number> {
  const row = await importedIn(db, scope, importId)
    .select((record) => record.fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return row?.count ?? 0
}

export async function isImported(
  db: Reader,
  scope: VaultScope,
  importId: string,
  { kind, recordId }: Pick<ImportedRecord, 'kind' | 'recordId'>,
): Promise<boolean> {
  const row = await importedIn(db, scope, importId)
    .select('recordId')
    .where('kind', '=', kind)
    .where('recordId', '=', recordId)
    .executeTakeFirst()
  return row !== undefined
}

export async function forgetImported(
  tx: Tx,
  scope: VaultScope,
  importId: string,
  records: readonly ImportedRecord[],
): Promise<void> {
  for (const { kind, recordId } of records)
    await tx
      .deleteFrom('importedRecords')
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where('importId', '=', importId)
      .where('kind', '=', kind)
      .where('recordId', '=', recordId)
      .execute()
}

const importedIn = (db: Reader, scope: VaultScope, importId: string) =>
  db
    .selectFrom('importedRecords')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('importId', '=', importId)
