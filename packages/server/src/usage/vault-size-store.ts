import { sql } from 'kysely'
import type { Database, Reader } from '../db/dialect.ts'
import type { VaultSizesTable } from '../db/tables/vaults.ts'
import { lockVaultRow } from '../vault-index/stored/store.ts'

/**
 * The size of vaults: records, and bytes of sealed data. Writes don't maintain these counts. A job scans the rows, so pages
 * can read stored results.
 */

export const sizeKinds = ['memories', 'notes', 'messages', 'documents', 'sessions', 'index'] as const
export type SizeKind = (typeof sizeKinds)[number]

export interface SizeSource {
  kind: SizeKind
  table: string
  /** The column that orders the scan, after the owner or the vault. */
  key: string
  isByVault: boolean
  cells: readonly string[]
  /** Whether each row is a record, not an older version or part of one. */
  isRecord: boolean
}

const ofUser = { isByVault: false, isRecord: true } as const
const ofVault = { isByVault: true, isRecord: false } as const

export const sizeSources: readonly SizeSource[] = [
  { ...ofUser, kind: 'memories', table: 'memories', key: 'id', cells: ['head', 'body'] },
  { ...ofUser, kind: 'memories', table: 'memoryVersions', key: 'memoryId', cells: ['state'], isRecord: false },
  { ...ofVault, kind: 'memories', table: 'proposals', key: 'id', cells: ['body'] },
  { ...ofUser, kind: 'notes', table: 'notes', key: 'id', cells: ['head', 'body'] },
  { ...ofUser, kind: 'notes', table: 'noteVersions', key: 'noteId', cells: ['state'], isRecord: false },
  { ...ofUser, kind: 'messages', table: 'messages', key: 'id', cells: ['body'] },
  { ...ofUser, kind: 'documents', table: 'documents', key: 'id', cells: ['body'] },
  { ...ofVault, kind: 'documents', table: 'documentVersions', key: 'documentId', cells: ['body'] },
  { ...ofUser, kind: 'sessions', table: 'runs', key: 'id', cells: ['head'] },
  { ...ofVault, kind: 'sessions', table: 'runCalls', key: 'runId', cells: ['body'] },
  { ...ofUser, kind: 'sessions', table: 'turns', key: 'id', cells: ['body'], isRecord: false },
  { ...ofUser, kind: 'index', table: 'indexEntries', key: 'itemId', cells: ['entry'] },
  { ...ofVault, kind: 'index', table: 'indexSnapshots', key: 'seq', cells: ['cell'] },
]

export interface SizeStep {
  key: string | number
  vaultId: string
  rows: number
  bytes: number
}

export interface SizeScope {
  userId: string
  /** Used if the source is scanned by vault. */
  vaultId: string
}

/** Measures the next few hundred keys of a source. Reads only the lengths of cells, not their content. */
export async function measureSome(
  db: Reader,
  { table, key, cells, isByVault }: SizeSource,
  { userId, vaultId }: SizeScope,
  { after, limit }: { after: SizeStep['key'] | undefined; limit: number },
): Promise<SizeStep[]> {
  const lengths = sql.join(
    cells.map((cell) => sql`length(${sql.ref(cell)})`),
    sql` + `,
  )
  // Grouped only by the key, which determines the vault. So the scan follows the index and stops at the last key it needs.
  const { rows } = await sql<Record<keyof SizeStep, string | number>>`
    select ${sql.ref(key)} as "key", max("vaultId") as "vaultId", count(*) as "rows", sum(${lengths}) as "bytes"
    from ${sql.table(table)}
    where "userId" = ${userId}
      ${isByVault ? sql`and "vaultId" = ${vaultId}` : sql``}
      ${after === undefined ? sql`` : sql`and ${sql.ref(key)} > ${after}`}
    group by ${sql.ref(key)} order by ${sql.ref(key)} limit ${limit}`.execute(db)
  return rows.map((row) => ({
    key: row.key,
    vaultId: String(row.vaultId),
    rows: Number(row.rows),
    bytes: Number(row.bytes),
  }))
}

export interface MeasuredVault {
  userId: string
  vaultId: string
  seq: number
  /** Undefined before the first measurement. */
  measured: { seq: number; at: number; records: number } | undefined
}

/** All vaults, except those being erased. */
export async function listMeasures(db: Reader): Promise<MeasuredVault[]> {
  const rows = await db
    .selectFrom('vaults as vault')
    .leftJoin('vaultMeasures as measure', (join) =>
      join.onRef('measure.userId', '=', 'vault.userId').onRef('measure.vaultId', '=', 'vault.id'),
    )
    .select(['vault.userId', 'vault.id', 'vault.seq', 'measure.seq as measuredSeq', 'measure.measuredAt'])
    .select((vault) =>
      vault
        .selectFrom('vaultSizes as size')
        .select(({ fn }) => fn.sum<number | string>('size.records').as('records'))
        .whereRef('size.userId', '=', 'vault.userId')
        .whereRef('size.vaultId', '=', 'vault.id')
        .as('records'),
    )
    .where((vault) =>
      vault.exists(
        vault
          .selectFrom('vaultKeys as key')
          .select('key.generation')
          .whereRef('key.userId', '=', 'vault.userId')
          .whereRef('key.scopeId', '=', 'vault.id'),
      ),
    )
    .orderBy('vault.userId')
    .execute()
  return rows.map(({ userId, id, seq, measuredSeq, measuredAt, records }) => ({
    userId,
    vaultId: id,
    seq,
    measured:
      measuredSeq === null || measuredAt === null
        ? undefined
        : { seq: measuredSeq, at: measuredAt, records: Number(records ?? 0) },
  }))
}

export type VaultSize = Omit<VaultSizesTable, 'userId' | 'vaultId'>

/** Replaces the vault's stored sizes. Does nothing if the vault no longer exists. */
export const saveMeasure = (
  db: Database,
  { userId, vaultId, seq, measuredAt }: SizeScope & { seq: number; measuredAt: number },
  sizes: readonly VaultSize[],
): Promise<void> =>
  db.write(async (tx) => {
    if (!(await lockVaultRow(tx, userId, vaultId))) return
    await tx.deleteFrom('vaultSizes').where('userId', '=', userId).where('vaultId', '=', vaultId).execute()
    await tx.deleteFrom('vaultMeasures').where('userId', '=', userId).where('vaultId', '=', vaultId).execute()
    await tx.insertInto('vaultMeasures').values({ userId, vaultId, seq, measuredAt }).execute()
    if (sizes.length > 0)
      await tx
        .insertInto('vaultSizes')
        .values(sizes.map((size) => ({ userId, vaultId, ...size })))
        .execute()
  })

/** The stored sizes of these vaults, by vault. */
export async function readMeasures(
  db: Reader,
  userId: string,
  vaultIds: readonly string[],
): Promise<Map<string, { measuredAt: number; sizes: VaultSize[] }>> {
  if (vaultIds.length === 0) return new Map()
  const measures = await db
    .selectFrom('vaultMeasures')
    .select(['vaultId', 'measuredAt'])
    .where('userId', '=', userId)
    .where('vaultId', 'in', vaultIds)
    .execute()
  const sizes = await db
    .selectFrom('vaultSizes')
    .select(['vaultId', 'kind', 'records', 'bytes'])
    .where('userId', '=', userId)
    .where('vaultId', 'in', vaultIds)
    .execute()
  const byVault = Map.groupBy(sizes, ({ vaultId }) => vaultId)
  return new Map(
    measures.map(({ vaultId, measuredAt }) => [
      vaultId,
      { measuredAt, sizes: (byVault.get(vaultId) ?? []).map(({ kind, records, bytes }) => ({ kind, records, bytes })) },
    ]),
  )
}
