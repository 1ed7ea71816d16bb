import { z } from 'zod'
import { taskStatuses, type TaskStatus } from '../memories/task-state.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { taskFields, taskId, taskStatus } from './task.ts'
import { exampleTaskPage, findTaskPage, statusesAmong, taskPage } from './task-page.ts'

const input = z.object({
  taskIds: z.array(taskId).min(1).max(50).optional().describe('Only tasks of these ids, 1 to 50.'),
  status: z
    .union([taskStatus, z.array(taskStatus).max(taskStatuses.length)])
    .optional()
    .describe('Only tasks of this status, or of any of these.'),
  assignedAgentId: taskFields.assignedAgentId.optional().describe('Only tasks of this agent.'),
  priorityMin: fields.importance.optional().describe('Only tasks of this priority or more.'),
  includeDone: z.boolean().default(true).describe('Whether tasks that are done are listed as well.'),
  includeArchived: z.boolean().default(false).describe('Whether archived tasks are listed and counted as well.'),
  limit: fields.limit,
  offset: fields.offset,
  ...fields.inVault,
})

type Input = z.output<typeof input>

export const listTasks = operation({
  name: 'list-tasks',
  for: { agent: { scopes: ['read'] } },
  vault: 'resolved',
  summary: 'List the tasks of a vault, the most urgent first, then those changed last.',
  effect: 'read',
  input,
  output: taskPage,
  returns: ({ tasks }) => tasks.flatMap(({ taskId: id }) => refs('task', id)),
  examples: {
    input: { status: ['todo', 'in_progress'] },
    output: exampleTaskPage,
  },
  async run({ includeArchived, ...request }, ctx) {
    const state = includeArchived ? 'all' : 'live'
    return findTaskPage(ctx, { ...request, statuses: statusesOf(request), state, sort: 'urgent' })
  },
})

/** An empty list, as some agents send it, does not narrow. */
function statusesOf({ status = [], includeDone }: Pick<Input, 'status' | 'includeDone'>): TaskStatus[] {
  return statusesAmong(status).filter((known) => includeDone || known !== 'done')
}
