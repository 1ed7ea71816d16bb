import { z } from 'zod'
import type { VaultContext } from '../operation/context.ts'
import { createMemory, type MemoryDraft } from '../memories/create-memory.ts'
import { dedupOutcome, describeDedup } from '../memories/dedup-outcome.ts'
import { taskContent } from '../memories/task-state.ts'
import { findTasks } from '../memories/task-store.ts'
import { claimedAgentId } from '../operation/claimed-agent.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { openSettings } from '../vaults/settings-store.ts'
import { taskFields, taskStatus } from './task.ts'

const bodyLimitBytes = 2 * 1024 * 1024

const input = z.object({
  ...taskFields,
  status: taskStatus.default('todo').describe('Where it stands.'),
  priority: fields.importance.default(3).describe('1 (whenever) to 5 (at once); the importance of its memory.'),
  assignedAgentId: taskFields.assignedAgentId.optional(),
  metadata: fields.metadata.optional(),
  externalWriteId: fields.externalWriteId.describe(
    'Idempotency key: a repeat answers with the first task and changes nothing.',
  ),
  dedup: z
    .boolean()
    .default(false)
    .describe(
      'Look first for a task that says the same, is not done, and has the same status and assignee; it answers in the place of a new one.',
    ),
  ...fields.inVault,
})

type Input = z.output<typeof input>

export const createTask = operation({
  name: 'create-task',
  scopes: ['write'],
  vault: 'resolved',
  summary: 'Make a task. It is a memory of type task as well, found by search like others.',
  effect: 'write',
  bodyLimitBytes,
  input,
  output: z.looseObject({
    taskId: z.uuid(),
    created: z.boolean(),
    idempotent: z.boolean().describe('True where an earlier call with the same externalWriteId answered.'),
    status: taskStatus,
    vaultId: z.uuid(),
    version: z.int(),
    ...dedupOutcome,
    supersededTaskId: z.uuid().optional(),
  }),
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
    const written = await createMemory(ctx, draftOf(task, ctx))
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

const draftOf = (task: Input, ctx: VaultContext): MemoryDraft => ({
  content: taskContent(task.title, task.description),
  memoryType: 'task',
  importance: task.priority,
  confidence: 3,
  head: {
    entities: [],
    sourceNoteIds: [],
    externalWriteId: task.externalWriteId,
    metadata: task.metadata ?? {},
    agentId: claimedAgentId(ctx, task.agentId),
    agentRunId: task.agentRunId ?? ctx.request.runId,
    modelId: task.modelId,
    titleChars: task.title.length,
    route: 'create-task',
  },
  relatedMemoryIds: [],
  supersedesId: undefined,
  expiresAt: undefined,
  occurredAt: undefined,
  externalKind: 'task',
  task: {
    status: task.status,
    completedAt: task.status === 'done' ? ctx.now() : undefined,
    detail: {
      assignedAgentId: task.assignedAgentId,
      // An empty text says nothing, as in a change.
      doneWhen: task.doneWhen || undefined,
      blockedReason: task.blockedReason || undefined,
      statusHistory: [],
    },
    revision: 1,
  },
  dedup: task.dedup ? openSettings(ctx.vault).dedup : undefined,
})
