import { Modal } from '@mantine/core'
import { useAction } from '../../api/queries.ts'
import { toast } from '../../shell/toasts.tsx'
import { BothFactorsForm } from './both-factors-form.tsx'

export function RemoveFactor({ onClose }: { onClose: () => void }) {
  const remove = useAction('remove-totp', {
    refreshes: ['read-totp', 'list-sessions'],
    onDone() {
      toast('Second factor removed')
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title="Remove the second factor?">
      <BothFactorsForm action={remove} label="Remove" color="red" onClose={onClose}>
        After that, you sign in with just your password. You are signed out everywhere else, and your recovery codes
        stop working.
      </BothFactorsForm>
    </Modal>
  )
}
