import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import type { TaskStatus } from '../memories/task-state.ts'
import { assigneeTag } from '../memories/task-store.ts'

/** Filters on a vault's tasks. A field left out does not filter. */
export interface TaskFilter {
  taskIds?: readonly string[] | undefined
  assignedAgentId?: string | undefined
  isUnassigned?: boolean | undefined
  priorityMin?: number | undefined
  createdFrom?: number | undefined
  /** Exclusive. */
  createdTo?: number | undefined
  /** `live`: not archived. Expired and superseded tasks have none of these states. */
  state: TaskListState
  now: number
}

export const taskListStates = ['live', 'archived', 'all'] as const
export type TaskListState = (typeof taskListStates)[number]

export const taskSorts = ['urgent', 'updated', 'newest'] as const
export type TaskSort = (typeof taskSorts)[number]

/** The number of tasks with each status. A status without tasks is missing. */
export async function countTasks(db: Reader, scope: VaultScope, filter: TaskFilter): Promise<Map<string, number>> {
  const rows = await tasksIn(db, scope, filter)
    .select((count) => ['taskStatus', count.fn.countAll<number>().as('count')])
    .groupBy('taskStatus')
    .execute()
  return new Map(rows.map(({ taskStatus, count }) => [taskStatus ?? '', count]))
}

/**
 * `urgent` (the most urgent first, then the last changed) follows the index up to the end of the page. The other orders look
 * at the index entries of all tasks of the vault, but at no rows.
 */
export async function listTaskIds(
  db: Reader,
  scope: VaultScope,
  filter: TaskFilter & { statuses: readonly TaskStatus[] },
  { limit, offset, sort }: { limit: number; offset: number; sort: TaskSort },
): Promise<string[]> {
  if (filter.statuses.length === 0) return []
  const rows = await tasksIn(db, scope, filter)
    .select('id')
    .where('taskStatus', 'in', filter.statuses)
    .$if(sort === 'urgent', (query) => query.orderBy('importance', 'desc'))
    .$if(sort !== 'newest', (query) => query.orderBy('updatedAt', 'desc'))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ id }) => id)
}

/** The columns that count and sort a task. */
export interface ListedTask {
  id: string
  taskStatus: string | null
  importance: number
  updatedAt: number
}

const idsAtOnce = 500

/** The tasks with these ids that pass, in no particular order. */
export async function findListed(
  db: Reader,
  scope: VaultScope,
  filter: TaskFilter,
  ids: readonly string[],
): Promise<ListedTask[]> {
  const found: ListedTask[] = []
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const rows = await tasksIn(db, scope, { ...filter, taskIds: ids.slice(at, at + idsAtOnce) })
      .select(['id', 'taskStatus', 'importance', 'updatedAt'])
      .execute()
    found.push(...rows)
  }
  return found
}

/** The same order as `listTaskIds`. */
export function compareBy(sort: TaskSort): (a: ListedTask, b: ListedTask) => number {
  const byAge = (a: ListedTask, b: ListedTask) => (a.id < b.id ? 1 : -1)
  const byChange = (a: ListedTask, b: ListedTask) => b.updatedAt - a.updatedAt || byAge(a, b)
  if (sort === 'newest') return byAge
  if (sort === 'updated') return byChange
  return (a, b) => b.importance - a.importance || byChange(a, b)
}

/** Counts tasks by status, priority and state. */
export const countPlainTasks = (db: Reader, scope: VaultScope, now: number) =>
  tasksIn(db, scope, { state: 'all', now })
    .select(({ eb, fn }) => [
      'taskStatus',
      'importance',
      eb.case().when('archivedAt', 'is', null).then(0).else(1).end().as('isArchived'),
      eb.case().when('assigneeTag', 'is', null).then(0).else(1).end().as('isAssigned'),
      fn.countAll<number>().as('count'),
    ])
    .groupBy(['taskStatus', 'importance', 'isArchived', 'isAssigned'])
    .execute()

/** For each assignee one task and the number of tasks, the most first. */
export const listAssigned = (
  db: Reader,
  scope: VaultScope,
  filter: TaskFilter,
  limit: number,
): Promise<{ taskId: string; count: number }[]> =>
  tasksIn(db, scope, filter)
    .select(({ fn }) => [fn.min<string>('id').as('taskId'), fn.countAll<number>().as('count')])
    .where('assigneeTag', 'is not', null)
    .groupBy('assigneeTag')
    .orderBy('count', 'desc')
    .orderBy('taskId')
    .limit(limit)
    .execute()

const tasksIn = (db: Reader, scope: VaultScope, filter: TaskFilter) =>
  db
    .selectFrom('memories')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('type', '=', 'task')
    .where('taskStatus', 'is not', null)
    // Expired tasks get archived, so archived tasks are listed whether or not they have expired.
    .$if(filter.state !== 'archived', (query) =>
      query
        .where('supersededById', 'is', null)
        .where((memory) => memory.or([memory('expiresAt', 'is', null), memory('expiresAt', '>', filter.now)])),
    )
    .$if(filter.taskIds !== undefined, (query) => query.where('id', 'in', filter.taskIds ?? []))
    .$if(filter.state === 'live', (query) => query.where('archivedAt', 'is', null))
    .$if(filter.state === 'archived', (query) => query.where('archivedAt', 'is not', null))
    // Needed even without a minimum: it makes SQLite use the index of tasks.
    .where('importance', '>=', filter.priorityMin ?? 1)
    .$if(filter.createdFrom !== undefined, (query) => query.where('createdAt', '>=', filter.createdFrom ?? 0))
    .$if(filter.createdTo !== undefined, (query) => query.where('createdAt', '<', filter.createdTo ?? 0))
    .$if(filter.isUnassigned === true, (query) => query.where('assigneeTag', 'is', null))
    .$if(filter.assignedAgentId !== undefined, (query) =>
      query.where('assigneeTag', '=', assigneeTag(scope, filter.assignedAgentId ?? '')),
    )
