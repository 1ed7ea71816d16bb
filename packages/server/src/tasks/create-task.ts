import { z } from 'zod'
import { refs } from '../calls/records.ts'
import { createMemory, originOf, type CreatedMemory, type MemoryWriter } from '../memories/create-memory.ts'
import { personsRoutes } from '../memories/authorship.ts'
import { dedupOutcome, describeDedup } from '../memories/dedup.ts'
import { bodyLimitBytes } from '../memories/memory.ts'
import { taskContent } from '../memories/task-state.ts'
import { findTasks } from '../memories/task-store.ts'
import { permitOf } from '../memories/related-memories.ts'
import { writerOf, type WriterContext } from '../operation/claimed-agent.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { openSettings } from '../vaults/settings-store.ts'
import { newTaskFields, taskStatus } from './task.ts'

const input = z.object({
  ...newTaskFields,
  externalWriteId: fields.externalWriteId.describe(
    'Idempotency key: a repeated call returns the first task and changes nothing.',
  ),
  dedup: z
    .boolean()
    .default(false)
    .describe(
      'First look for a task that says the same thing, is not done, and has the same status and assignee. If one exists, the call returns it and stores nothing.',
    ),
  ...fields.inVault,
})

export const createTask = operation({
  name: 'create-task',
  for: { agent: { toolset: 'tasks', scopes: ['write'], creates: 'memory' }, person: 'POST /api/tasks' },
  vault: 'resolved',
  summary: 'Create a task: a memory of type task, which searches find like any other.',
  effect: 'write',
  changes: ['tasks', 'memories'],
  bodyLimitBytes,
  input,
  output: z.looseObject({
    taskId: z.uuid(),
    created: z.boolean(),
    idempotent: z.boolean().describe('True if an earlier call with the same externalWriteId created it.'),
    status: taskStatus,
    vaultId: z.uuid(),
    version: z.int(),
    ...dedupOutcome,
    supersededTaskId: z.uuid().optional(),
  }),
  returns: ({ taskId }) => refs('task', taskId),
  examples: {
    input: {
      title: 'Rotate the signing key',
      description: 'The old one stays valid for a week.',
      priority: 4,
      doneWhen: 'All services verify with the new key.',
    },
    output: {
      taskId: '0198c5f0-0000-7000-8000-000000000201',
      created: true,
      idempotent: false,
      status: 'todo',
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      version: 1,
    },
  },
  created: ({ created }) => created,
  async run(task, ctx) {
    const written = await storeTask(ctx, task)
    const { memoryId, wasCreated, supersededMemoryId } = written
    const existing = wasCreated ? undefined : (await findTasks(ctx.db.read, ctx.vault, [memoryId])).get(memoryId)
    return {
      taskId: memoryId,
      created: wasCreated,
      idempotent: written.isRepeat,
      status: existing?.status ?? task.status,
      vaultId: ctx.vault.id,
      version: written.version,
      ...(task.dedup && describeDedup(written)),
      ...(supersededMemoryId !== undefined && { supersededTaskId: supersededMemoryId }),
    }
  },
})

const storeTask = (
  ctx: WriterContext & MemoryWriter & Pick<VaultContext, 'vault'>,
  task: z.output<typeof input>,
): Promise<CreatedMemory> =>
  createMemory(ctx, {
    content: taskContent(task.title, task.description),
    memoryType: 'task',
    importance: task.priority,
    entities: task.entities,
    metadata: task.metadata,
    origin: originOf(ctx, task, ctx.actor.kind === 'person' ? personsRoutes.task : 'create-task'),
    externalWriteId: task.externalWriteId,
    externalKind: 'task',
    titleChars: task.title.length,
    task: {
      status: task.status,
      completedAt: task.status === 'done' ? ctx.now() : undefined,
      detail: {
        assignedAgentId: task.assignedAgentId,
        // An empty text counts as missing, as in a change.
        doneWhen: task.doneWhen || undefined,
        blockedReason: task.blockedReason || undefined,
        blockedBy: task.blockedReason ? writerOf(ctx, task) : undefined,
        statusHistory: [],
      },
      revision: 1,
    },
    dedup: task.dedup ? openSettings(ctx.vault).dedup : undefined,
    permit: permitOf(ctx),
  })
