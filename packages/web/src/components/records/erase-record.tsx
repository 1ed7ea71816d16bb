import type { OperationName } from '../../api/operations.ts'
import { useAction } from '../../api/queries.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { ConfirmByName } from '../feedback/confirm.tsx'

interface Props {
  vaultId: string
  id: string
  what: 'memory' | 'task'
  isOpen: boolean
  onClose: () => void
  /** Operations whose answers are no longer true after it. */
  refreshes: readonly OperationName[]
  onGone: () => void
}

/** Deletes an archived memory, or the task that it is, for good. */
export function EraseRecord({ vaultId, id, what, isOpen, onClose, refreshes, onGone }: Props) {
  const erase = useAction('erase-memory', {
    refreshes,
    onDone() {
      toast('Deleted for good')
      onClose()
      onGone()
    },
  })
  return (
    <ConfirmByName
      isOpen={isOpen}
      onClose={onClose}
      name="delete"
      title={`Delete this ${what} for good?`}
      body="It goes with its links and its place in the search. Nobody can bring it back but from a backup; archived, it would stay readable here and be found by no agent."
      confirmLabel="Delete for good"
      isBusy={erase.isPending}
      onConfirm={() => erase.mutate({ vaultId, id }, { onError: (error) => toastError(error) })}
    />
  )
}
