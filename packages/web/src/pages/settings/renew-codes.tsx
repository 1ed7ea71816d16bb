import { Modal } from '@mantine/core'
import { useAction } from '../../api/queries.ts'
import { BothFactorsForm } from './both-factors-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

export function RenewCodes({ onClose }: { onClose: () => void }) {
  const renew = useAction('renew-recovery-codes', { refreshes: ['read-totp'] })
  const isAsking = renew.data === undefined
  return (
    <Modal
      opened
      onClose={onClose}
      title={isAsking ? 'Create new recovery codes?' : 'Save your recovery codes'}
      withCloseButton={isAsking}
      closeOnClickOutside={false}
      closeOnEscape={isAsking}
    >
      {isAsking ? (
        <BothFactorsForm action={renew} label="Create new codes" onClose={onClose}>
          Your current codes stop working.
        </BothFactorsForm>
      ) : (
        <RecoveryCodes codes={renew.data.recoveryCodes} onSaved={onClose} />
      )}
    </Modal>
  )
}
