import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type InputOf } from '../../api/call.ts'
import { refresh } from '../../api/queries.ts'
import { countOf } from '../text/time-text.ts'
import type { ListedMemory } from '@holdfast/client/dashboard'
import type { OperationName } from '../../api/operations.ts'
import { toast, toastError, toastUndo } from '../../shell/toasts.tsx'

/** The queries to refresh after a memory changes. */
export const memoryReads: readonly OperationName[] = [
  'list-memories',
  'count-memories',
  'read-memory-history',
  'list-review',
  'read-overview',
  'list-vaults',
]

type Rated = Pick<ListedMemory, 'id' | 'memoryType' | 'importance' | 'confidence'>
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
    const { memories } = await call('update-memories', { vaultId, ids: [...ids], archived: false })
    toast(`${countMemories(changedOf(memories).length)} restored`)
  }
  const change = async (memories: readonly Rated[], rating: Rating) => {
    const ids = memories.map(({ id }) => id)
    const answer = await call('update-memories', { vaultId, ids, ...rating })
    const changed = new Set(changedOf(answer.memories))
    const before = memories.filter(({ id }) => changed.has(id))
    toastUndo(`${countMemories(changed.size)} changed`, () => mutate(() => restoreRatings(before, rating)))
  }
  const restoreRatings = async (before: readonly Rated[], rating: Rating) => {
    const groups = Map.groupBy(before, (memory) => JSON.stringify(pick(memory, rating)))
    for (const memories of groups.values())
      await call('update-memories', {
        vaultId,
        ids: memories.map(({ id }) => id),
        ...pick(memories[0] as Rated, rating),
      })
    toast('Undone')
  }

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

/** The memory's current values of the fields that a rating changes. */
const pick = (memory: Rated, rating: Rating): Rating =>
  Object.fromEntries(Object.keys(rating).map((name) => [name, memory[name as keyof Rating]]))

export const countMemories = (count: number) => countOf(count, 'memory', 'memories')
