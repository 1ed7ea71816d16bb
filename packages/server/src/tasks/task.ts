import type { VaultScope } from '../crypto/keys.ts'
import { z } from 'zod'
import { conflict, notFound } from '../core/errors.ts'
import { openIntact } from '../auth/scope-key-store.ts'
import type { OnDamage } from '../crypto/cell.ts'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import type { Reader } from '../db/dialect.ts'
import { lastChangeOf } from '../memories/authorship.ts'
import { describeSource, exampleMemory, memoryRecord, writableFields, type Memory } from '../memories/memory.ts'
import { findTaskRows, openMemory, type MemoryAndTask } from '../memories/store.ts'
import { completionOf, splitTask, taskStatuses, type TaskState } from '../memories/task-state.ts'
import { openTask, type TaskRow } from '../memories/task-store.ts'
import * as fields from '../operation/fields.ts'
import { changedBy, describeKnownWriter, describeWriter, keyLabel, writerRecord } from '../operation/writer.ts'

/** A task: a memory of type task, and its state. */
export interface Task {
  memory: Memory
  state: TaskState
}

export const taskId = z.uuid().describe('Id of the task; the same as the id of its memory.')
export const taskStatus = z.enum(taskStatuses)

/** The fields of both a new task and a change. */
export const taskFields = {
  title: z.string().min(1).max(10_000).describe('What to do, 1 to 10,000 characters.'),
  description: z.string().max(100_000).optional().describe('Details, at most 100,000 characters.'),
  assignedAgentId: fields.agentName.describe('Assignee: the identifier of an agent.'),
  doneWhen: z
    .string()
    .max(10_000)
    .optional()
    .describe('What must be true for it to be done; at most 10,000 characters.'),
  blockedReason: z
    .string()
    .max(10_000)
    .optional()
    .describe('What it is waiting for, at most 10,000 characters. Cleared once it is no longer blocked.'),
}

const taskEntities = writableFields.entities.describe(
  'Names of people or things the task is about, to filter by; at most 100.',
)

export const newTaskFields = {
  ...taskFields,
  status: taskStatus.default('todo').describe('Its status.'),
  priority: fields.importance.default(3).describe('1 (low) to 5 (urgent); the importance of its memory.'),
  assignedAgentId: taskFields.assignedAgentId.optional(),
  entities: taskEntities,
  metadata: fields.metadata.optional(),
}

export const taskChangeFields = {
  title: taskFields.title.optional(),
  description: taskFields.description.describe('Details, at most 100,000 characters; an empty text clears them.'),
  status: taskStatus
    .optional()
    .describe('Its new status; every change is allowed. `done` sets completedAt; other statuses clear it.'),
  priority: fields.importance.optional().describe('1 (low) to 5 (urgent).'),
  assignedAgentId: taskFields.assignedAgentId
    .nullable()
    .optional()
    .describe('Assignee: the identifier of an agent; null clears it.'),
  doneWhen: taskFields.doneWhen
    .nullable()
    .describe('What must be true for it to be done, at most 10,000 characters; null or an empty text clears it.'),
  blockedReason: taskFields.blockedReason
    .nullable()
    .describe(
      'What it is waiting for, at most 10,000 characters; null or an empty text clears it. Cleared once it is no longer blocked.',
    ),
  entities: taskEntities,
  metadata: fields.metadata.optional().describe('Merged into the stored metadata; a key set to null is deleted.'),
  comment: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe("A comment, kept in the task's history with its author and time."),
  expectedStatus: taskStatus
    .optional()
    .describe('Fail with 409 unless the task has this status. If several agents claim it, one succeeds.'),
  expectedVersion: fields.expectedVersion,
}

export const taskRecord = z
  .looseObject({
    taskId: z.uuid(),
    memoryId: z.uuid().describe('The same as `taskId`.'),
    vaultId: z.uuid(),
    title: z.string(),
    description: z.string().nullable(),
    status: taskStatus,
    priority: z.int(),
    importance: z.int().describe('The same as `priority`.'),
    assignedAgentId: z.string().nullable(),
    doneWhen: z.string().nullable(),
    blockedReason: z.string().nullable(),
    blockedBy: writerRecord.optional().describe('Who wrote `blockedReason`, as the server knows it.'),
    entities: z.array(z.string()),
    completedAt: fields.timestamp.nullable(),
    statusHistory: z
      .array(
        z.looseObject({
          from: taskStatus,
          to: taskStatus.describe('The same as `from` if it is only a comment.'),
          at: fields.timestamp,
          integrationId: z
            .uuid()
            .optional()
            .describe('Missing if a person did it, or if only an imported file says who did.'),
          agentId: z.string(),
          keyLabel,
          agentRunId: z.string().optional(),
          comment: z.string().optional(),
        }),
      )
      .describe('Oldest first; the latest 200 are kept.'),
    archivedAt: fields.timestamp.nullable(),
    externalWriteId: z.string().nullable(),
    metadata: z.record(z.string(), z.json()),
    agentId: z.string().nullable(),
    agentRunId: z.string().nullable(),
    source: memoryRecord.shape.source,
    changedBy,
    version: z.int(),
    createdAt: fields.timestamp,
    updatedAt: fields.timestamp,
  })
  .meta({ id: 'Task' })

export type TaskRecord = z.infer<typeof taskRecord>

export function describeTask({ memory, state }: Task): TaskRecord {
  const { head } = memory
  const { title, description } = splitTask(memory.content, head.titleChars)
  const { assignedAgentId, doneWhen, blockedReason, blockedBy, statusHistory } = state.detail
  return {
    taskId: memory.memoryId,
    memoryId: memory.memoryId,
    vaultId: memory.vaultId,
    title,
    description: description ?? null,
    status: state.status,
    priority: memory.importance,
    importance: memory.importance,
    assignedAgentId: assignedAgentId ?? null,
    doneWhen: doneWhen ?? null,
    blockedReason: blockedReason ?? null,
    ...(blockedBy !== undefined && { blockedBy: describeKnownWriter(blockedBy) }),
    entities: head.entities,
    completedAt: isoTimeOrNull(completionOf(state)),
    statusHistory: statusHistory.map((change) => ({ ...change, at: isoTime(change.at) })),
    archivedAt: isoTimeOrNull(memory.archivedAt),
    externalWriteId: head.externalWriteId ?? null,
    metadata: head.metadata,
    agentId: head.agentId ?? null,
    agentRunId: head.agentRunId ?? null,
    source: describeSource(memory),
    changedBy: describeWriter(lastChangeOf(memory)),
    version: memory.version,
    createdAt: isoTime(memory.createdAt),
    updatedAt: isoTime(memory.updatedAt),
  }
}

/** In the order of the ids, without ids that match no task of the vault. */
export async function findTasksById(db: Reader, scope: VaultScope, ids: readonly string[]): Promise<Task[]> {
  const rows = await findTaskRows(db, scope, ids)
  return inOrder(ids, rows.filter(isTask).map(openWith(scope)))
}

/** The same for lists, without damaged tasks. */
export async function findIntactTasksById(
  db: Reader,
  scope: VaultScope,
  ids: readonly string[],
  onDamage: OnDamage,
): Promise<Task[]> {
  const rows = await findTaskRows(db, scope, ids)
  return inOrder(ids, await openIntact(db, rows.filter(isTask), openWith(scope), onDamage))
}

type TaskRows = MemoryAndTask & { task: TaskRow }

const isTask = (rows: MemoryAndTask): rows is TaskRows => rows.memory.type === 'task' && rows.task !== undefined

const openWith =
  (scope: VaultScope) =>
  ({ memory, task }: TaskRows): Task => ({ memory: openMemory(scope, memory), state: openTask(scope, task) })

function inOrder(ids: readonly string[], tasks: readonly Task[]): Task[] {
  const found = new Map(tasks.map((task) => [task.memory.memoryId, task]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

export async function getTask(db: Reader, scope: VaultScope, id: string): Promise<Task> {
  const [task] = await findTasksById(db, scope, [id])
  if (task === undefined) throw notFound('Task')
  return task
}

/** Checks what the caller expects, once more in the transaction: if two callers expect the same, one succeeds. */
export function refuseOtherState(
  { memory, state }: Task,
  { expectedStatus, expectedVersion }: { expectedStatus?: string | undefined; expectedVersion?: number | undefined },
): void {
  if (expectedStatus !== undefined && expectedStatus !== state.status)
    throw conflict(
      `The task is ${state.status}, not ${expectedStatus}. Someone else may have claimed it; read it again`,
    )
  if (expectedVersion !== undefined && expectedVersion !== memory.version)
    throw conflict(
      `The task has version ${memory.version}, not ${expectedVersion}. Read it again, then repeat your change with the new version`,
    )
}

export const exampleTask: TaskRecord = {
  taskId: '0198c5f0-0000-7000-8000-000000000201',
  memoryId: '0198c5f0-0000-7000-8000-000000000201',
  vaultId: '0198c5f0-0000-7000-8000-000000000001',
  title: 'Rotate the signing key',
  description: 'The old one stays valid for a week.',
  status: 'in_progress',
  priority: 4,
  importance: 4,
  assignedAgentId: 'claude-code',
  doneWhen: 'All services verify with the new key.',
  blockedReason: null,
  entities: [],
  completedAt: null,
  statusHistory: [{ from: 'todo', to: 'in_progress', at: '2026-11-21T09:30:00.000Z', agentId: 'claude-code' }],
  archivedAt: null,
  externalWriteId: null,
  metadata: {},
  agentId: 'planner',
  agentRunId: null,
  source: { ...exampleMemory.source, route: 'create-task' },
  changedBy: null,
  version: 2,
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}
