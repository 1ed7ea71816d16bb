import { z } from 'zod'
import { isoTimeOrNull } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { saveTask } from './save-task.ts'
import { taskBodyLimitBytes, taskChangeFields, taskId, taskStatus, type Task } from './task.ts'

const input = z.object({ taskId, ...taskChangeFields, ...fields.inVault })

export const updateTask = operation({
  name: 'update-task',
  for: { agent: { scopes: ['write'] } },
  vault: 'resolved',
  summary: 'Change a task: claim it, move it on, rewrite it. Fields left out stay as they are.',
  effect: 'write',
  changes: ['tasks', 'memories'],
  about: ({ taskId: id }) => refs('task', id),
  alias: 'taskId',
  bodyLimitBytes: taskBodyLimitBytes,
  input,
  output: z.looseObject({
    taskId: z.uuid(),
    updated: z.boolean().describe('False where nothing was to change.'),
    status: taskStatus,
    previousStatus: taskStatus,
    version: z.int(),
    completedAt: fields.timestamp.nullable(),
    vaultId: z.uuid(),
  }),
  examples: {
    input: {
      taskId: '0198c5f0-0000-7000-8000-000000000201',
      status: 'in_progress',
      expectedStatus: 'todo',
      assignedAgentId: 'claude-code',
    },
    output: {
      taskId: '0198c5f0-0000-7000-8000-000000000201',
      updated: true,
      status: 'in_progress',
      previousStatus: 'todo',
      version: 2,
      completedAt: null,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
    },
  },
  async run(change, ctx) {
    const { before, after, updated } = await saveTask(ctx, change)
    return describe(before, after, updated)
  },
})

const describe = (before: Task, { memory, state }: Task, updated: boolean) => ({
  taskId: memory.memoryId,
  updated,
  status: state.status,
  previousStatus: before.state.status,
  version: memory.version,
  completedAt: isoTimeOrNull(state.completedAt),
  vaultId: memory.vaultId,
})
