import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './dialog-buttons.module.css'

/** The buttons at the end of a dialog, always in view. `onCancel` adds the one that closes it. */
export function DialogButtons({ onCancel, children }: { onCancel?: () => void; children: ReactNode }) {
  return (
    <Group justify="flex-end" className={classes.buttons}>
      {onCancel !== undefined && (
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      )}
      {children}
    </Group>
  )
}
