import type { Task } from '@holdfast/client/dashboard'
import type { InfiniteData } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { changeCached, type TaskPage } from './task-cache.ts'

const taskOf = (taskId: string, over: Partial<Task> = {}) => ({ taskId, status: 'todo', priority: 3, ...over }) as Task

const pageOf = (tasks: Task[], total = tasks.length): TaskPage => ({
  tasks,
  counts: { backlog: 0, todo: 3, in_progress: 1, blocked: 0, done: 0 },
  total,
  limit: 2,
  offset: 0,
  hasMore: false,
})

const [a, b, c] = [taskOf('a', { priority: 5 }), taskOf('b'), taskOf('c', { priority: 1 })]
const started = { ...b, status: 'in_progress' } as const

it('removes a task from its old column, whichever page it is on', () => {
  const column: InfiniteData<TaskPage> = { pages: [pageOf([a], 3), pageOf([b, c], 3)], pageParams: [0, 2] }
  const after = changeCached(column, { status: ['todo'] }, b, started) as typeof column
  expect(after.pages.map(({ tasks, total }) => [tasks, total])).toEqual([
    [[a], 2],
    [[c], 2],
  ])
  expect(after.pages[0]?.counts).toMatchObject({ todo: 2, in_progress: 2 })
  expect(column.pages[1]?.tasks).toEqual([b, c])
})

it('inserts it into the new column where the server will sort it', () => {
  const [high, low] = [taskOf('h', { priority: 4 }), taskOf('l', { priority: 3 })]
  const column = { pages: [pageOf([high, low], 2)], pageParams: [0] }
  const into = (sort?: 'urgent' | 'updated' | 'newest') => {
    const changed = changeCached(column, { status: ['in_progress'], sort }, b, started) as typeof column
    expect(changed.pages[0]?.total).toBe(3)
    return changed.pages[0]?.tasks.map(({ taskId }) => taskId).join('')
  }
  expect([into(), into('updated'), into('newest')]).toEqual(['hbl', 'bhl', 'hlb'])
  const empty = { pages: [pageOf([], 0)], pageParams: [0] }
  expect(changeCached(empty, { status: ['in_progress'] }, b, started)).toMatchObject({ pages: [{ tasks: [started] }] })
})

it('doesn’t change other columns, and updates the task in place in a list of all states', () => {
  const other = { pages: [pageOf([a])], pageParams: [0] }
  expect(changeCached(other, { status: ['done'] }, b, started)).toMatchObject({ pages: [{ tasks: [a], total: 1 }] })
  const list = changeCached(pageOf([a, b], 9), {}, b, started)
  expect(list).toMatchObject({ tasks: [a, started], total: 9 })
  // The task is on another page of the list.
  expect(changeCached(pageOf([a], 9), {}, b, started)).toMatchObject({ tasks: [a], total: 9 })
})

it('updates the task that is shown, and no other', () => {
  expect(changeCached(pageOf([b], 1), { taskIds: [b.taskId] }, b, started)).toMatchObject({
    tasks: [started],
    total: 1,
  })
  expect(changeCached(pageOf([a], 1), { taskIds: [a.taskId] }, b, started)).toMatchObject({ tasks: [a], total: 1 })
})
