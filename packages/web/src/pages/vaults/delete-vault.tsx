import type { Vault } from '@holdfast/client/dashboard'
import { useAction } from '../../api/queries.ts'
import { ConfirmByName } from '../../components/feedback/confirm.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'

export function DeleteVault({ vault, onClose }: { vault: Vault | undefined; onClose: () => void }) {
  const remove = useAction('delete-vault', {
    refreshes: ['browse-vaults', 'list-integrations'],
    onDone() {
      toast(`${vault?.name} is erased`)
      onClose()
    },
  })
  if (vault === undefined) return null
  const { id, name, memoryCount, noteCount } = vault
  return (
    <ConfirmByName
      isOpen
      onClose={onClose}
      name={name}
      title={`Delete ${name} for good?`}
      body={
        <>
          {countOf(memoryCount, 'memory', 'memories')} and {countOf(noteCount, 'note')} go with it. Its keys are
          destroyed first, so that nobody can bring it back. To keep a copy, write one now: <code>holdfast export</code>
          .
        </>
      }
      confirmLabel="Delete for good"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ id, name }, { onError: (error) => toastError(error) })}
    />
  )
}
