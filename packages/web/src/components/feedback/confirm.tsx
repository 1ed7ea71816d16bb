import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useId, useState, type ReactNode } from 'react'

interface Question {
  title: string
  body: ReactNode
  confirmLabel: string
  onConfirm: () => void
}

/** Before a step that cannot be undone but loses little. Closing it any other way does nothing. */
export function confirmStep({ title, body, confirmLabel, onConfirm }: Question): void {
  modals.openConfirmModal({
    title,
    children: <Text>{body}</Text>,
    labels: { confirm: confirmLabel, cancel: 'Cancel' },
    confirmProps: { color: 'red' },
    onConfirm,
  })
}

interface ByNameProps extends Question {
  isOpen: boolean
  onClose: () => void
  /** What has to be typed. */
  name: string
  isBusy: boolean
}

/** Before a step that destroys a lot: the name of what goes has to be typed, so that it is no slip. */
export function ConfirmByName({ isOpen, onClose, name, title, body, confirmLabel, onConfirm, isBusy }: ByNameProps) {
  const [typed, setTyped] = useState('')
  const form = useId()
  const close = () => {
    setTyped('')
    onClose()
  }
  return (
    <Modal opened={isOpen} onClose={close} title={title}>
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault()
          if (typed === name) onConfirm()
        }}
      >
        <Stack>
          <Text>{body}</Text>
          <TextInput
            label={
              <>
                Type <b>{name}</b> to go on
              </>
            }
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button color="red" type="submit" disabled={typed !== name} loading={isBusy}>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
