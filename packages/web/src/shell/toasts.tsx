import { Button, Group } from '@mantine/core'
import { notifications, notificationsStore, type NotificationData } from '@mantine/notifications'
import { Check, GitMerge, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf } from '../api/call-error.ts'
import { loadParts } from './later.ts'

export const maxToasts = 4

/** The newest is always visible, with its Undo: if there are too many, the oldest one leaves. By itself, a new one would wait for that. */
function show(content: NotificationData): string {
  void loadParts()
  const { notifications: shown } = notificationsStore.getState()
  const [oldest] = shown
  if (shown.length >= maxToasts && oldest?.id !== undefined) notifications.hide(oldest.id)
  return notifications.show(content)
}

/** Shows a short message in the corner, which screen readers announce. Toasts with a button stay longer. */
export function toast(message: string): void {
  show({ message, icon: <Check size={16} aria-hidden />, color: 'kelp', autoClose: 4_000 })
}

export function toastError(error: unknown, title = 'Action failed'): void {
  show({
    title,
    message: messageOf(error),
    icon: <X size={16} aria-hidden />,
    color: 'red',
    autoClose: 10_000,
  })
}

/** For what was done only in part. */
export function toastWarning(message: string): void {
  show({ message, icon: <TriangleAlert size={16} aria-hidden />, color: 'yellow', autoClose: 10_000 })
}

/** Returns a function that hides it. */
export const toastUndo = (message: string, undo: () => void): (() => void) =>
  toastChoice({ message, icon: <Check size={16} aria-hidden />, color: 'kelp' }, 'Undo', undo)

/** Reports a conflicting change by someone else, and offers to overwrite it. */
export const toastConflict = (error: unknown, overwrite: () => void): unknown =>
  toastChoice(
    {
      title: 'Changed by someone else',
      message: messageOf(error),
      icon: <GitMerge size={16} aria-hidden />,
      color: 'yellow',
    },
    'Overwrite',
    overwrite,
  )

interface ToastContent {
  title?: string
  message: string
  icon: ReactNode
  color: string
}

function toastChoice({ message, ...content }: ToastContent, label: string, act: () => void): () => void {
  const id = show({
    autoClose: 10_000,
    ...content,
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
  return () => notifications.hide(id)
}
