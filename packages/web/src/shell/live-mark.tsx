import { Tooltip, VisuallyHidden } from '@mantine/core'
import { CloudOff, LoaderCircle, Radio, RefreshCw, type LucideIcon } from 'lucide-react'
import type { LiveState } from '../api/live-stream.ts'
import { useLiveState } from '../api/live.ts'
import { useReachable } from '../api/reachability.ts'
import classes from './live-mark.module.css'

interface Mark {
  word: string
  means: string
  icon: LucideIcon
}

const marks: Readonly<Record<LiveState | 'offline', Mark>> = {
  live: { word: 'Live', means: 'What changes appears by itself.', icon: Radio },
  connecting: { word: 'Connecting', means: 'Live updates are about to begin.', icon: LoaderCircle },
  polling: {
    word: 'Every 20 s',
    means: 'There is no live connection: what you see is asked for every 20 seconds.',
    icon: RefreshCw,
  },
  offline: { word: 'Offline', means: 'The server cannot be reached. What you see may be old.', icon: CloudOff },
}

/** Whether what is on the screen is what is stored. */
export function LiveMark() {
  const live = useLiveState()
  const isReachable = useReachable()
  const state = isReachable ? live : 'offline'
  const { word, means, icon: Icon } = marks[state]
  return (
    <Tooltip label={means} events={{ hover: true, focus: false, touch: true }} multiline maw={240}>
      <span className={classes.mark} data-live={state}>
        <Icon size={14} aria-hidden />
        {word}
        <VisuallyHidden>: {means}</VisuallyHidden>
      </span>
    </Tooltip>
  )
}
