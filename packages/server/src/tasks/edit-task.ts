import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { saveTask } from './save-task.ts'
import {
  describeTask,
  personsTask,
  taskBodyLimitBytes,
  taskChangeFields,
  taskEntities,
  taskId,
  taskRecord,
} from './task.ts'

export const editTask = operation({
  name: 'edit-task',
  for: { person: 'PATCH /api/tasks' },
  vault: 'required',
  summary: 'Change a task: move it on, give it to somebody, rewrite it. Fields left out stay as they are.',
  effect: 'write',
  changes: ['tasks', 'memories'],
  about: ({ id }) => refs('task', id),
  bodyLimitBytes: taskBodyLimitBytes,
  input: z.object({ ...ownVault, id: taskId, ...taskChangeFields, entities: taskEntities }),
  output: z.looseObject({
    task: taskRecord,
    updated: z.boolean().describe('False where nothing was to change.'),
  }),
  examples: {
    input: { vaultId: personsTask.vaultId, id: personsTask.taskId, priority: 5 },
    output: { task: { ...personsTask, priority: 5, importance: 5, version: 2 }, updated: true },
  },
  async run({ vaultId: _vault, id, ...change }, ctx) {
    const { after, updated } = await saveTask(ctx, { taskId: id, ...change })
    return { task: describeTask(after), updated }
  },
})
