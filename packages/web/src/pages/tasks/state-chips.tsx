import { UnstyledButton } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { formatCount } from '../../components/text/time-text.ts'
import classes from './state-chips.module.css'
import { statuses, titleOfStatus, type TaskStatus } from './task-looks.tsx'

interface Props {
  /** The number of tasks is undefined until it is known. */
  states: readonly { status: TaskStatus; total: number | undefined }[]
  /** The one whose column is in view. */
  shown: TaskStatus
  onShow: (status: TaskStatus) => void
}

/** On phones, which have room for one column of the board: all states with their number of tasks. */
export function StateChips({ states, shown, onShow }: Props) {
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    const chip = bar.current?.children.item(statuses.indexOf(shown))
    if (bar.current === null || !(chip instanceof HTMLElement)) return
    // Only the bar: `scrollIntoView` would also scroll the page, back to the chips.
    bar.current.scrollLeft = chip.offsetLeft - bar.current.offsetLeft - (bar.current.clientWidth - chip.offsetWidth) / 2
  }, [shown])
  return (
    <nav ref={bar} className={classes.chips} aria-label="States">
      {states.map(({ status, total }) => (
        <UnstyledButton
          key={status}
          className={classes.chip}
          aria-current={status === shown ? 'true' : undefined}
          onClick={() => onShow(status)}
        >
          <span className={classes.count}>{total === undefined ? '–' : formatCount(total)}</span>{' '}
          {titleOfStatus(status)}
        </UnstyledButton>
      ))}
    </nav>
  )
}
