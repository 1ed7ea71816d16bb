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
      title={isAsking ? 'Make new recovery codes?' : 'Keep your recovery codes'}
      withCloseButton={isAsking}
      closeOnClickOutside={false}
      closeOnEscape={isAsking}
    >
      {isAsking ? (
        <BothFactorsForm action={renew} label="Make new codes" onClose={onClose}>
          The codes that you have now count no longer.
        </BothFactorsForm>
      ) : (
        <RecoveryCodes codes={renew.data.recoveryCodes} onKept={onClose} />
      )}
    </Modal>
  )
}
