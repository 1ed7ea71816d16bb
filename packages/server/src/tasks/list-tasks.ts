import { z } from 'zod'
import { taskStatuses, type TaskStatus } from '../memories/task-state.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { countTasks, listTaskIds } from './store.ts'
import { describeTask, exampleTask, findTasksById, taskFields, taskId, taskRecord, taskStatus } from './task.ts'

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
  scopes: ['read'],
  vault: 'resolved',
  summary: 'List the tasks of a vault, the most urgent first, then those changed last.',
  effect: 'read',
  input,
  output: z.looseObject({
    tasks: z.array(taskRecord),
    counts: z
      .record(taskStatus, z.int())
      .describe('How many tasks there are of each status, whatever statuses were asked for.'),
    ...page,
  }),
  examples: {
    input: { status: ['todo', 'in_progress'] },
    output: {
      tasks: [exampleTask],
      counts: { backlog: 0, todo: 0, in_progress: 1, done: 3, blocked: 0 },
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
    },
  },
  async run(request, { db, vault, now }) {
    const { taskIds, assignedAgentId, priorityMin, includeArchived, limit, offset } = request
    const statuses = statusesOf(request)
    const filter = { taskIds, assignedAgentId, priorityMin, includeArchived, now: now() }
    const counted = await countTasks(db.read, vault, filter)
    const ids = await listTaskIds(db.read, vault, { ...filter, statuses }, { limit, offset })
    const counts = Object.fromEntries(taskStatuses.map((status) => [status, counted.get(status) ?? 0]))
    return {
      tasks: (await findTasksById(db.read, vault, ids)).map(describeTask),
      counts: counts as Record<TaskStatus, number>,
      ...pageOf(
        { limit, offset },
        statuses.reduce((total, status) => total + (counted.get(status) ?? 0), 0),
      ),
    }
  },
})

/** An empty list, as some agents send it, does not narrow. */
function statusesOf({ status = [], includeDone }: Input): TaskStatus[] {
  const asked = typeof status === 'string' ? [status] : status
  return taskStatuses.filter(
    (known) => (asked.length === 0 || asked.includes(known)) && (includeDone || known !== 'done'),
  )
}
