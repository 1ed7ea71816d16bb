import type { Change } from './changed-lists.ts'
import { readEvents } from './read-events.ts'
import { sessionHeaders } from './session-key.ts'

export type LiveState = 'connecting' | 'live' | 'polling'

/** After a connection that broke, and after one that the server refused. */
const [retryMs, refusedRetryMs] = [3_000, 20_000]

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
 *
 * Uses fetch, because a browser's own reader of events (EventSource) can't send the session key.
 */
export function openStream(listener: StreamListener, lastReceived: () => string | undefined): Stream {
  const closing = new AbortController()
  let retry: ReturnType<typeof setTimeout> | undefined
  const connect = async (): Promise<void> => {
    const wasRefused = await listen(listener, lastReceived(), closing.signal).catch(() => false)
    if (closing.signal.aborted) return
    listener.onState('polling')
    if (wasRefused) listener.onRefused()
    retry = setTimeout(() => void connect(), wasRefused ? refusedRetryMs : retryMs)
  }
  void connect()
  return {
    close() {
      clearTimeout(retry)
      closing.abort()
    },
  }
}

/** Resolves when the stream ends: true if the server refused it. */
async function listen(
  { onState, onChange, onMissed }: StreamListener,
  lastId: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const query = lastId === undefined ? '' : `?after=${encodeURIComponent(lastId)}`
  const { ok, body } = await fetch(`/api/events${query}`, { headers: sessionHeaders(), signal })
  if (!ok || body === null) return true
  onState('live')
  if (lastId === undefined) onMissed(undefined)
  for await (const { event, data, id } of readEvents(body)) {
    if (event === 'changed') onChange(JSON.parse(data) as Change, id)
    if (event === 'missed') onMissed(id)
  }
  return false
}
