import classes from './moment.module.css'
import { formatAgo, formatAgoBriefly, formatClock, formatExact, formatStep, formatTime } from './time-text.ts'
import { useSyncExternalStore } from 'react'

interface Props {
  at: string | null
  never?: string
  /** In few letters, where there is little room. */
  isBrief?: boolean
}

/**
 * A relative time. The exact time is a native tooltip: a page has a hundred of these, and tooltip components took a third of the time
 * in which a list renders.
 */
export function Moment({ at, never = 'never', isBrief = false }: Props) {
  const nowMs = useNow()
  if (at === null) return <span className={classes.never}>{never}</span>
  return (
    <time dateTime={at} title={formatExact(at)}>
      {isBrief ? formatAgoBriefly(at, nowMs) : formatAgo(at, nowMs)}
    </time>
  )
}

/** The time of a step among others, which would all have the same relative time. */
export const StepTime = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatExact(at)}>
    {formatStep(at)}
  </time>
)

/** The same for lists in which relative times would say little, such as nine times “yesterday”. */
export const ClockTime = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatExact(at)}>
    {formatClock(at)}
  </time>
)

const hourMs = 3_600_000

/** The time of a row below a heading with its day: how long ago within an hour. Before that, many rows would have the same. */
export function TimeOfDay({ at }: { at: string }) {
  const nowMs = useNow()
  return (
    <time dateTime={at} title={formatExact(at)}>
      {nowMs - Date.parse(at) < hourMs ? formatAgo(at, nowMs) : formatTime(at)}
    </time>
  )
}

const tickMs = 15_000

/** One clock for all relative times of the page. It runs while any of them is visible. */
let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick(): void {
  nowMs = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    // The clock had stopped.
    nowMs = Date.now()
    timer = setInterval(tick, tickMs)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

export const useNow = () => useSyncExternalStore(subscribe, () => nowMs)
