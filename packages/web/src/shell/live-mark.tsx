import { VisuallyHidden } from '@mantine/core'
import { CloudOff, LoaderCircle, Radio, RefreshCw, type LucideIcon } from 'lucide-react'
import type { LiveState } from '../api/live-stream.ts'
import { useLiveState } from '../api/live.ts'
import { useReachable } from '../api/reachability.ts'
import { useParts } from './later.ts'
import classes from './live-mark.module.css'

interface Mark {
  word: string
  description: string
  icon: LucideIcon
}

const marks: Readonly<Record<LiveState | 'offline', Mark>> = {
  live: { word: 'Live', description: 'Changes appear automatically.', icon: Radio },
  connecting: { word: 'Connecting', description: 'Connecting to live updates.', icon: LoaderCircle },
  polling: {
    word: 'Every 20 s',
    description: 'No live connection. Pages refresh every 20 seconds.',
    icon: RefreshCw,
  },
  offline: { word: 'Offline', description: 'The server can’t be reached. You may be seeing old data.', icon: CloudOff },
}

/** Shows whether the page is up to date. */
export function LiveMark() {
  const live = useLiveState()
  const isReachable = useReachable()
  const state = isReachable ? live : 'offline'
  const { word, description, icon: Icon } = marks[state]
  const parts = useParts()
  const mark = (
    <span className={classes.mark} data-live={state}>
      <Icon size={14} aria-hidden />
      {word}
      <VisuallyHidden>: {description}</VisuallyHidden>
    </span>
  )
  if (parts === undefined) return mark
  return (
    <parts.Tooltip label={description} events={{ hover: true, focus: false, touch: true }} multiline maw={240}>
      {mark}
    </parts.Tooltip>
  )
}
