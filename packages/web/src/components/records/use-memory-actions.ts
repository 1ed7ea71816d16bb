import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type InputOf } from '../../api/call.ts'
import { refresh } from '../../api/queries.ts'
import { countOf } from '../text/time-text.ts'
import type { ListedMemory } from '@holdfast/client/dashboard'
import type { OperationName } from '../../api/operations.ts'
import { toast, toastError, toastUndo } from '../../shell/toasts.tsx'
import { reportRestored, reportUndone, undoEach, type UndoStep } from './undo-each.ts'

/** The queries to refresh after a memory changes. */
export const memoryReads: readonly OperationName[] = [
  'list-memories',
  'count-memories',
  'read-memory-history',
  'list-review',
  'read-overview',
  'list-vaults',
]

type Rated = Pick<ListedMemory, 'id' | 'title' | 'memoryType' | 'importance' | 'confidence'>
export type Rating = Pick<InputOf<'update-memories'>, 'memoryType' | 'importance' | 'confidence'>

/**
 * Actions on one or more memories. Each shows a toast with undo. `onDone` is a part of the action: after the lists are refreshed would be
 * too late, because an undo in between would be the next action, and nothing would wait for this one.
 */
export function useMemoryActions(vaultId: string) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (step: () => Promise<void>) => step(),
    onError: (error) => toastError(error),
    onSettled: () => refresh(client, memoryReads),
  })

  const archive = async (ids: readonly string[]) => {
    const { memories } = await call('archive-memories', { vaultId, ids: [...ids] })
    const changed = changedOf(memories)
    toastUndo(`${countMemories(changed.length)} archived`, () => mutate(() => restore(changed)))
  }
  const restore = async (ids: readonly string[]) => {
    if (ids.length === 0) return
    const { memories, notFound } = await call('update-memories', { vaultId, ids: [...ids], archived: false })
    reportRestored(changedOf(memories).length, notFound.length, 'memory', 'memories')
  }
  const change = async (memories: readonly Rated[], rating: Rating) => {
    const ids = memories.map(({ id }) => id)
    const answer = await call('update-memories', { vaultId, ids, ...rating })
    const steps = memories.flatMap((before) => {
      const after = answer.memories.find(({ memoryId }) => memoryId === before.id)
      return after?.changed === true ? [restoreRating(before, rating, after.version)] : []
    })
    toastUndo(`${countMemories(steps.length)} changed`, () => mutate(async () => reportUndone(await undoEach(steps))))
  }
  const restoreRating = (before: Rated, rating: Rating, expectedVersion: number): UndoStep => ({
    title: before.title,
    undo: () => call('update-memory', { vaultId, memoryId: before.id, expectedVersion, ...pick(before, rating) }),
  })

  const merge = async (keptId: string, otherIds: readonly string[]) => {
    const { undo } = await call('merge-memories', { vaultId, id: keptId, otherIds: [...otherIds] })
    const message = 'Memories merged. The history shows the replaced ones.'
    if (undo === null) toast(message)
    else toastUndo(message, () => mutate(() => unmerge(keptId, undo)))
  }
  const unmerge = async (keptId: string, undo: string) => {
    await call('decide-review', { vaultId, kind: 'duplicate', ids: [keptId], decision: 'undo', undo })
    toast('Undone')
  }

  return {
    isBusy: isPending,
    archive: (ids: readonly string[], onDone?: () => void) => mutate(() => archive(ids).then(onDone)),
    restore: (ids: readonly string[], onDone?: () => void) => mutate(() => restore(ids).then(onDone)),
    merge: (keptId: string, otherIds: readonly string[], onDone?: () => void) =>
      mutate(() => merge(keptId, otherIds).then(onDone)),
    rate: (memories: readonly Rated[], rating: Rating, onDone?: () => void) =>
      mutate(() => change(memories, rating).then(onDone)),
  }
}

const changedOf = (memories: readonly { memoryId: string; changed: boolean }[]) =>
  memories.filter(({ changed }) => changed).map(({ memoryId }) => memoryId)

/** The memory's values of the fields that a rating changes. */
const pick = (memory: Rated, rating: Rating): Rating =>
  Object.fromEntries(Object.keys(rating).map((name) => [name, memory[name as keyof Rating]]))

export const countMemories = (count: number) => countOf(count, 'memory', 'memories')
