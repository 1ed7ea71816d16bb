import type { Vault } from '@holdfast/client/dashboard'
import { useAction } from '../../api/queries.ts'
import { ConfirmByName } from '../../components/feedback/confirm-by-name.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { useServerCommand } from '../../shell/server-command.ts'
import { toast, toastError } from '../../shell/toasts.tsx'

export function DeleteVault({ vault, onClose }: { vault: Vault | undefined; onClose: () => void }) {
  const command = useServerCommand()
  const remove = useAction('delete-vault', {
    refreshes: ['list-vaults', 'list-integrations'],
    onDone() {
      toast(`Vault ${vault?.name} deleted`)
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
      title={`Delete ${name} permanently?`}
      body={
        <>
          This deletes {countOf(memoryCount, 'memory', 'memories')} and {countOf(noteCount, 'note')}. The vault’s keys
          are destroyed first, so only a backup that someone made could bring it back. To keep a copy, run{' '}
          <code>{command(`export --vault ${id} --out vault.zip`)}</code> first.
        </>
      }
      confirmLabel="Delete permanently"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ id, name }, { onError: (error) => toastError(error) })}
    />
  )
}
