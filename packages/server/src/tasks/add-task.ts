import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { makeTask } from './make-task.ts'
import {
  describeTask,
  getTask,
  newTaskFields,
  personsTask,
  taskBodyLimitBytes,
  taskEntities,
  taskRecord,
} from './task.ts'

export const addTask = operation({
  name: 'add-task',
  for: { person: 'POST /api/tasks' },
  vault: 'required',
  summary: 'Make a task of your own. It is written under the agent name "user".',
  effect: 'write',
  changes: ['tasks', 'memories'],
  bodyLimitBytes: taskBodyLimitBytes,
  input: z.object({ ...ownVault, ...newTaskFields, entities: taskEntities }),
  output: z.looseObject({ task: taskRecord }),
  returns: ({ task }) => refs('task', task.taskId),
  examples: {
    input: { vaultId: personsTask.vaultId, title: personsTask.title, priority: 2, assignedAgentId: 'claude-code' },
    output: { task: personsTask },
  },
  created: () => true,
  async run({ vaultId: _vault, ...task }, ctx) {
    const { memoryId } = await makeTask(ctx, task)
    return { task: describeTask(await getTask(ctx.db.read, ctx.vault, memoryId)) }
  },
})
