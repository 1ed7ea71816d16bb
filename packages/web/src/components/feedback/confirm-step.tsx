import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'
import { askForParts } from '../../shell/later.ts'

export interface Question {
  title: string
  body: ReactNode
  confirmLabel: string
  onConfirm: () => void
}

/** Asks before a step that loses little but can't be undone. */
export function confirmStep({ title, body, confirmLabel, onConfirm }: Question): void {
  void askForParts().then(() =>
    modals.openConfirmModal({
      title,
      children: <Text>{body}</Text>,
      labels: { confirm: confirmLabel, cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      onConfirm,
    }),
  )
}
