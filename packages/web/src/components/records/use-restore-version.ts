import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/call.ts'
import type { OperationName } from '../../api/operations.ts'
import { refresh } from '../../api/queries.ts'
import { toast, toastError, toastUndo } from '../../shell/toasts.tsx'
import { memoryReads } from './use-memory-actions.ts'

/** A task is also a memory. */
const reads: readonly OperationName[] = [...memoryReads, 'list-tasks', 'count-tasks']

interface Restored {
  memoryId: string
  /** The version to restore. */
  fromVersion: number
  /** The version that the page shows. If the record has changed since, nothing is restored. */
  expectedVersion: number
  /** The text of the toast. */
  message: string
}

/** Restores an older version of a memory or task. Can be undone from its toast. */
export function useRestoreVersion(vaultId: string) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (step: () => Promise<void>) => step(),
    onError: (error) =>
      error instanceof CallError && error.status === 409
        ? toast('It has changed in the meantime. Nothing was restored: look at the new text first.')
        : toastError(error),
    onSettled: () => refresh(client, reads),
  })
  const restore = async ({ memoryId, fromVersion, expectedVersion, message }: Restored) => {
    const { version } = await call('update-memory', { vaultId, memoryId, fromVersion, expectedVersion })
    // What was replaced is kept as a version itself.
    const undo = async () => {
      await call('update-memory', { vaultId, memoryId, fromVersion: expectedVersion, expectedVersion: version })
      toast('Undone')
    }
    toastUndo(message, () => mutate(undo))
  }
  return { isBusy: isPending, restore: (restored: Restored) => mutate(() => restore(restored)) }
}
