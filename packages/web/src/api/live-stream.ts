import type { Change } from './changed-lists.ts'

export type LiveState = 'connecting' | 'live' | 'polling'

const retryMs = 20_000

export interface StreamListener {
  onState(state: LiveState): void
  onChange(change: Change): void
  /** Nobody knows what has changed. */
  onMissed(): void
  /** The server does not let this browser listen, perhaps since nobody is signed in any more. */
  onRefused(): void
}

export interface Stream {
  close(): void
}

/**
 * The server's events, as long as it is not closed, from the one on that was heard last: `lastId`. Where nothing was, nobody tells
 * what happened before the stream was open.
 */
export function openStream({ onState, onChange, onMissed, onRefused }: StreamListener, lastId?: string): Stream {
  let heard = lastId
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  const connect = () => {
    const opened = new EventSource(
      heard === undefined ? '/api/events' : `/api/events?after=${encodeURIComponent(heard)}`,
    )
    const isFollowed = heard !== undefined
    source = opened
    opened.addEventListener('open', () => {
      onState('live')
      if (!isFollowed) onMissed()
    })
    opened.addEventListener('changed', ({ data, lastEventId }: MessageEvent<string>) => {
      heard = lastEventId
      onChange(JSON.parse(data) as Change)
    })
    opened.addEventListener('missed', onMissed)
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
