import type { VaultScope } from '../crypto/keys.ts'
import { openText, sealText, type CellAddress, type Sealed } from '../crypto/cell.ts'
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

/** What an import reads, and what that is called. */
export type ImportOrigin = {
  source: string
  name: string
}

export interface Import {
  importId: string
  /** Undefined where nobody said. */
  origin: ImportOrigin | undefined
  startedAt: number
  lastAt: number
  /** When it was taken back, or began to be. */
  revertedAt: number | undefined
  /** What it made that can be taken back, by kind. */
  counts: Record<string, number>
}

/** Where something was written under an import: it is begun, or goes on. */
export async function noteImport(
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
    // The name of the first call stays: a cell is sealed once at its address.
    .onConflict((conflict) => conflict.columns(importKey).doUpdateSet({ lastAt: at }))
    .execute()
}

const importKey = ['userId', 'vaultId', 'importId'] as const

/** From then on nothing is written under it any more; whoever asks holds the vault's lock, as whoever imports does. */
export async function noteReverted(tx: Tx, scope: VaultScope, importId: string, at: number): Promise<void> {
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

/** The newest first, and how many there are in all. */
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
