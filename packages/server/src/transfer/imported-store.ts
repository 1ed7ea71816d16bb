import { type CellAddress, openText, type Sealed, sealText } from '../crypto/cell.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'

/** What imports created, and what their reverts removed. */

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

/** Links come before the records they join. */
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

/** The kind and name of an import's source. */
export type ImportOrigin = {
  source: string
  name: string
}

export interface Import {
  importId: string
  /** Undefined if unknown. */
  origin: ImportOrigin | undefined
  startedAt: number
  lastAt: number
  /** When its revert began. */
  revertedAt: number | undefined
  /** The number of records that a revert would remove, by kind. */
  counts: Record<string, number>
}

/** Records that an import began or continued. */
export async function recordImport(
  tx: Tx,
  scope: VaultScope,
  { importId, origin, at }: { importId: string; origin: ImportOrigin | undefined; at: number },
): Promise<void> {
  const sealed =
    origin === undefined
      ? null
      : sealText(scope.keys, 'content', originAddress(scope, importId), JSON.stringify(origin))
  await tx
    .insertInto('imports')
    .values({
      userId: scope.userId,
      vaultId: scope.id,
      importId,
      origin: sealed,
      startedAt: at,
      lastAt: at,
      revertedAt: null,
    })
    // Keeps the name from the first call, since a cell is sealed once per address.
    .onConflict((conflict) => conflict.columns(importKey).doUpdateSet({ lastAt: at }))
    .execute()
}

const importKey = ['userId', 'vaultId', 'importId'] as const

/** From now on nothing more is written under this import's id. The caller holds the vault's lock, like imports do. */
export async function markReverted(tx: Tx, scope: VaultScope, importId: string, at: number): Promise<void> {
  await tx
    .updateTable('imports')
    .set({ revertedAt: at })
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('importId', '=', importId)
    .where('revertedAt', 'is', null)
    .execute()
}

export async function isReverted(db: Reader, scope: VaultScope, importId: string): Promise<boolean> {
  const row = await db
    .selectFrom('imports')
    .select('revertedAt')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('importId', '=', importId)
    .executeTakeFirst()
  return (row?.revertedAt ?? null) !== null
}

/** The newest first, with the total. */
export async function listImports(
  db: Reader,
  scope: VaultScope,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ imports: Import[]; total: number }> {
  const all = db.selectFrom('imports').where('userId', '=', scope.userId).where('vaultId', '=', scope.id)
  const rows = await all
    .selectAll()
    .orderBy('startedAt', 'desc')
    .orderBy('importId', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const counts = await countKinds(
    db,
    scope,
    rows.map(({ importId }) => importId),
  )
  const imports = rows.map(({ importId, origin, startedAt, lastAt, revertedAt }) => ({
    importId,
    origin: origin === null ? undefined : openOrigin(scope, importId, origin),
    startedAt,
    lastAt,
    revertedAt: revertedAt ?? undefined,
    counts: counts.get(importId) ?? {},
  }))
  return { imports, total }
}

async function countKinds(db: Reader, scope: VaultScope, importIds: readonly string[]) {
  const counts = new Map<string, Record<string, number>>(importIds.map((importId) => [importId, {}]))
  if (importIds.length === 0) return counts
  const rows = await db
    .selectFrom('importedRecords')
    .select(({ fn }) => ['importId', 'kind', fn.countAll<number>().as('count')])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('importId', 'in', importIds)
    .groupBy(['importId', 'kind'])
    .execute()
  for (const { importId, kind, count } of rows) (counts.get(importId) ?? {})[kind] = count
  return counts
}

const openOrigin = (scope: VaultScope, importId: string, origin: Sealed): ImportOrigin =>
  JSON.parse(openText(scope.keys, 'content', originAddress(scope, importId), origin)) as ImportOrigin

const originAddress = ({ id, userId }: VaultScope, importId: string): CellAddress => ({
  userId,
  scopeId: id,
  table: 'imports',
  rowId: importId,
  column: 'origin',
  revision: 1,
})

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

/** The ids, of at most a batch, of reverted records that were not changed since. Importing them again restores them. */
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
