import { z } from 'zod'
import { refs } from '../calls/records.ts'
import { collectDamage } from '../crypto/cell.ts'
import { wordTags } from '../crypto/hash.ts'
import { tagKeys } from '../crypto/keys.ts'
import { keyedIn } from '../memories/find-page.ts'
import { taskStatuses, type TaskStatus } from '../memories/task-state.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { describeLeftOut, leftOut, page, pageOf } from '../operation/page.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import { choiceTest, slotsOf } from '../vault-index/choose-items.ts'
import { searchFields } from '../vault-index/field-search.ts'
import { distinctWords, type KeyedQuery, keyWords } from '../vault-index/query.ts'
import type { SlotTest } from '../vault-index/live.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'
import {
  compareBy,
  countTasks,
  findListed,
  listTaskIds,
  taskListStates,
  taskSorts,
  type TaskFilter,
  type TaskSort,
} from './store.ts'
import { describeTask, exampleTask, findIntactTasksById, taskFields, taskId, taskRecord, taskStatus } from './task.ts'

const input = z.object({
  taskIds: z.array(taskId).min(1).max(50).optional().describe('Only tasks with these ids, 1 to 50.'),
  q: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('Only tasks that contain all of these words, at most 8. A word that no task contains is ignored.'),
  status: z
    .union([taskStatus, z.array(taskStatus).max(taskStatuses.length)])
    .optional()
    .describe('Only tasks with this status, or with any of these.'),
  assignedAgentId: taskFields.assignedAgentId.optional().describe('Only tasks assigned to this agent.'),
  unassigned: z.boolean().optional().describe('Only tasks that are not assigned.'),
  entity: z.string().min(1).max(200).optional().describe('Only tasks that name this entity.'),
  runId: fields.agentRunId.optional().describe('Only tasks that were created in this run.'),
  priorityMin: fields.importance.optional().describe('Only tasks with this priority or higher.'),
  createdFrom: fields.timestamp.optional().describe('Only tasks created at or after this moment.'),
  createdTo: fields.timestamp.optional().describe('Only tasks created before this moment.'),
  includeDone: z.boolean().default(true).describe('Include done tasks.'),
  includeArchived: z.boolean().default(false).describe('Include archived tasks in the list and the counts.'),
  state: z
    .enum(taskListStates)
    .optional()
    .describe('`live`: not archived. Default: `live`, or `all` with includeArchived.'),
  sort: z
    .enum(taskSorts)
    .optional()
    .meta({ default: 'urgent' })
    .describe(
      '`urgent`: highest priority first, then last changed. `updated`: last changed first. `newest`: newest first.',
    ),
  limit: fields.limit,
  offset: fields.offset,
  ...fields.inVault,
})

type Input = z.output<typeof input>

const taskPage = z.looseObject({
  tasks: z.array(taskRecord),
  counts: z
    .record(taskStatus, z.int())
    .describe('Number of tasks with each status, regardless of the filter `status`.'),
  ...leftOut,
  ...page,
})

type TaskPage = z.input<typeof taskPage>

export const listTasks = operation({
  name: 'list-tasks',
  for: { agent: { toolset: 'tasks', scopes: ['read'] }, person: 'GET /api/tasks' },
  vault: 'resolved',
  summary: 'List the tasks of a vault, most urgent first, then last changed.',
  effect: 'read',
  outdatedBy: ['tasks', 'links'],
  input,
  output: taskPage,
  returns: ({ tasks }) => tasks.flatMap(({ taskId: id }) => refs('task', id)),
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
  async run(request, ctx) {
    const { db, vault, now } = ctx
    const { limit, offset, sort = 'urgent', includeArchived, state = includeArchived ? 'all' : 'live' } = request
    const statuses = statusesOf(request)
    const filter = {
      taskIds: request.taskIds,
      assignedAgentId: request.assignedAgentId,
      isUnassigned: request.unassigned === true,
      priorityMin: request.priorityMin,
      createdFrom: momentOf(request.createdFrom),
      createdTo: momentOf(request.createdTo),
      state,
      now: now(),
    }
    const { counted, ids } = await findPage(ctx, filter, await chooseIds(ctx, request), {
      statuses,
      sort,
      limit,
      offset,
    })
    if (request.taskIds !== undefined) ctx.about('task', ids)
    const counts = Object.fromEntries(taskStatuses.map((status) => [status, counted.get(status) ?? 0]))
    const damage = collectDamage(ctx.instance.onDamage)
    const tasks = (await findIntactTasksById(db.read, vault, ids, damage.onDamage)).map(describeTask)
    await addKeyLabels(ctx, tasks)
    return {
      tasks,
      counts: counts as TaskPage['counts'],
      ...describeLeftOut(damage.ids),
      ...pageOf(
        { limit, offset },
        statuses.reduce((total, status) => total + (counted.get(status) ?? 0), 0),
      ),
    }
  },
})

const momentOf = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time))

/** An empty list, as some agents send it, does not filter. */
function statusesOf({ status = [], includeDone }: Input): TaskStatus[] {
  const asked = typeof status === 'string' ? [status] : status
  return taskStatuses
    .filter((known) => asked.length === 0 || asked.includes(known))
    .filter((known) => includeDone || known !== 'done')
}

interface Wanted {
  statuses: readonly TaskStatus[]
  sort: TaskSort
  limit: number
  offset: number
}

/** The number of tasks with each status, and the ids of the page; with `chosenIds`, only of those. */
async function findPage(
  { db, vault }: Pick<VaultContext, 'db' | 'vault'>,
  filter: TaskFilter,
  chosenIds: readonly string[] | undefined,
  { statuses, sort, limit, offset }: Wanted,
): Promise<{ counted: Map<string, number>; ids: string[] }> {
  if (chosenIds === undefined) {
    const counted = await countTasks(db.read, vault, filter)
    return { counted, ids: await listTaskIds(db.read, vault, { ...filter, statuses }, { limit, offset, sort }) }
  }
  const known: readonly string[] = statuses
  const listed = await findListed(db.read, vault, filter, chosenIds)
  const groups = Map.groupBy(listed, (task) => task.taskStatus ?? '')
  const shown = listed.filter((task) => known.includes(task.taskStatus ?? '')).toSorted(compareBy(sort))
  return {
    counted: new Map([...groups].map(([status, tasks]) => [status, tasks.length])),
    ids: shown.slice(offset, offset + limit).map(({ id }) => id),
  }
}

const maxWords = 8

/** The ids of the tasks that pass the filters on sealed fields; undefined without such a filter. */
async function chooseIds(
  { vault, indexes, now }: Pick<VaultContext, 'vault' | 'indexes' | 'now'>,
  { taskIds, q, entity, runId }: Input,
): Promise<string[] | undefined> {
  if (q === undefined && entity === undefined && runId === undefined) return undefined
  const at = now()
  const keyed = (words: readonly string[]) => wordTags(tagKeys(vault.keys).words, words)
  const questions =
    q === undefined
      ? []
      : distinctWords(q)
          .slice(0, maxWords)
          .map((word) => keyWords([word], keyed))
  const ids = await indexes.read(vault, (index) => {
    const choice = {
      state: 'all' as const,
      at,
      kinds: ['memory'],
      types: ['task'],
      ...(entity !== undefined && { entity }),
      ...(runId !== undefined && { agentRunId: runId }),
    }
    const test = choiceTest(index, choice, keyedIn(vault))
    if (q === undefined) return slotsOf(index, test).map((slot) => index.itemIdOf(slot))
    return findHoldersOfAll(index, questions, test)
  })
  return taskIds === undefined ? ids : ids.filter((id) => taskIds.includes(id))
}

/** The tasks that contain every word. Skips a word that no task contains, as it may be half typed. */
function findHoldersOfAll(index: VaultIndex, questions: readonly KeyedQuery[], test: SlotTest): string[] {
  let held: ReadonlySet<string> | undefined
  for (const question of questions) {
    const all = { within: ['content', 'title', 'tags'] as const, limit: index.slotCount, offset: 0 }
    const ids = new Set(searchFields(index, question, test, all).hits.map(({ itemId }) => itemId))
    if (ids.size > 0) held = new Set([...ids].filter((id) => held?.has(id) ?? true))
  }
  return [...(held ?? [])]
}
