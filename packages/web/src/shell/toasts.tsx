import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Check, X } from 'lucide-react'
import { messageOf } from '../api/call-error.ts'

/** Short notes in a corner; each is an alert that screen readers read out. Those with something to do stay longer. */
export function toast(message: string): void {
  notifications.show({ message, icon: <Check size={16} aria-hidden />, color: 'kelp', autoClose: 4_000 })
}

export function toastError(error: unknown, title = 'That did not work'): void {
  notifications.show({
    title,
    message: messageOf(error),
    icon: <X size={16} aria-hidden />,
    color: 'red',
    autoClose: 10_000,
  })
}

export function toastUndo(message: string, undo: () => void): void {
  const id = notifications.show({
    autoClose: 10_000,
    color: 'kelp',
    icon: <Check size={16} aria-hidden />,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="md">
        <span>{message}</span>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  })
}
