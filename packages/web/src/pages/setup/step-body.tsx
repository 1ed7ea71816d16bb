import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './step-body.module.css'

export interface StepProps {
  /** Undefined in the first step. */
  onBack: (() => void) | undefined
  onNext: () => void
}

interface Props {
  onBack: (() => void) | undefined
  /** The button that leads on. */
  next: ReactNode
  /** Stays in view above the buttons while you scroll. */
  status?: ReactNode
  children: ReactNode
}

/** What a step asks for, and its buttons at the bottom of the card. */
export function StepBody({ onBack, next, status, children }: Props) {
  return (
    <div className={classes.body}>
      {children}
      <div className={status === undefined ? classes.foot : `${classes.foot} ${classes.pinned}`}>
        {status}
        <Group justify="space-between" mt="md">
          {onBack !== undefined && (
            <Button variant="default" onClick={onBack}>
              Back
            </Button>
          )}
          <div style={{ marginInlineStart: 'auto' }}>{next}</div>
        </Group>
      </div>
    </div>
  )
}
