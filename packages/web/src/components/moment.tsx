import { Text, Tooltip } from '@mantine/core'
import { useNow } from './clock.ts'
import { formatAgo, formatMoment } from './time-text.ts'

/** A time as its distance from now; the exact one is shown on demand, and read from the element. */
export function Moment({ at, never = 'never' }: { at: string | null; never?: string }) {
  const nowMs = useNow()
  if (at === null)
    return (
      <Text span inherit c="dimmed">
        {never}
      </Text>
    )
  return (
    <Tooltip label={formatMoment(at)}>
      <time dateTime={at}>{formatAgo(at, nowMs)}</time>
    </Tooltip>
  )
}
