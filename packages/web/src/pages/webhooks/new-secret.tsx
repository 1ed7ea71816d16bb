import { Button, Group, Modal, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { SecretOnce } from '../../components/text/code-block.tsx'

/** Closed by its buttons alone: the secret is gone afterwards. */
export function NewSecret({
  made,
  onClose,
}: {
  made: { id: string; secret: string } | undefined
  onClose: () => void
}) {
  return (
    <Modal
      opened={made !== undefined}
      onClose={onClose}
      title="The secret that signs what is sent"
      closeOnClickOutside={false}
      closeOnEscape={false}
      size="lg"
    >
      <Stack>
        <SecretOnce secret={made?.secret ?? ''} label="Signing secret">
          Give it to the program that receives: it checks signatures with it. It cannot be shown again, only rotated.
        </SecretOnce>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            I have it
          </Button>
          {made !== undefined && (
            <Button onClick={onClose} renderRoot={(props) => <Link {...props} to={`/webhooks/${made.id}`} />}>
              I have it, open the webhook
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
