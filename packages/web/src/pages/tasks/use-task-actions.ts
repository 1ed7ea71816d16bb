import type { Task } from '@holdfast/client/dashboard'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { CallError } from '../../api/call-error.ts'
import { call, type InputOf, type OutputOf } from '../../api/call.ts'
import type { OperationName } from '../../api/operations.ts'
import { refresh } from '../../api/queries.ts'
import { countOf } from '../../components/text/time-text.ts'
import { toast, toastError, toastFaster, toastUndo } from '../../shell/toasts.tsx'
import { changeCached, type CachedTasks } from './task-cache.ts'
import type { ListInput } from './task-filter.ts'

/** What is no longer true once a task has changed: it is a memory as well. */
export const taskReads: readonly OperationName[] = [
  'browse-tasks',
  'count-tasks',
  'browse-memories',
  'count-memories',
  'browse-vaults',
]

export type TaskEdit = Pick<InputOf<'edit-task'>, 'status' | 'priority' | 'assignedAgentId' | 'blockedReason'>

interface Change {
  task: Task
  edit: TaskEdit
  /** What the server is to find the task as; nothing where somebody insists. */
  expected: Pick<InputOf<'edit-task'>, 'expectedStatus' | 'expectedVersion'>
  /** What has happened; without it, it was taken back. */
  said?: string
}

/** What is done to one task or several. Each can be undone from the note that tells of it. */
export function useTaskActions(vaultId: string) {
  const one = useOneChange(vaultId)
  const client = useQueryClient()
  const { mutate: run, isPending } = useMutation({
    mutationFn: (step: () => Promise<void>) => step(),
    onError: (error) => toastError(error),
    onSettled: () => refresh(client, taskReads),
  })

  const editAll = async (tasks: readonly Task[], edit: TaskEdit, said: string) => {
    const done: OutputOf<'edit-task'>[] = []
    const failures: unknown[] = []
    for (const task of tasks)
      try {
        const expected = { expectedVersion: task.version }
        done.push(await call('edit-task', { vaultId, id: task.taskId, ...expected, ...edit }))
      } catch (error) {
        failures.push(error)
      }
    if (failures.length > 0) toastError(failures[0], `${countTasks(failures.length)} not changed`)
    const changed = done.filter(({ updated }) => updated).map(({ task }) => task)
    if (changed.length > 0)
      toastUndo(`${countTasks(changed.length)}: ${said}`, () => run(() => editBack(tasks, changed, edit)))
  }
  const editBack = async (tasks: readonly Task[], changed: readonly Task[], edit: TaskEdit) => {
    for (const { taskId: id, version: expectedVersion } of changed) {
      const before = tasks.find(({ taskId }) => taskId === id)
      if (before !== undefined) await call('edit-task', { vaultId, id, expectedVersion, ...backOf(before, edit) })
    }
    toast('Undone')
  }
  const putAway = async (ids: readonly string[]) => {
    const { memories } = await call('archive-memories', { vaultId, ids: [...ids] })
    const changed = changedOf(memories)
    toastUndo(`${countTasks(changed.length)} archived`, () => run(() => bringBack(changed)))
  }
  const bringBack = async (ids: readonly string[]) => {
    if (ids.length === 0) return
    const { memories } = await call('restore-memories', { vaultId, ids: [...ids] })
    toast(`${countTasks(changedOf(memories).length)} restored`)
  }

  return {
    isBusy: isPending,
    /** `said`: what becomes of them, to be read after their number or alone. */
    edit(tasks: readonly Task[], edit: TaskEdit, said: string) {
      const [task] = tasks
      if (task === undefined) return
      if (tasks.length > 1) return run(() => editAll(tasks, edit, said))
      const expected = edit.status === undefined ? { expectedVersion: task.version } : { expectedStatus: task.status }
      one({ task, edit, expected, said: capitalised(said) })
    },
    archive: (ids: readonly string[]) => run(() => putAway(ids)),
    restore: (ids: readonly string[]) => run(() => bringBack(ids)),
  }
}

/**
 * One task's change, shown before the server has answered, and taken back where it refuses. Changes are sent one after the
 * other: a person who is faster than the server is not to be late for what they did themselves.
 */
function useOneChange(vaultId: string): (change: Change) => void {
  const client = useQueryClient()
  const { newestOf, note } = useOwnVersions()
  const mutationKey = ['edit-task', vaultId]
  const isLast = () => client.isMutating({ mutationKey }) === 1
  const mutation = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: ({ task: { taskId: id }, expected, edit }: Change) =>
      call('edit-task', { vaultId, id, ...newestOf(id, expected), ...edit }),
    async onMutate({ task, edit }) {
      // Else an answer that is under way would show it as it was.
      await client.cancelQueries({ queryKey: ['browse-tasks', vaultId] })
      return showChange(client, vaultId, task, withEdit(task, edit))
    },
    onSuccess({ task: after, updated }, { task, edit, said }) {
      if (updated) note(after)
      // With its new version; where more is under way, the screen is ahead of it.
      if (isLast()) showChange(client, vaultId, withEdit(task, edit), after)
      if (said === undefined) toast('Undone')
      else if (updated)
        toastUndo(said, () =>
          mutation.mutate({ task: after, edit: backOf(task, edit), expected: { expectedVersion: after.version } }),
        )
    },
    onError(error, change, before) {
      for (const [key, data] of before ?? []) client.setQueryData(key, data)
      const isFaster = error instanceof CallError && error.status === 409
      if (isFaster) toastFaster(error, () => mutation.mutate({ ...change, expected: {} }))
      else toastError(error)
    },
    onSettled() {
      if (isLast()) void refresh(client, taskReads)
    },
  })
  return mutation.mutate
}

/** The versions that this page itself has made: to be late for them is none. */
function useOwnVersions() {
  const made = useRef(new Set<string>())
  const nameOf = (id: string, version: number) => `${id} ${version}`
  return {
    note: ({ taskId, version }: Task) => void made.current.add(nameOf(taskId, version)),
    newestOf(id: string, { expectedVersion, ...expected }: Change['expected']): Change['expected'] {
      if (expectedVersion === undefined) return expected
      let version = expectedVersion
      while (made.current.has(nameOf(id, version + 1))) version++
      return { ...expected, expectedVersion: version }
    },
  }
}

/** Changes what is on the screen; returns what was. */
function showChange(client: QueryClient, vaultId: string, before: Task, after: Task) {
  const cached = client.getQueriesData<CachedTasks>({ queryKey: ['browse-tasks', vaultId], type: 'active' })
  for (const [key, data] of cached)
    if (data !== undefined) client.setQueryData(key, changeCached(data, key[2] as ListInput, before, after))
  return cached
}

/** As the server will have it, as far as that is seen. */
const withEdit = (task: Task, { status = task.status, ...edit }: TaskEdit): Task => ({
  ...task,
  status,
  priority: edit.priority ?? task.priority,
  assignedAgentId: edit.assignedAgentId === undefined ? task.assignedAgentId : edit.assignedAgentId,
  blockedReason: status === 'blocked' ? (edit.blockedReason ?? task.blockedReason) : null,
})

/** The edit that leads back. */
const backOf = (before: Task, edit: TaskEdit): TaskEdit => ({
  ...(edit.status !== undefined && { status: before.status, blockedReason: before.blockedReason }),
  ...(edit.priority !== undefined && { priority: before.priority }),
  ...(edit.assignedAgentId !== undefined && { assignedAgentId: before.assignedAgentId }),
})

const changedOf = (memories: readonly { memoryId: string; changed: boolean }[]) =>
  memories.filter(({ changed }) => changed).map(({ memoryId }) => memoryId)

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const countTasks = (count: number) => countOf(count, 'task')
