import { z } from 'zod'
import { archiveOne } from '../memories/archive-memory.ts'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { exampleTask, getTask, taskId } from './task.ts'

export const archiveTask = operation({
  name: 'archive-task',
  for: { person: 'DELETE /api/tasks' },
  vault: 'required',
  summary: 'Hide a task from lists and search without deleting it. restore-memories restores it.',
  effect: 'destructive',
  changes: ['tasks', 'memories'],
  about: ({ id }) => refs('task', id),
  input: z.object({ ...fields.ownVault, id: taskId }),
  output: z.looseObject({
    id: z.uuid(),
    archived: z.literal(true),
    alreadyArchived: z.boolean(),
    archivedAt: fields.timestamp,
  }),
  examples: {
    input: { vaultId: exampleTask.vaultId, id: exampleTask.taskId },
    output: {
      id: exampleTask.taskId,
      archived: true,
      alreadyArchived: false,
      archivedAt: '2026-11-21T10:00:00.000Z',
    },
  },
  async run({ id }, ctx) {
    await getTask(ctx.db.read, ctx.vault, id)
    const { archivedAt, wasArchived } = await archiveOne(ctx, id, undefined)
    return { id, archived: true as const, alreadyArchived: wasArchived, archivedAt: isoTime(archivedAt) }
  },
})
