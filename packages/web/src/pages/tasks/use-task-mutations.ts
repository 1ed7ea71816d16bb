import type { Task } from '@holdfast/client/dashboard'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { CallError } from '../../api/call-error.ts'
import { call, type InputOf } from '../../api/call.ts'
import type { OperationName } from '../../api/operations.ts'
import { refresh } from '../../api/queries.ts'
import { reportRestored, reportUndone, undoEach, type UndoStep } from '../../components/records/undo-each.ts'
import { capitalize } from '../../components/text/first-words.ts'
import { countOf } from '../../components/text/time-text.ts'
import { toast, toastError, toastConflict, toastUndo } from '../../shell/toasts.tsx'
import { changeCached, type CachedTasks } from './task-cache.ts'
import type { ListInput } from './task-filter.ts'

/** What a changed task invalidates. A task is also a memory. */
export const taskReads: readonly OperationName[] = [
  'list-tasks',
  'count-tasks',
  'list-memories',
  'count-memories',
  'list-vaults',
]

export type TaskEdit = Pick<InputOf<'update-task'>, 'status' | 'priority' | 'assignedAgentId' | 'blockedReason'>

interface Change {
  task: Task
  edit: TaskEdit
  /** The state or version the server must find, or the change fails with a conflict. Empty to overwrite. */
  expected: Pick<InputOf<'update-task'>, 'expectedStatus' | 'expectedVersion'>
  /** The text of the toast. Undefined for an undo. */
  message?: string
}

/** Changes to one or more tasks. Each can be undone from its toast. */
export function useTaskMutations(vaultId: string) {
  const one = useOneChange(vaultId)
  const client = useQueryClient()
  const { mutate: run, isPending } = useMutation({
    mutationFn: (step: () => Promise<void>) => step(),
    onError: (error) => toastError(error),
    onSettled: () => refresh(client, taskReads),
  })

  const editAll = async (tasks: readonly Task[], edit: TaskEdit, message: string) => {
    const undos: UndoStep[] = []
    const failures: unknown[] = []
    for (const task of tasks)
      try {
        const expected = { expectedVersion: task.version }
        const done = await call('update-task', { vaultId, taskId: task.taskId, ...expected, ...edit })
        if (done.updated) undos.push(editBack(task, edit, done.version))
      } catch (error) {
        failures.push(error)
      }
    if (failures.length > 0) toastError(failures[0], `${countTasks(failures.length)} not changed`)
    if (undos.length > 0)
      toastUndo(`${countTasks(undos.length)}: ${message}`, () => run(async () => reportUndone(await undoEach(undos))))
  }
  const editBack = (before: Task, edit: TaskEdit, expectedVersion: number): UndoStep => ({
    title: before.title,
    undo: () => call('update-task', { vaultId, taskId: before.taskId, expectedVersion, ...undoOf(before, edit) }),
  })
  const archive = async (ids: readonly string[]) => {
    const { memories } = await call('archive-memories', { vaultId, ids: [...ids] })
    const changed = changedOf(memories)
    toastUndo(`${countTasks(changed.length)} archived`, () => run(() => restore(changed)))
  }
  const restore = async (ids: readonly string[]) => {
    if (ids.length === 0) return
    const { memories, notFound } = await call('update-memories', { vaultId, ids: [...ids], archived: false })
    reportRestored(changedOf(memories).length, notFound.length, 'task', 'tasks')
  }

  return {
    isBusy: isPending,
    /** `message` describes the change, such as `moved to Done`. It follows the number of tasks or is the whole text. */
    edit(tasks: readonly Task[], edit: TaskEdit, message: string) {
      const [task] = tasks
      if (task === undefined) return
      if (tasks.length > 1) return run(() => editAll(tasks, edit, message))
      const expected = edit.status === undefined ? { expectedVersion: task.version } : { expectedStatus: task.status }
      one({ task, edit, expected, message: capitalize(message) })
    },
    archive: (ids: readonly string[]) => run(() => archive(ids)),
    restore: (ids: readonly string[]) => run(() => restore(ids)),
  }
}

/**
 * Changes one task. The change shows before the server responds and is undone if it fails. Changes are sent one at a time,
 * so that a person who works faster than the server doesn't conflict with their own changes.
 */
function useOneChange(vaultId: string): (change: Change) => void {
  const client = useQueryClient()
  const { withOwnVersion, add } = useOwnVersions()
  const mutationKey = ['update-task', vaultId]
  const isLast = () => client.isMutating({ mutationKey }) === 1
  const mutation = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: ({ task: { taskId: id }, expected, edit }: Change) =>
      call('update-task', { vaultId, taskId: id, ...withOwnVersion(id, expected), ...edit }),
    async onMutate({ task, edit }) {
      // A response that is on its way would show the old state.
      await client.cancelQueries({ queryKey: ['list-tasks', vaultId] })
      return showChange(client, vaultId, task, withEdit(task, edit))
    },
    onSuccess({ version, completedAt, updated }, { task, edit, message }) {
      const after = { ...withEdit(task, edit), version, completedAt }
      if (updated) add(after)
      // Shows the new version, unless more changes are on their way: then the screen is already ahead of it.
      if (isLast()) showChange(client, vaultId, withEdit(task, edit), after)
      if (message === undefined) toast('Undone')
      else if (updated)
        toastUndo(message, () =>
          mutation.mutate({ task: after, edit: undoOf(task, edit), expected: { expectedVersion: after.version } }),
        )
    },
    onError(error, change, before) {
      for (const [key, data] of before ?? []) client.setQueryData(key, data)
      const isConflict = error instanceof CallError && error.status === 409
      if (isConflict) toastConflict(error, () => mutation.mutate({ ...change, expected: {} }))
      else toastError(error)
    },
    onSettled() {
      if (isLast()) void refresh(client, taskReads)
    },
  })
  return mutation.mutate
}

/** Versions written by this page. A conflict with one of them isn't a conflict. */
function useOwnVersions() {
  const written = useRef(new Set<string>())
  const keyOf = (id: string, version: number) => `${id} ${version}`
  return {
    add: ({ taskId, version }: Task) => void written.current.add(keyOf(taskId, version)),
    withOwnVersion(id: string, { expectedVersion, ...expected }: Change['expected']): Change['expected'] {
      if (expectedVersion === undefined) return expected
      let version = expectedVersion
      while (written.current.has(keyOf(id, version + 1))) version++
      return { ...expected, expectedVersion: version }
    },
  }
}

/** Updates the cached tasks on screen. Returns the previous data. */
function showChange(client: QueryClient, vaultId: string, before: Task, after: Task) {
  const cached = client.getQueriesData<CachedTasks>({ queryKey: ['list-tasks', vaultId], type: 'active' })
  for (const [key, data] of cached)
    if (data !== undefined) client.setQueryData(key, changeCached(data, key[2] as ListInput, before, after))
  return cached
}

const byPerson = { integrationId: null, agentId: 'user', route: 'update-task', at: '' }

/** The task as it will be after the edit, as far as the page shows it. */
const withEdit = (task: Task, { status = task.status, ...edit }: TaskEdit): Task => ({
  ...task,
  status,
  priority: edit.priority ?? task.priority,
  assignedAgentId: edit.assignedAgentId === undefined ? task.assignedAgentId : edit.assignedAgentId,
  blockedReason: status === 'blocked' ? (edit.blockedReason ?? task.blockedReason) : null,
  ...(edit.blockedReason != null && { blockedBy: byPerson }),
})

/** The edit that undoes another. */
const undoOf = (before: Task, edit: TaskEdit): TaskEdit => ({
  ...(edit.status !== undefined && { status: before.status, blockedReason: before.blockedReason }),
  ...(edit.priority !== undefined && { priority: before.priority }),
  ...(edit.assignedAgentId !== undefined && { assignedAgentId: before.assignedAgentId }),
})

const changedOf = (memories: readonly { memoryId: string; changed: boolean }[]) =>
  memories.filter(({ changed }) => changed).map(({ memoryId }) => memoryId)

const countTasks = (count: number) => countOf(count, 'task')
