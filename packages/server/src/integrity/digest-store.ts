import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { openIntact } from '../auth/scope-key-store.ts'
import { asSealed, openCell, sealCell, type CellAddress } from '../crypto/cell.ts'
import { exactTag } from '../crypto/hash.ts'
import { tagKeys, type VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { VaultDigestsTable } from '../db/tables/vaults.ts'
import {
  decodeSegment,
  digestKinds,
  encodeSegment,
  firstKey,
  isDigestible,
  type DigestedRecord,
  type DigestKind,
  type Fingerprint,
  type RecordKey,
  type Segment,
} from './digest.ts'

/** Reads what is remembered of records, and their rows in the order of their segments. */

/** The segment that begins at `from`, if there is one, and the next one after. */
export async function listSegments(
  db: Reader,
  scope: VaultScope,
  kind: DigestKind,
  from: RecordKey,
): Promise<VaultDigestsTable[]> {
  return db
    .selectFrom('vaultDigests')
    .selectAll()
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('kind', '=', kind)
    .where(sql<SqlBool>`("fromAt", "fromId") >= (${from.at}, ${from.id})`)
    .orderBy('fromAt')
    .orderBy('fromId')
    .limit(2)
    .execute()
}

/** Segments that `listSegments` reaches from no beginning. */
export const listStraySegments = (db: Reader, scope: VaultScope): Promise<VaultDigestsTable[]> =>
  db
    .selectFrom('vaultDigests')
    .selectAll()
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where((row) => row.or([row('kind', 'not in', digestKinds), row('fromAt', '<', firstKey.at)]))
    .limit(100)
    .execute()

export async function deleteSegment(
  tx: Tx,
  scope: VaultScope,
  { kind, fromAt, fromId }: VaultDigestsTable,
): Promise<void> {
  await tx
    .deleteFrom('vaultDigests')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('kind', '=', kind)
    .where('fromAt', '=', fromAt)
    .where('fromId', '=', fromId)
    .execute()
}

export const beginOf = ({ fromAt, fromId }: VaultDigestsTable): RecordKey => ({ at: fromAt, id: fromId })

/** Undefined if it is damaged, `foreign` if another version of the program wrote it, in another format. */
export async function openSegment(
  db: Reader,
  scope: VaultScope,
  row: VaultDigestsTable,
): Promise<Segment | 'foreign' | undefined> {
  const [segment] = await openIntact(db, [row], ({ kind, revision, cell }) =>
    decodeSegment(openCell(scope.keys, 'content', cellAddress(scope, kind, beginOf(row), revision), asSealed(cell))),
  )
  return segment
}

export async function writeSegment(
  tx: Tx,
  scope: VaultScope,
  kind: DigestKind,
  { from, revision, segment }: { from: RecordKey; revision: number; segment: Segment },
): Promise<void> {
  const address = cellAddress(scope, kind, from, revision)
  const cell = sealCell(scope.keys, 'content', address, encodeSegment(segment))
  await tx
    .insertInto('vaultDigests')
    .values({ userId: scope.userId, vaultId: scope.id, kind, fromAt: from.at, fromId: from.id, revision, cell })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'vaultId', 'kind', 'fromAt', 'fromId']).doUpdateSet({ revision, cell }),
    )
    .execute()
}

const cellAddress = (
  { userId, id }: VaultScope,
  kind: string,
  { at, id: fromId }: RecordKey,
  revision: number,
): CellAddress => ({
  userId,
  scopeId: id,
  table: 'vaultDigests',
  rowId: id,
  column: `cell of ${kind} from ${at} ${fromId}`,
  revision,
})

export interface ReadRecord {
  key: RecordKey
  /** Undefined if its id or its version can't be one. */
  record: DigestedRecord | undefined
}

/** The next records of the vault after `after`, up to and with `upTo`, in the order of their keys. */
export const listRecords = (
  db: Reader,
  scope: VaultScope,
  kind: DigestKind,
  range: { after: RecordKey; upTo: RecordKey | undefined; limit: number },
): Promise<ReadRecord[]> => readers[kind](db, scope, range)

type Range = Parameters<typeof listRecords>[3]

const readers: Record<DigestKind, (db: Reader, scope: VaultScope, range: Range) => Promise<ReadRecord[]>> = {
  async memories(db, scope, range) {
    const rows = await db
      .selectFrom('memories as record')
      .leftJoin('tasks as task', (join) =>
        join
          .onRef('task.userId', '=', 'record.userId')
          .onRef('task.id', '=', 'record.id')
          .onRef('task.vaultId', '=', 'record.vaultId'),
      )
      .select(['record.id', 'record.version', 'record.createdAt'])
      .select(['record.type', 'record.importance', 'record.confidence', 'record.archivedAt', 'record.expiresAt'])
      .select(['record.occurredAt', 'record.supersedesId', 'record.supersededById', 'record.integrationId'])
      .select(['record.updatedAt', 'task.revision as taskRevision', 'task.completedAt as taskCompletedAt'])
      .where('record.userId', '=', scope.userId)
      .where('record.vaultId', '=', scope.id)
      .where(isWithin(sql`"record"."createdAt", "record"."id"`, range, ({ at, id }) => sql`${at}, ${id}`))
      .orderBy('record.createdAt')
      .orderBy('record.id')
      .limit(range.limit)
      .execute()
    return rows.map(({ id, version, taskRevision, taskCompletedAt, ...columns }) => ({
      key: { at: columns.createdAt, id },
      record: describe(scope, 'memories', { id, version, columns }, [taskRevision, taskCompletedAt]),
    }))
  },
  async notes(db, scope, range) {
    const rows = await db
      .selectFrom('notes as record')
      .select(['id', 'version', 'trashedAt', 'createdAt', 'updatedAt'])
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where(isWithin(sql`"record"."id"`, range, ({ id }) => sql`${id}`))
      .orderBy('id')
      .limit(range.limit)
      .execute()
    return rows.map(({ id, version, ...columns }) => ({
      key: { at: 0, id },
      record: describe(scope, 'notes', { id, version, columns }),
    }))
  },
  async messages(db, scope, range) {
    const rows = await db
      .selectFrom('messages as record')
      .select(['id', 'fromAgentId', 'senderType', 'targetId', 'targetType', 'category', 'priority', 'template'])
      .select(['parentMessageId', 'threadId', 'externalTag', 'expiresAt', 'createdAt', 'integrationId'])
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where(isWithin(sql`"record"."createdAt", "record"."id"`, range, ({ at, id }) => sql`${at}, ${id}`))
      .orderBy('createdAt')
      .orderBy('id')
      .limit(range.limit)
      .execute()
    return rows.map(({ id, ...columns }) => ({
      key: { at: columns.createdAt, id },
      record: describe(scope, 'messages', { id, version: secondOf(columns.createdAt), columns }),
    }))
  },
}

const secondOf = (at: number): number => Math.floor(at / 1000)

const isWithin = (
  columns: RawBuilder<unknown>,
  { after, upTo }: Range,
  values: (key: RecordKey) => RawBuilder<unknown>,
): RawBuilder<SqlBool> =>
  upTo === undefined
    ? sql<SqlBool>`(${columns}) > (${values(after)})`
    : sql<SqlBool>`(${columns}) > (${values(after)}) and (${columns}) <= (${values(upTo)})`

/** `task`: its revision and when it was completed; nulls if the memory never was a task. */
function describe(
  scope: VaultScope,
  kind: DigestKind,
  { id, version, columns }: { id: string; version: number; columns: Record<string, unknown> },
  [revision, completedAt]: readonly [number | null, number | null] = [null, null],
): DigestedRecord | undefined {
  if (!isDigestible(id, version) || !isDigestible(id, revision ?? 1)) return undefined
  const task = revision === null ? undefined : fingerprint(scope, 'tasks', id, { version: revision, completedAt })
  return { id, ...fingerprint(scope, kind, id, { version, ...columns }), task }
}

function fingerprint(
  { keys }: VaultScope,
  table: string,
  id: string,
  { version, ...columns }: { version: number; [column: string]: unknown },
): Fingerprint {
  const values = Object.values(columns).map((value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  )
  return { version, hash: exactTag(tagKeys(keys).exact, `digest of ${table}`, JSON.stringify([id, ...values])) }
}

/** Of these records, the vault that each one names that exists, whichever it is. */
export async function findVaultsOf(
  db: Reader,
  userId: string,
  kind: DigestKind,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = await db
    .selectFrom(kind)
    .select(['id', 'vaultId'])
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .execute()
  return new Map(found.map(({ id, vaultId }) => [id, vaultId]))
}

/** Of these records, those that someone deleted. */
export async function findRemoved(
  db: Reader,
  scope: VaultScope,
  kind: DigestKind,
  records: readonly DigestedRecord[],
): Promise<Set<string>> {
  const removals = await db
    .selectFrom('indexRemovals')
    .select('itemId')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where(
      'itemId',
      'in',
      records.map(({ id }) => id),
    )
    .execute()
  const removed = new Set(removals.map(({ itemId }) => itemId))
  if (kind !== 'messages') return removed
  const vault = await db
    .selectFrom('vaults')
    .select('messagesPurgedTo')
    .where('userId', '=', scope.userId)
    .where('id', '=', scope.id)
    .executeTakeFirst()
  const purgedTo = vault?.messagesPurgedTo ?? 0
  for (const { id, version: second } of records) if (second * 1000 < purgedTo) removed.add(id)
  return removed
}

/** Of these records, those that an import has written since: of a record that was deleted before, it can write an older version. */
export async function findImported(
  db: Reader,
  scope: VaultScope,
  since: number,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('importedRecords as record')
    .innerJoin('imports as import', (join) =>
      join
        .onRef('import.userId', '=', 'record.userId')
        .onRef('import.vaultId', '=', 'record.vaultId')
        .onRef('import.importId', '=', 'record.importId'),
    )
    .select('record.recordId')
    .where('record.userId', '=', scope.userId)
    .where('record.vaultId', '=', scope.id)
    .where('import.lastAt', '>=', since)
    .where('record.recordId', 'in', ids)
    .execute()
  return new Set(rows.map(({ recordId }) => recordId))
}

/** The vault of the user with the next greater id. */
export async function findVaultAfter(db: Reader, userId: string, vaultId: string): Promise<string | undefined> {
  const vaults = db.selectFrom('vaults').select('id').where('userId', '=', userId).where('id', '>', vaultId)
  return (await vaults.orderBy('id').limit(1).executeTakeFirst())?.id
}
