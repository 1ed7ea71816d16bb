import type { Reader } from '../db/dialect.ts'
import type { MemoryScope } from '../memories/store.ts'
import type { TaskStatus } from '../memories/task-state.ts'
import { assigneeTag } from '../memories/task-store.ts'

/** Which of a vault's tasks. What is left out does not filter. */
export interface TaskFilter {
  assignedAgentId?: string | undefined
  priorityMin?: number | undefined
  includeArchived: boolean
  now: number
}

/** How many tasks there are of each status; statuses without any are missing. */
export async function countTasks(db: Reader, scope: MemoryScope, filter: TaskFilter): Promise<Map<string, number>> {
  const rows = await tasksIn(db, scope, filter)
    .select((count) => ['tasks.status', count.fn.countAll<number>().as('count')])
    .groupBy('tasks.status')
    .execute()
  return new Map(rows.map(({ status, count }) => [status, count]))
}

/** The most urgent first, then those changed last. */
export async function listTaskIds(
  db: Reader,
  scope: MemoryScope,
  filter: TaskFilter & { statuses: readonly TaskStatus[] },
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  if (filter.statuses.length === 0) return []
  const rows = await tasksIn(db, scope, filter)
    .select('tasks.id')
    .where('tasks.status', 'in', filter.statuses)
    .orderBy('memories.importance', 'desc')
    .orderBy('memories.updatedAt', 'desc')
    .orderBy('tasks.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ id }) => id)
}

const tasksIn = (db: Reader, scope: MemoryScope, filter: TaskFilter) =>
  db
    .selectFrom('tasks')
    .innerJoin('memories', (join) =>
      join.onRef('memories.userId', '=', 'tasks.userId').onRef('memories.id', '=', 'tasks.id'),
    )
    .where('tasks.userId', '=', scope.userId)
    .where('tasks.vaultId', '=', scope.id)
    .where('memories.type', '=', 'task')
    .where('memories.supersededById', 'is', null)
    .where((memory) =>
      memory.or([memory('memories.expiresAt', 'is', null), memory('memories.expiresAt', '>', filter.now)]),
    )
    .$if(!filter.includeArchived, (query) => query.where('memories.archivedAt', 'is', null))
    .$if(filter.priorityMin !== undefined, (query) => query.where('memories.importance', '>=', filter.priorityMin ?? 1))
    .$if(filter.assignedAgentId !== undefined, (query) =>
      query.where('tasks.assigneeTag', '=', assigneeTag(scope, filter.assignedAgentId ?? '')),
    )
