import type { Change } from './changed-lists.ts'

export type LiveState = 'connecting' | 'live' | 'polling'

const retryMs = 20_000

export interface StreamListener {
  onState(state: LiveState): void
  /** `newsId` identifies this change. The next stream continues after it. */
  onChange(change: Change, newsId: string): void
  /** It is unknown what has changed up to `newsId`. */
  onMissed(newsId: string | undefined): void
  /** The server refused the connection, for example because the session ended. */
  onRefused(): void
}

export interface Stream {
  close(): void
}

/**
 * Listens to the server's events until it is closed, starting after the last one received. Without one, changes from
 * before the stream opened are unknown.
 */
export function openStream(
  { onState, onChange, onMissed, onRefused }: StreamListener,
  lastReceived: () => string | undefined,
): Stream {
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  const connect = () => {
    const lastId = lastReceived()
    const opened = new EventSource(
      lastId === undefined ? '/api/events' : `/api/events?after=${encodeURIComponent(lastId)}`,
    )
    source = opened
    opened.addEventListener('open', () => {
      onState('live')
      if (lastId === undefined) onMissed(undefined)
    })
    opened.addEventListener('changed', ({ data, lastEventId }: MessageEvent<string>) =>
      onChange(JSON.parse(data) as Change, lastEventId),
    )
    opened.addEventListener('missed', ({ lastEventId }: MessageEvent<string>) => onMissed(lastEventId))
    opened.addEventListener('error', () => {
      onState('polling')
      // In other states the browser reconnects by itself and sends the id of the last event.
      if (opened.readyState !== EventSource.CLOSED) return
      onRefused()
      retry = setTimeout(connect, retryMs)
    })
  }
  connect()
  return {
    close() {
      clearTimeout(retry)
      source?.close()
    },
  }
}
