import { Button, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import type { Question } from './confirm-step.tsx'
import { DialogButtons } from './dialog-buttons.tsx'

interface ByNameProps extends Question {
  isOpen: boolean
  onClose: () => void
  /** The text to type. */
  name: string
  isBusy: boolean
  /** What to choose, below the text. */
  children?: ReactNode
}

/** Asks before a step that deletes a lot. The person types the name, so it doesn't happen by accident. */
export function ConfirmByName({
  isOpen,
  onClose,
  name,
  title,
  body,
  children,
  confirmLabel,
  onConfirm,
  isBusy,
}: ByNameProps) {
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
          {children}
          <TextInput
            label={
              <>
                Type <b>{name}</b> to confirm
              </>
            }
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          <DialogButtons onCancel={close}>
            <Button color="red" type="submit" disabled={typed !== name} loading={isBusy}>
              {confirmLabel}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Modal>
  )
}
