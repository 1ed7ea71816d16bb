import type { Change } from './changed-lists.ts'

export type LiveState = 'connecting' | 'live' | 'polling'

const retryMs = 20_000

export interface StreamListener {
  onState(state: LiveState): void
  /** `newsId`: of what was heard; a stream that begins later goes on behind it. */
  onChange(change: Change, newsId: string): void
  /** Nobody knows what has changed up to `newsId`. */
  onMissed(newsId: string | undefined): void
  /** The server does not let this browser listen, perhaps since nobody is signed in any more. */
  onRefused(): void
}

export interface Stream {
  close(): void
}

/**
 * The server's events, as long as it is not closed, behind the one that was heard last. Where nothing was, nobody tells what
 * happened before the stream was open.
 */
export function openStream(
  { onState, onChange, onMissed, onRefused }: StreamListener,
  lastHeard: () => string | undefined,
): Stream {
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  const connect = () => {
    const heard = lastHeard()
    const opened = new EventSource(
      heard === undefined ? '/api/events' : `/api/events?after=${encodeURIComponent(heard)}`,
    )
    source = opened
    opened.addEventListener('open', () => {
      onState('live')
      if (heard === undefined) onMissed(undefined)
    })
    opened.addEventListener('changed', ({ data, lastEventId }: MessageEvent<string>) =>
      onChange(JSON.parse(data) as Change, lastEventId),
    )
    opened.addEventListener('missed', ({ lastEventId }: MessageEvent<string>) => onMissed(lastEventId))
    opened.addEventListener('error', () => {
      onState('polling')
      // Otherwise the browser tries again by itself, and says what it heard last.
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
