import { openIntact } from '../auth/scope-key-store.ts'
import { pauses } from '../core/in-pieces.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Log } from '../core/log.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { MemoriesTable, TasksTable } from '../db/tables/memories.ts'
import type { IndexEntriesTable } from '../db/tables/vault-index.ts'
import { isFromFile } from '../operation/writer.ts'
import { externalKindOf, externalTag } from '../memories/claim-store.ts'
import { factsOf, prepareEntry } from '../memories/index-memory.ts'
import type { Memory } from '../memories/memory.ts'
import { openMemory } from '../memories/store.ts'
import { plainTask, taskStatuses, type TaskStatus } from '../memories/task-state.ts'
import { assigneeTag, insertTask, openTask, updateTask } from '../memories/task-store.ts'
import type { EmbeddingProvider } from '../embeddings/provider.ts'
import { compareColumns } from './columns-store.ts'
import { compareEntry, findEntries } from './entry-store.ts'
import type { Found } from './problem.ts'

/** What the plain rows of memories and tasks must be, by their encrypted parts. */

export interface Comparing {
  log: Log
  embeddings: EmbeddingProvider | undefined
}

/** Compares memories with their columns, their index entries and the state of tasks. Those that don't open are left out. */
export async function compareMemories(
  db: Reader,
  ctx: Comparing,
  scope: VaultScope,
  rows: readonly MemoriesTable[],
): Promise<Found[]> {
  const ids = rows.map(({ id }) => id)
  const entries = await findEntries(db, scope, ids)
  const tasks = await findTaskRows(db, scope, ids)
  const found: Found[] = []
  const pause = pauses()
  for (const row of rows) {
    await pause()
    const [memory] = await openIntact(db, [row], (one) => openMemory(scope, one))
    if (memory === undefined) continue
    const { head } = memory
    const id = { id: row.id }
    const external =
      head.externalWriteId === undefined ? null : externalTag(scope, externalKindOf(head), head.externalWriteId)
    const expected = { externalTag: external, changedById: head.changedBy?.integrationId ?? null }
    found.push(
      ...(await compareColumns(db, scope, { table: 'memories', key: id, recordId: row.id }, [row, expected])),
      ...(await compareTask(db, scope, row, tasks.get(row.id))),
      ...(await compareMemoryEntry(db, ctx, scope, { memory, entry: entries.get(row.id) })),
    )
  }
  return found
}

async function compareMemoryEntry(
  db: Reader,
  { log, embeddings }: Comparing,
  scope: VaultScope,
  { memory, entry }: { memory: Memory; entry: IndexEntriesTable | undefined },
): Promise<Found[]> {
  const supersededAt = await findEnd(db, scope, memory, entry?.supersededAt ?? null)
  return compareEntry(db, scope, entry, {
    itemId: memory.memoryId,
    facts: { ...factsOf(memory), supersededAt },
    prepare: () => prepareEntry({ vault: scope, log, embeddings: embeddings && 'later' }, memory),
  })
}

/** When a memory was superseded. A file may say so without the memory that superseded it. */
async function findEnd(
  db: Reader,
  scope: VaultScope,
  { supersededById, updatedAt, head }: Memory,
  stored: number | null,
): Promise<number | null> {
  if (supersededById === undefined) return isFromFile(head) ? stored : null
  if (stored !== null) return stored
  const successor = await db
    .selectFrom('memories')
    .select('occurredAt')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', supersededById)
    .executeTakeFirst()
  return successor?.occurredAt ?? updatedAt
}

async function findTaskRows(db: Reader, scope: VaultScope, ids: readonly string[]): Promise<Map<string, TasksTable>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('tasks')
    .selectAll()
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** A memory that is or was a task has a row with its state, and copies of two columns of it. */
async function compareTask(
  db: Reader,
  scope: VaultScope,
  row: MemoriesTable,
  task: TasksTable | undefined,
): Promise<Found[]> {
  const { id } = row
  const name = { table: 'tasks', recordId: id } as const
  if (task === undefined) {
    if (row.type !== 'task' && row.taskStatus === null)
      return compareColumns(db, scope, { table: 'memories', key: { id }, recordId: id }, [row, { assigneeTag: null }])
    const elsewhere = await findTaskElsewhere(db, scope, id)
    // Found with the other tasks, by its encrypted detail.
    if (elsewhere !== undefined && elsewhere.detail !== null) return []
    if (elsewhere !== undefined) {
      const repair: Found['repair'] = (tx) => bringTaskHome(tx, scope, id)
      return [{ ...name, column: 'vaultId', problem: 'different', repair }]
    }
    const state = { ...plainTask(), status: asStatus(row.taskStatus) }
    return [{ ...name, problem: 'missing', detail: lostState, repair: (tx) => insertTask(tx, scope, id, state) }]
  }
  const [state] = await openIntact(db, [task], (one) => openTask(scope, one))
  // Found with the other tasks, which come next.
  if (state === undefined) return []
  const { assignedAgentId, statusHistory } = state.detail
  const expected = {
    // Both are plain, and only the history says which one is right.
    status: row.taskStatus === task.status ? task.status : (statusHistory.at(-1)?.to ?? task.status),
    assigneeTag: assignedAgentId === undefined ? null : assigneeTag(scope, assignedAgentId),
  }
  const copies = { taskStatus: expected.status, assigneeTag: expected.assigneeTag }
  return [
    ...(await compareColumns(db, scope, { ...name, key: { id } }, [task, expected])),
    ...(await compareColumns(db, scope, { table: 'memories', key: { id }, recordId: id }, [row, copies])),
  ]
}

/** The state of this task, if it names another vault. */
const findTaskElsewhere = (
  db: Reader,
  { userId, id: vaultId }: VaultScope,
  id: string,
): Promise<Pick<TasksTable, 'detail'> | undefined> =>
  db
    .selectFrom('tasks')
    .select('detail')
    .where('userId', '=', userId)
    .where('vaultId', '<>', vaultId)
    .where('id', '=', id)
    .executeTakeFirst()

async function bringTaskHome(tx: Tx, { userId, id: vaultId }: VaultScope, id: string): Promise<void> {
  await tx
    .updateTable('tasks')
    .set({ vaultId })
    .where('userId', '=', userId)
    .where('vaultId', '<>', vaultId)
    .where('id', '=', id)
    .execute()
}

export const lostState = 'its assignee, its conditions and its history are lost; its status is kept'

const asStatus = (stored: string | null): TaskStatus =>
  taskStatuses.find((status) => status === stored) ?? plainTask().status

/** Makes a task whose detail doesn't open a plain one with the same status, so that its text can be read again. */
export async function resetTask(tx: Tx, scope: VaultScope, id: string): Promise<void> {
  const task = (await findTaskRows(tx, scope, [id])).get(id)
  if (task === undefined) return
  const { completedAt, revision } = task
  const [status, kept] = [asStatus(task.status), completedAt ?? undefined]
  await updateTask(tx, scope, id, { ...plainTask(), status, completedAt: kept, revision: revision + 1 })
}
