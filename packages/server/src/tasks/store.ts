import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import type { TaskStatus } from '../memories/task-state.ts'
import { assigneeTag } from '../memories/task-store.ts'

/** Which of a vault's tasks. What is left out does not filter. */
export interface TaskFilter {
  taskIds?: readonly string[] | undefined
  assignedAgentId?: string | undefined
  priorityMin?: number | undefined
  /** `live`: not archived. Those that have expired or were superseded are in none. */
  state: TaskListState
  now: number
}

export const taskListStates = ['live', 'archived', 'all'] as const
export type TaskListState = (typeof taskListStates)[number]

export const taskSorts = ['urgent', 'updated', 'newest'] as const
export type TaskSort = (typeof taskSorts)[number]

/** How many tasks there are of each status; statuses without any are missing. */
export async function countTasks(db: Reader, scope: VaultScope, filter: TaskFilter): Promise<Map<string, number>> {
  const rows = await tasksIn(db, scope, filter)
    .select((count) => ['taskStatus', count.fn.countAll<number>().as('count')])
    .groupBy('taskStatus')
    .execute()
  return new Map(rows.map(({ taskStatus, count }) => [taskStatus ?? '', count]))
}

/**
 * `urgent`: the most urgent first, then those changed last, in the order of the index, which is walked up to the end of the
 * page. In the other orders all tasks of the vault are looked at, though none of their rows.
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

const tasksIn = (db: Reader, scope: VaultScope, filter: TaskFilter) =>
  db
    .selectFrom('memories')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('type', '=', 'task')
    .where('taskStatus', 'is not', null)
    .where('supersededById', 'is', null)
    .where((memory) => memory.or([memory('expiresAt', 'is', null), memory('expiresAt', '>', filter.now)]))
    .$if(filter.taskIds !== undefined, (query) => query.where('id', 'in', filter.taskIds ?? []))
    .$if(filter.state === 'live', (query) => query.where('archivedAt', 'is', null))
    .$if(filter.state === 'archived', (query) => query.where('archivedAt', 'is not', null))
    // Also where any will do: it leads SQLite to the index of tasks.
    .where('importance', '>=', filter.priorityMin ?? 1)
    .$if(filter.assignedAgentId !== undefined, (query) =>
      query.where('assigneeTag', '=', assigneeTag(scope, filter.assignedAgentId ?? '')),
    )
