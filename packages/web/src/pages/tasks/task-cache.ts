import type { Task } from '@holdfast/client/dashboard'
import type { InfiniteData } from '@tanstack/react-query'
import type { OutputOf } from '../../api/call.ts'
import type { ListInput } from './task-filter.ts'

/**
 * Applies a change to the cached lists, columns and task before the server responds. The server's response replaces it
 * shortly after.
 */
export type TaskPage = OutputOf<'list-tasks'>
export type CachedTasks = TaskPage | InfiniteData<TaskPage>

/** `input` is the input of the cached list. */
export function changeCached(data: CachedTasks, input: ListInput, before: Task, after: Task): CachedTasks {
  if ('pages' in data) return { ...data, pages: changePages(data.pages, input, before, after) }
  return changePages([data], input, before, after)[0] ?? data
}

function changePages(pages: readonly TaskPage[], input: ListInput, before: Task, after: Task): TaskPage[] {
  const isIn = ({ status }: Task) => input.status?.includes(status) ?? true
  const isThere = pages.some(({ tasks }) => tasks.some((task) => task.taskId === after.taskId))
  // A task that is already on another page isn't new to the list.
  const isAdded = !isThere && isIn(after) && !isIn(before)
  const isRemoved = isThere && !isIn(after)
  return pages.map((page, at) => {
    const tasks = isRemoved
      ? page.tasks.filter(({ taskId }) => taskId !== after.taskId)
      : page.tasks.map((task) => (task.taskId === after.taskId ? after : task))
    return {
      ...page,
      tasks: isAdded && at === 0 ? insert(tasks, after, input.sort) : tasks,
      total: page.total + (isAdded ? 1 : 0) - (isRemoved ? 1 : 0),
      counts: moveCount(page.counts, before, after),
    }
  })
}

/** Inserts the task where the server will sort it, as the one updated last. */
function insert(tasks: readonly Task[], task: Task, sort: ListInput['sort'] = 'urgent'): Task[] {
  const comesAfter = {
    urgent: (other: Task) => other.priority <= task.priority,
    updated: () => true,
    newest: (other: Task) => other.taskId < task.taskId,
  }[sort]
  const at = tasks.findIndex(comesAfter)
  return tasks.toSpliced(at === -1 ? tasks.length : at, 0, task)
}

function moveCount(counts: TaskPage['counts'], before: Task, after: Task): TaskPage['counts'] {
  if (before.status === after.status) return counts
  return {
    ...counts,
    [before.status]: counts[before.status] - 1,
    [after.status]: counts[after.status] + 1,
  }
}
