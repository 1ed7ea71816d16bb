import { sql } from 'kysely'
import type { Database, Reader } from '../db/dialect.ts'
import { isWithin, type OwnerRange } from '../db/owner-range.ts'
import type { VaultMeasuresTable, VaultSizesTable } from '../db/tables/vaults.ts'
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
  /** The columns that order the scan after the owner. The first rows of a key are in one vault. */
  key: readonly string[]
  cells: readonly string[]
  /** Whether each row is a record, not an older version or part of one. */
  isRecord: boolean
}

const whole = { isRecord: true } as const
const parts = { isRecord: false } as const

export const sizeSources: readonly SizeSource[] = [
  { ...whole, kind: 'memories', table: 'memories', key: ['id'], cells: ['head', 'body'] },
  { ...parts, kind: 'memories', table: 'memoryVersions', key: ['memoryId'], cells: ['state'] },
  { ...parts, kind: 'memories', table: 'proposals', key: ['vaultId', 'id'], cells: ['body'] },
  { ...whole, kind: 'notes', table: 'notes', key: ['id'], cells: ['head', 'body'] },
  { ...parts, kind: 'notes', table: 'noteVersions', key: ['noteId'], cells: ['state'] },
  { ...whole, kind: 'messages', table: 'messages', key: ['id'], cells: ['body'] },
  { ...whole, kind: 'documents', table: 'documents', key: ['id'], cells: ['body'] },
  { ...parts, kind: 'documents', table: 'documentVersions', key: ['vaultId', 'documentId'], cells: ['body'] },
  { ...whole, kind: 'sessions', table: 'runs', key: ['id'], cells: ['head'] },
  { ...parts, kind: 'sessions', table: 'runCalls', key: ['vaultId', 'runId'], cells: ['body'] },
  { ...parts, kind: 'sessions', table: 'turns', key: ['id'], cells: ['body'] },
  { ...whole, kind: 'index', table: 'indexEntries', key: ['itemId'], cells: ['entry'] },
  { ...parts, kind: 'index', table: 'indexSnapshots', key: ['vaultId', 'seq'], cells: ['cell'] },
  { ...parts, kind: 'index', table: 'vaultDigests', key: ['vaultId', 'kind'], cells: ['cell'] },
]

export interface SizeStep {
  key: readonly (string | number)[]
  vaultId: string
  rows: number
  bytes: number
}

/** Measures the next few hundred keys of an owner in a source, in all vaults. Reads only the lengths of cells, not their content. */
export async function measureSome(
  db: Reader,
  { table, key, cells }: SizeSource,
  userId: string,
  { after, limit }: { after: SizeStep['key'] | undefined; limit: number },
): Promise<SizeStep[]> {
  const lengths = sql.join(
    cells.map((cell) => sql`length(${sql.ref(cell)})`),
    sql` + `,
  )
  const columns = sql.join(key.map((column) => sql.ref(column)))
  // Grouped only by the key, which determines the vault. So the scan follows the index and stops at the last key it needs.
  const { rows } = await sql<Record<string, string | number>>`
    select ${columns}, max("vaultId") as "inVault", count(*) as "rows", sum(${lengths}) as "bytes"
    from ${sql.table(table)}
    where "userId" = ${userId}
      ${after === undefined ? sql`` : sql`and (${columns}) > (${sql.join(after)})`}
    group by ${columns} order by ${columns} limit ${limit}`.execute(db)
  return rows.map((row) => ({
    key: key.map((column) => row[column] ?? ''),
    vaultId: String(row.inVault),
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

/** The vaults of these owners, except those being erased, by owner. */
export async function listMeasures(db: Reader, owners: OwnerRange): Promise<MeasuredVault[]> {
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
    .where(isWithin('vault.userId', owners))
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
  { userId, vaultId, ...measure }: VaultMeasuresTable,
  sizes: readonly VaultSize[],
): Promise<void> =>
  db.write(async (tx) => {
    if (!(await lockVaultRow(tx, userId, vaultId))) return
    await tx.deleteFrom('vaultSizes').where('userId', '=', userId).where('vaultId', '=', vaultId).execute()
    await tx
      .insertInto('vaultMeasures')
      .values({ userId, vaultId, ...measure })
      .onConflict((conflict) => conflict.columns(['userId', 'vaultId']).doUpdateSet(measure))
      .execute()
    if (sizes.length > 0)
      await tx
        .insertInto('vaultSizes')
        .values(sizes.map((size) => ({ userId, vaultId, ...size })))
        .execute()
  })

/** Says that all measured vaults of the user were found unchanged, without those that were measured later. */
export const confirmMeasures = (db: Database, userId: string, at: number): Promise<void> =>
  db.write(async (tx) => {
    await tx
      .updateTable('vaultMeasures')
      .set({ measuredAt: at })
      .where('userId', '=', userId)
      .where('measuredAt', '<', at)
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

/** The stored sizes of all vaults of a person, by vault. */
export async function listSizes(db: Reader, userId: string): Promise<Map<string, VaultSize[]>> {
  const sizes = await db
    .selectFrom('vaultSizes')
    .select(['vaultId', 'kind', 'records', 'bytes'])
    .where('userId', '=', userId)
    .execute()
  return Map.groupBy(sizes, ({ vaultId }) => vaultId)
}
