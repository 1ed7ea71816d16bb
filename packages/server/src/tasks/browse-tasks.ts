import { z } from 'zod'
import { taskStatuses } from '../memories/task-state.ts'
import * as fields from '../operation/fields.ts'
import { dashboardVaultOperation } from '../operation/operation.ts'
import { taskListStates, taskSorts } from './store.ts'
import { exampleTaskPage, findTaskPage, statusesAmong, taskPage } from './task-page.ts'
import { describeTask, exampleTask, getTask, taskFields, taskId, taskRecord, taskStatus } from './task.ts'

export const browseTasks = dashboardVaultOperation({
  name: 'browse-tasks',
  method: 'GET',
  path: '/api/tasks',
  summary: 'Tasks of a vault, or the one with an id.',
  effect: 'read',
  input: z.object({
    ...fields.ownVault,
    id: taskId.optional().describe('Only this one, as `task`, archived or not.'),
    status: fields
      .queryList(taskStatus, taskStatuses.length)
      .optional()
      .describe('Only tasks of this status; repeated: of any of these.'),
    assignedAgentId: taskFields.assignedAgentId.optional().describe('Only tasks of this agent.'),
    priorityMin: fields.queryImportance.optional().describe('Only tasks of this priority or more.'),
    state: z.enum(taskListStates).default('live').describe('`live`: those that are not archived.'),
    sort: z
      .enum(taskSorts)
      .default('urgent')
      .describe('`urgent`: by priority, then those changed last; `updated`: those changed last; `newest`.'),
    limit: fields.queryLimit,
    offset: fields.queryOffset,
  }),
  output: z.union([taskPage, z.looseObject({ task: taskRecord })]),
  examples: {
    input: { vaultId: exampleTask.vaultId, status: ['todo', 'in_progress'] },
    output: exampleTaskPage,
  },
  async run({ vaultId: _vault, id, status = [], ...wanted }, ctx) {
    if (id !== undefined) return { task: describeTask(await getTask(ctx.db.read, ctx.vault, id)) }
    return findTaskPage(ctx, { ...wanted, statuses: statusesAmong(status) })
  },
})
