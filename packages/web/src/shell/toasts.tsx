import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Check, GitMerge, X } from 'lucide-react'
import type { ReactNode } from 'react'
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

export const toastUndo = (message: string, undo: () => void): void =>
  toastChoice({ message, icon: <Check size={16} aria-hidden />, color: 'kelp' }, 'Undo', undo)

/** A change that somebody else was faster with: what to do about it is chosen, nothing is overwritten unasked. */
export const toastFaster = (error: unknown, insist: () => void): void =>
  toastChoice(
    {
      title: 'Somebody was faster',
      message: messageOf(error),
      icon: <GitMerge size={16} aria-hidden />,
      color: 'yellow',
    },
    'Do it all the same',
    insist,
  )

interface Told {
  title?: string
  message: string
  icon: ReactNode
  color: string
}

function toastChoice({ message, ...told }: Told, label: string, act: () => void): void {
  const id = notifications.show({
    autoClose: 10_000,
    ...told,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="md">
        <span>{message}</span>
        <Button
          variant="default"
          size="compact-sm"
          flex="none"
          onClick={() => {
            notifications.hide(id)
            act()
          }}
        >
          {label}
        </Button>
      </Group>
    ),
  })
}
