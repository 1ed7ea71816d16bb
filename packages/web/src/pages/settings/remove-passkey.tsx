import type { Passkey } from '@holdfast/client/dashboard'
import { Modal } from '@mantine/core'
import { useAction } from '../../api/queries.ts'
import { toast } from '../../shell/toasts.tsx'
import { PasswordStep } from './password-step.tsx'

interface Props {
  passkey: Passkey
  isOpen: boolean
  onClose: () => void
  /** Called before the list reloads and the row disappears. */
  onRemoved: () => void
}

export function RemovePasskey({ passkey: { id, name }, isOpen, onClose, onRemoved }: Props) {
  const remove = useAction('remove-passkey', {
    refreshes: ['list-passkeys', 'list-sessions'],
    onDone() {
      toast(`Passkey ${name} removed`)
      onRemoved()
      onClose()
    },
  })
  const action = {
    isPending: remove.isPending,
    mutate: (given: { password: string }, options: { onError: (error: Error) => void }) =>
      remove.mutate({ id, ...given }, options),
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Remove ${name}?`}>
      <PasswordStep action={action} label="Remove" onClose={onClose}>
        It can no longer be used to sign in, and you are signed out everywhere else. Your device still lists it, so
        delete it there as well.
      </PasswordStep>
    </Modal>
  )
}
