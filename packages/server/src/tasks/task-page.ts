import { z } from 'zod'
import { taskStatuses, type TaskStatus } from '../memories/task-state.ts'
import type { VaultContext } from '../operation/context.ts'
import { page, pageOf } from '../operation/page.ts'
import { compareBy, countTasks, findListed, listTaskIds, type TaskFilter, type TaskSort } from './store.ts'
import { describeTask, exampleTask, findTasksById, taskRecord, taskStatus } from './task.ts'

/** A page of a vault's tasks, for agents and for the person. */

export const taskPage = z.looseObject({
  tasks: z.array(taskRecord),
  counts: z
    .record(taskStatus, z.int())
    .describe('How many tasks there are of each status, whatever statuses were asked for.'),
  ...page,
})

export type TaskPage = z.input<typeof taskPage>

interface Wanted extends Omit<TaskFilter, 'now'> {
  statuses: readonly TaskStatus[]
  sort: TaskSort
  limit: number
  offset: number
  /** Only these, however many. */
  chosenIds?: readonly string[] | undefined
}

export async function findTaskPage(ctx: VaultContext, wanted: Wanted): Promise<TaskPage> {
  const { db, vault } = ctx
  const { statuses, limit, offset } = wanted
  const { counted, ids } = await findPlaces(ctx, wanted)
  const counts = Object.fromEntries(taskStatuses.map((status) => [status, counted.get(status) ?? 0]))
  return {
    tasks: (await findTasksById(db.read, vault, ids)).map(describeTask),
    counts: counts as Record<TaskStatus, number>,
    ...pageOf(
      { limit, offset },
      statuses.reduce((total, status) => total + (counted.get(status) ?? 0), 0),
    ),
  }
}

/** How many there are of each status, and the ids of the page. */
async function findPlaces(
  { db, vault, now }: VaultContext,
  { chosenIds, ...wanted }: Wanted,
): Promise<{ counted: Map<string, number>; ids: string[] }> {
  const { statuses, sort, limit, offset } = wanted
  const filter = { ...wanted, now: now() }
  if (chosenIds === undefined) {
    const counted = await countTasks(db.read, vault, filter)
    return { counted, ids: await listTaskIds(db.read, vault, filter, { limit, offset, sort }) }
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

/** The statuses that are asked for; an empty list asks for all. */
export function statusesAmong(status: TaskStatus | readonly TaskStatus[]): TaskStatus[] {
  const asked = typeof status === 'string' ? [status] : status
  return taskStatuses.filter((known) => asked.length === 0 || asked.includes(known))
}

export const exampleTaskPage: TaskPage = {
  tasks: [exampleTask],
  counts: { backlog: 0, todo: 0, in_progress: 1, done: 3, blocked: 0 },
  total: 1,
  limit: 20,
  offset: 0,
  hasMore: false,
}
