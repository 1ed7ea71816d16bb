import { notFound, ServiceError } from '../core/errors.ts'
import { openIntact } from '../auth/scope-key-store.ts'
import { asSealed, openJson, openText, sealJson, sealText, type CellAddress, type OnDamage } from '../crypto/cell.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { prepared, preparedForIds, type Param } from '../db/prepared.ts'
import type { MemoriesTable } from '../db/tables/memories.ts'
import { listKinds } from '../vault-index/stored/store.ts'
import { queueRecordEvents, type RecordEvent } from '../webhooks/outbox.ts'
import { externalTag, type ExternalKind } from './claim-store.ts'
import type { Memory, MemoryHead, MemoryType } from './memory.ts'
import { insertReads } from './read-store.ts'
import type { TaskState } from './task-state.ts'
import { openTask, type TaskRow } from './task-store.ts'

/** Seals and opens rows of memories. Every query filters by owner and vault. */

/** All columns except those of tasks (`task-store.ts`). */
const insertRow = prepared((db, param: Param<Omit<MemoriesTable, 'taskStatus' | 'assigneeTag'>>) =>
  db.insertInto('memories').values({
    id: param('id'),
    userId: param('userId'),
    vaultId: param('vaultId'),
    type: param('type'),
    importance: param('importance'),
    confidence: param('confidence'),
    archivedAt: param('archivedAt'),
    expiresAt: param('expiresAt'),
    occurredAt: param('occurredAt'),
    supersedesId: param('supersedesId'),
    supersededById: param('supersededById'),
    externalTag: param('externalTag'),
    head: param('head'),
    body: param('body'),
    contentRevision: param('contentRevision'),
    version: param('version'),
    integrationId: param('integrationId'),
    createdAt: param('createdAt'),
    updatedAt: param('updatedAt'),
    changedById: param('changedById'),
    removedById: param('removedById'),
  }),
)

export async function insertMemory(
  tx: Tx,
  scope: VaultScope,
  memory: Memory,
  kind: ExternalKind = 'memory',
): Promise<void> {
  const { externalWriteId } = memory.head
  await insertRow.execute(tx, {
    id: memory.memoryId,
    userId: scope.userId,
    vaultId: scope.id,
    externalTag: externalWriteId === undefined ? null : externalTag(scope, kind, externalWriteId),
    supersedesId: memory.supersedesId ?? null,
    integrationId: memory.integrationId ?? null,
    createdAt: memory.createdAt,
    occurredAt: memory.occurredAt,
    ...changeableColumns(memory),
    ...sealedColumns(scope, memory),
  })
  await insertReads(tx, {
    userId: scope.userId,
    vaultId: scope.id,
    memoryId: memory.memoryId,
    lastAccessedAt: memory.lastAccessedAt ?? null,
    accessCount: memory.accessCount,
  })
  // One with a later version was moved here.
  if (scope.isWatched) await queueChange(tx, scope, memory, memory.version === 1 ? 'created' : 'updated')
}

/**
 * Writes all columns that can change. Seals the cells again, under the memory's content revision, only if `resealed`. `change` names
 * the event for webhooks.
 */
export async function updateMemory(
  tx: Tx,
  scope: VaultScope,
  memory: Memory,
  { resealed, change = 'updated' }: { resealed: boolean; change?: MemoryEvent },
): Promise<void> {
  await tx
    .updateTable('memories')
    .set({
      ...changeableColumns(memory),
      supersedesId: memory.supersedesId ?? null,
      occurredAt: memory.occurredAt,
      ...(resealed && sealedColumns(scope, memory)),
    })
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', memory.memoryId)
    .execute()
  if (scope.isWatched) await queueChange(tx, scope, memory, change)
}

type MemoryEvent = 'created' | 'updated' | 'archived' | 'deleted' | 'completed'

const queueChange = (tx: Tx, scope: VaultScope, { memoryId, memoryType, updatedAt }: Memory, change: MemoryEvent) =>
  queueRecordEvents(tx, scope, [eventOf(memoryId, memoryType, change)], updatedAt)

function eventOf(id: string, type: string, change: MemoryEvent): RecordEvent {
  // Only tasks are completed.
  if (change === 'completed') return { event: 'task.completed', id }
  return type === 'task' ? { event: `task.${change}`, id } : { event: `memory.${change}`, id, memoryType: type }
}

/** The events for some memories that one statement archives or deletes. Call it before they are deleted. */
export async function queueForAll(
  tx: Tx,
  scope: VaultScope,
  ids: readonly string[],
  { change, at }: { change: 'archived' | 'deleted'; at: number },
): Promise<void> {
  if (!scope.isWatched || ids.length === 0) return
  const rows = await tx
    .selectFrom('memories')
    .select(['id', 'type'])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', 'in', ids)
    .execute()
  const events = rows.map(({ id, type }) => eventOf(id, type, change))
  await queueRecordEvents(tx, scope, events, at)
}

/** In no particular order. Ids of other vaults and users are not found. */
export const findMemories = async (db: Reader, scope: VaultScope, ids: readonly string[]): Promise<Memory[]> =>
  (await findRows(db, scope, ids)).map((row) => openMemory(scope, row))

/** The same for lists and searches, without damaged memories: one must not hide all others. */
export async function findIntactMemories(
  db: Reader,
  scope: VaultScope,
  ids: readonly string[],
  onDamage?: OnDamage,
): Promise<Memory[]> {
  return openIntact(db, await findRows(db, scope, ids), (row) => openMemory(scope, row), onDamage)
}

const selectRows = preparedForIds((db, param: Param<{ userId: string; vaultId: string }>, ids) =>
  db
    .selectFrom('memories')
    .leftJoin('memoryReads as reads', (join) =>
      join
        .onRef('reads.userId', '=', 'memories.userId')
        .onRef('reads.vaultId', '=', 'memories.vaultId')
        .onRef('reads.memoryId', '=', 'memories.id'),
    )
    .selectAll('memories')
    .select(['reads.accessCount', 'reads.lastAccessedAt'])
    .where('memories.userId', '=', param('userId'))
    .where('memories.vaultId', '=', param('vaultId'))
    .where('memories.id', 'in', ids),
)

/** A row with its reads; without them, as of a memory that was never read. */
export interface MemoryRow extends MemoriesTable {
  accessCount?: number | null
  lastAccessedAt?: number | null
}

async function findRows(db: Reader, scope: VaultScope, ids: readonly string[]): Promise<MemoryRow[]> {
  if (ids.length === 0) return []
  const rows = await selectRows.execute(db, { userId: scope.userId, vaultId: scope.id }, ids)
  await refuseLostRows(db, scope, ids, rows)
  return rows
}

const selectTaskRows = preparedForIds((db, param: Param<{ userId: string; vaultId: string }>, ids) =>
  db
    .selectFrom('memories')
    .leftJoin('tasks', (join) =>
      join.onRef('tasks.userId', '=', 'memories.userId').onRef('tasks.id', '=', 'memories.id'),
    )
    .leftJoin('memoryReads as reads', (join) =>
      join
        .onRef('reads.userId', '=', 'memories.userId')
        .onRef('reads.vaultId', '=', 'memories.vaultId')
        .onRef('reads.memoryId', '=', 'memories.id'),
    )
    .selectAll('memories')
    .select(['reads.accessCount', 'reads.lastAccessedAt'])
    .select(['tasks.status', 'tasks.completedAt', 'tasks.detail', 'tasks.revision as taskRevision'])
    .where('memories.userId', '=', param('userId'))
    .where('memories.vaultId', '=', param('vaultId'))
    .where('memories.id', 'in', ids),
)

export interface MemoryAndTask {
  memory: MemoryRow
  /** Undefined if it never was a task. */
  task: TaskRow | undefined
}

/**
 * Rows of memories, and what makes them tasks. Read by one statement: a change between two would show an old version of a task with its
 * new status.
 */
export async function findTaskRows(db: Reader, scope: VaultScope, ids: readonly string[]): Promise<MemoryAndTask[]> {
  if (ids.length === 0) return []
  const rows = await selectTaskRows.execute(db, { userId: scope.userId, vaultId: scope.id }, ids)
  await refuseLostRows(db, scope, ids, rows)
  return rows.map(({ status, completedAt, detail, taskRevision, ...memory }) => ({
    memory,
    task:
      status === null || taskRevision === null
        ? undefined
        : { id: memory.id, status, completedAt, detail, revision: taskRevision },
  }))
}

/** A memory, and the state of the task that it is or was; undefined if it never was one. */
export interface MemoryAndState {
  memory: Memory
  state: TaskState | undefined
}

export const openWithState = (scope: VaultScope, { memory, task }: MemoryAndTask): MemoryAndState => ({
  memory: openMemory(scope, memory),
  state: task && openTask(scope, task),
})

/** For lists: by id, without memories that are damaged or whose state is. */
export async function findIntactWithStates(
  db: Reader,
  scope: VaultScope,
  ids: readonly string[],
  onDamage: OnDamage,
): Promise<Map<string, MemoryAndState>> {
  const rows = await findTaskRows(db, scope, ids)
  const found = await openIntact(db, rows, (row) => openWithState(scope, row), onDamage)
  return new Map(found.map((one) => [one.memory.memoryId, one]))
}

// A memory and its index entry are written and deleted in one transaction. If only the entry exists, the database lost the
// memory, which must not look as if it never existed.
async function refuseLostRows(
  db: Reader,
  scope: VaultScope,
  ids: readonly string[],
  rows: readonly { id: string }[],
): Promise<void> {
  const found = new Set(rows.map((row) => row.id))
  const missing = ids.filter((id) => !found.has(id))
  const kinds = await listKinds(db, scope, missing)
  const lost = missing.filter((id) => kinds.get(id) === 'memory')
  if (lost.length > 0) throw new LostMemoriesError(lost.map((id) => cellAddress(scope, id, 'head', 0)))
}

/** Says which memories the database lost, to those who can do without them. */
export class LostMemoriesError extends ServiceError {
  readonly addresses: readonly CellAddress[]

  constructor(addresses: readonly CellAddress[]) {
    super('unavailable', 'Temporarily unavailable: the database is damaged', { retryAfterSeconds: 5 })
    this.addresses = addresses
  }
}

export async function getMemory(db: Reader, scope: VaultScope, id: string): Promise<Memory> {
  const [memory] = await findMemories(db, scope, [id])
  if (memory === undefined) throw notFound('Memory')
  return memory
}

/** The plain columns that deleting a memory needs, because a damaged one must be deletable too. */
export const findErasable = (
  db: Reader,
  scope: VaultScope,
  id: string,
): Promise<{ archivedAt: number | null; externalTag: Uint8Array | null } | undefined> =>
  db
    .selectFrom('memories')
    .select(['archivedAt', 'externalTag'])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', id)
    .executeTakeFirst()

/** The id of the memory that superseded it; undefined if none has, or it doesn't exist. */
export async function findSuccessorId(db: Reader, scope: VaultScope, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('memories')
    .select('supersededById')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.supersededById ?? undefined
}

const changeableColumns = (memory: Memory) => ({
  type: memory.memoryType,
  importance: memory.importance,
  confidence: memory.confidence,
  archivedAt: memory.archivedAt ?? null,
  expiresAt: memory.expiresAt ?? null,
  supersededById: memory.supersededById ?? null,
  contentRevision: memory.contentRevision,
  version: memory.version,
  updatedAt: memory.updatedAt,
  changedById: memory.head.changedBy?.integrationId ?? null,
  removedById: memory.removedById ?? null,
})

const sealedColumns = (scope: VaultScope, memory: Memory) => ({
  head: sealJson(
    scope.keys,
    'content',
    cellAddress(scope, memory.memoryId, 'head', memory.contentRevision),
    packHead(memory.head),
  ),
  body: sealText(
    scope.keys,
    'content',
    cellAddress(scope, memory.memoryId, 'body', memory.contentRevision),
    memory.content,
  ),
})

export function openMemory(scope: VaultScope, row: MemoryRow): Memory {
  const address = (column: 'head' | 'body') => cellAddress(scope, row.id, column, row.contentRevision)
  return {
    memoryId: row.id,
    vaultId: row.vaultId,
    memoryType: row.type as MemoryType,
    content: openText(scope.keys, 'content', address('body'), asSealed(row.body)),
    importance: row.importance,
    confidence: row.confidence,
    supersedesId: row.supersedesId ?? undefined,
    supersededById: row.supersededById ?? undefined,
    archivedAt: row.archivedAt ?? undefined,
    expiresAt: row.expiresAt ?? undefined,
    occurredAt: row.occurredAt,
    integrationId: row.integrationId ?? undefined,
    ...(row.removedById !== null && { removedById: row.removedById }),
    accessCount: row.accessCount ?? 0,
    lastAccessedAt: row.lastAccessedAt ?? undefined,
    contentRevision: row.contentRevision,
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    head: unpackHead(openJson(scope.keys, 'content', address('head'), asSealed(row.head)) as PackedHead),
  }
}

/** Without what most memories have, which takes 56 of 123 bytes. Earlier versions stored it. */
type PackedHead = Omit<MemoryHead, UsualField> & Partial<Pick<MemoryHead, UsualField>>
type UsualField = 'entities' | 'sourceNoteIds' | 'metadata' | 'route'

const usualRoute = 'write-memory'

const packHead = ({ entities, sourceNoteIds, metadata, route, ...rest }: MemoryHead): PackedHead => ({
  ...rest,
  ...(entities.length > 0 && { entities }),
  ...(sourceNoteIds.length > 0 && { sourceNoteIds }),
  ...(Object.keys(metadata).length > 0 && { metadata }),
  ...(route !== usualRoute && { route }),
})

const unpackHead = (head: PackedHead): MemoryHead => ({
  entities: [],
  sourceNoteIds: [],
  metadata: {},
  route: usualRoute,
  ...head,
})

const cellAddress = (
  { id, userId }: VaultScope,
  memoryId: string,
  column: 'head' | 'body',
  revision: number,
): CellAddress => ({
  userId,
  scopeId: id,
  table: 'memories',
  rowId: memoryId,
  column,
  revision,
})
