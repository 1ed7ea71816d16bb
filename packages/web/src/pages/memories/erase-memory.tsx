import { useAction } from '../../api/queries.ts'
import { ConfirmByName } from '../../components/confirm.tsx'
import type { Memory } from '../../generated/operations.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { memoryReads } from './use-memory-actions.ts'

interface Props {
  vaultId: string
  memory: Memory
  isOpen: boolean
  onClose: () => void
  onGone: () => void
}

export function EraseMemory({ vaultId, memory: { id }, isOpen, onClose, onGone }: Props) {
  const erase = useAction('erase-memory', {
    refreshes: memoryReads,
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
      title="Delete this memory for good?"
      body="It goes with its links and its place in the search. Nobody can bring it back but from a backup; archived, it would stay readable here and be found by no agent."
      confirmLabel="Delete for good"
      isBusy={erase.isPending}
      onConfirm={() => erase.mutate({ vaultId, id }, { onError: (error) => toastError(error) })}
    />
  )
}
