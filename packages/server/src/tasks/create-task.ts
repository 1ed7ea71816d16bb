import { z } from 'zod'
import { dedupOutcome, describeDedup } from '../memories/dedup-outcome.ts'
import { findTasks } from '../memories/task-store.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { makeTask } from './make-task.ts'
import { newTaskFields, taskBodyLimitBytes, taskStatus } from './task.ts'

const input = z.object({
  ...newTaskFields,
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

export const createTask = operation({
  name: 'create-task',
  for: { agent: { scopes: ['write'] } },
  vault: 'resolved',
  summary: 'Make a task. It is a memory of type task as well, found by search like others.',
  effect: 'write',
  changes: ['tasks', 'memories'],
  bodyLimitBytes: taskBodyLimitBytes,
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
    const written = await makeTask(ctx, task)
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
