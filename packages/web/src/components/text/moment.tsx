import { useNow } from './clock.ts'
import classes from './moment.module.css'
import { formatAgo, formatMoment } from './time-text.ts'

/**
 * A time as its distance from now; the exact one is shown on demand, by the browser itself, and read from the element: a page has a
 * hundred of them, and components that show hints take a third of the time in which a list is drawn.
 */
export function Moment({ at, never = 'never' }: { at: string | null; never?: string }) {
  const nowMs = useNow()
  if (at === null) return <span className={classes.never}>{never}</span>
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatAgo(at, nowMs)}
    </time>
  )
}
