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
  /** Queries that the deletion makes stale. */
  refreshes: readonly OperationName[]
  onGone: () => void
}

/** Deletes an archived memory or task permanently. */
export function EraseRecord({ vaultId, id, what, isOpen, onClose, refreshes, onGone }: Props) {
  const erase = useAction('erase-memory', {
    refreshes,
    onDone() {
      toast('Deleted permanently')
      onClose()
      onGone()
    },
  })
  return (
    <ConfirmByName
      isOpen={isOpen}
      onClose={onClose}
      name="delete"
      title={`Delete this ${what} permanently?`}
      body="This also deletes its links. Only a backup can bring it back. While it is archived, agents can’t find it, but you can still read it here."
      confirmLabel="Delete permanently"
      isBusy={erase.isPending}
      onConfirm={() => erase.mutate({ vaultId, id }, { onError: (error) => toastError(error) })}
    />
  )
}
