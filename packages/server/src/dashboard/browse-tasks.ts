import { z } from 'zod'
import { nodeLink, readNodeLinks } from '../graph/node-links.ts'
import { taskStatuses } from '../memories/task-state.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { chooseTasks } from '../tasks/choose-tasks.ts'
import { taskListStates, taskSorts } from '../tasks/store.ts'
import { exampleTaskPage, findTaskPage, statusesAmong, taskPage } from '../tasks/task-page.ts'
import { describeTask, exampleTask, getTask, taskFields, taskId, taskRecord, taskStatus } from '../tasks/task.ts'

const maxLinks = 50

export const browseTasks = operation({
  name: 'browse-tasks',
  for: { person: 'GET /api/tasks' },
  vault: 'required',
  summary: 'Tasks of a vault, or the one with an id.',
  effect: 'read',
  outdatedBy: ['tasks', 'links'],
  about: ({ id }) => refs('task', id),
  input: z.object({
    ...fields.ownVault,
    id: taskId.optional().describe('Only this one, as `task`, archived or not, with its links.'),
    q: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe('Only tasks that hold all of these words, at most 8. A word that no task holds is passed over.'),
    status: z
      .array(taskStatus)
      .max(taskStatuses.length)
      .optional()
      .describe('Only tasks of this status; repeated: of any of these.'),
    assignedAgentId: taskFields.assignedAgentId.optional().describe('Only tasks of this agent.'),
    unassigned: z.boolean().optional().describe("Only tasks that are nobody's yet."),
    entity: z.string().min(1).max(200).optional().describe('Only tasks that name this entity.'),
    runId: fields.agentRunId.optional().describe('Only tasks that were made in this run.'),
    priorityMin: fields.importance.optional().describe('Only tasks of this priority or more.'),
    state: z.enum(taskListStates).default('live').describe('`live`: those that are not archived.'),
    sort: z
      .enum(taskSorts)
      .default('urgent')
      .describe('`urgent`: by priority, then those changed last; `updated`: those changed last; `newest`.'),
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.union([
    taskPage,
    z.looseObject({ task: taskRecord, links: z.array(nodeLink).describe('The newest 50.'), linkCount: z.int() }),
  ]),
  examples: {
    input: { vaultId: exampleTask.vaultId, status: ['todo', 'in_progress'] },
    output: exampleTaskPage,
  },
  async run({ vaultId: _vault, id, status = [], q, entity, runId, unassigned, ...wanted }, ctx) {
    if (id !== undefined) {
      const task = describeTask(await getTask(ctx.db.read, ctx.vault, id))
      const { links, total } = await readNodeLinks(ctx, id, { direction: 'both', limit: maxLinks, offset: 0 })
      return { task, links, linkCount: total }
    }
    const chosenIds = await chooseTasks(ctx, { q, entity, agentRunId: runId })
    const isUnassigned = unassigned === true
    return findTaskPage(ctx, { ...wanted, isUnassigned, chosenIds, statuses: statusesAmong(status) })
  },
})
