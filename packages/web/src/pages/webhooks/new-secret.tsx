import { Button, Modal, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { SecretOnce } from '../../components/text/code-block.tsx'

/** Closes only with its buttons, since the secret is shown only once. */
export function NewSecret({
  created,
  onClose,
}: {
  created: { id: string; secret: string } | undefined
  onClose: () => void
}) {
  return (
    <Modal
      opened={created !== undefined}
      onClose={onClose}
      title="Signing secret"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size="lg"
    >
      <Stack>
        <SecretOnce secret={created?.secret ?? ''} label="Signing secret">
          Your service needs this secret to verify signatures. It is shown only once. If you lose it, rotate it.
        </SecretOnce>
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            Done
          </Button>
          {created !== undefined && (
            <Button onClick={onClose} renderRoot={(props) => <Link {...props} to={`/webhooks/${created.id}`} />}>
              Open the webhook
            </Button>
          )}
        </DialogButtons>
      </Stack>
    </Modal>
  )
}
