import { exactTag } from '../crypto/hash.ts'
import { openIntact } from '../auth/scope-key-store.ts'
import { asSealed, openJson, sealJson, type CellAddress, type OnDamage } from '../crypto/cell.ts'
import { tagKeys, type VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { TasksTable } from '../db/tables/memories.ts'
import { plainTask, type TaskDetail, type TaskState, type TaskStatus } from './task-state.ts'

/** Makes a memory a task. If it was one before, it gets its old state back. */
export async function insertTask(tx: Tx, scope: VaultScope, memoryId: string, task?: TaskState): Promise<void> {
  const columns = task === undefined ? plainColumns : stateColumns(scope, memoryId, task)
  const made = await tx
    .insertInto('tasks')
    .values({ id: memoryId, userId: scope.userId, vaultId: scope.id, ...columns })
    .onConflict((conflict) => conflict.columns(['userId', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made !== undefined) await setListed(tx, scope, memoryId, columns)
}

/** The caller has raised the task's revision. */
export async function updateTask(tx: Tx, scope: VaultScope, memoryId: string, task: TaskState): Promise<void> {
  const columns = stateColumns(scope, memoryId, task)
  await tx
    .updateTable('tasks')
    .set(columns)
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', memoryId)
    .execute()
  await setListed(tx, scope, memoryId, columns)
}

/** Copies the columns that lists filter by to the memory's row. */
async function setListed(
  tx: Tx,
  scope: VaultScope,
  memoryId: string,
  { status, assigneeTag: tag }: Pick<TasksTable, 'status' | 'assigneeTag'>,
): Promise<void> {
  await tx
    .updateTable('memories')
    .set({ taskStatus: status, assigneeTag: tag })
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', memoryId)
    .execute()
}

/** By memory id, without memories that never were tasks. */
export async function findTasks(
  db: Reader,
  scope: VaultScope,
  memoryIds: readonly string[],
): Promise<Map<string, TaskState>> {
  const rows = await findRows(db, scope, memoryIds)
  return new Map(rows.map((row) => [row.id, openTask(scope, row)]))
}

/** The same for lists, without damaged tasks. */
export async function findIntactTasks(
  db: Reader,
  scope: VaultScope,
  memoryIds: readonly string[],
  onDamage?: OnDamage,
): Promise<Map<string, TaskState>> {
  const rows = await findRows(db, scope, memoryIds)
  return new Map(await openIntact(db, rows, (row) => [row.id, openTask(scope, row)] as const, onDamage))
}

async function findRows(db: Reader, scope: VaultScope, memoryIds: readonly string[]): Promise<TasksTable[]> {
  if (memoryIds.length === 0) return []
  return db
    .selectFrom('tasks')
    .selectAll()
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', 'in', memoryIds)
    .execute()
}

/** For equality look-ups of the assignee. */
export const assigneeTag = ({ keys }: VaultScope, agentId: string): Buffer =>
  exactTag(tagKeys(keys).exact, 'task assignee', agentId)

const plainColumns = { status: plainTask().status, assigneeTag: null, completedAt: null, detail: null, revision: 1 }

function stateColumns(scope: VaultScope, memoryId: string, { status, completedAt, detail, revision }: TaskState) {
  const { assignedAgentId } = detail
  return {
    status,
    assigneeTag: assignedAgentId === undefined ? null : assigneeTag(scope, assignedAgentId),
    completedAt: completedAt ?? null,
    detail: sealJson(scope.keys, 'content', detailAddress(scope, memoryId, revision), detail),
    revision,
  }
}

/** What a row says about the task. */
export type TaskRow = Pick<TasksTable, 'id' | 'status' | 'completedAt' | 'detail' | 'revision'>

export function openTask(scope: VaultScope, row: TaskRow): TaskState {
  const address = detailAddress(scope, row.id, row.revision)
  return {
    status: row.status as TaskStatus,
    completedAt: row.completedAt ?? undefined,
    detail:
      row.detail === null
        ? plainTask().detail
        : (openJson(scope.keys, 'content', address, asSealed(row.detail)) as TaskDetail),
    revision: row.revision,
  }
}

const detailAddress = ({ id, userId }: VaultScope, memoryId: string, revision: number): CellAddress => ({
  userId,
  scopeId: id,
  table: 'tasks',
  rowId: memoryId,
  column: 'detail',
  revision,
})
