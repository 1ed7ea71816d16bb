import type { QueryClient } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { applyAll, applyChange, type Change } from './changed-lists.ts'

/**
 * Live updates: one stream of events a browser, shared by its tabs, since a browser has six connections to a server. The tab that holds
 * the lock listens and tells the others; when it is closed, the next one in line gets the lock. Where there is no stream, what is on
 * the screen is asked for every 20 seconds. A tab that nobody has looked at for minutes does nothing.
 */

export type LiveState = 'connecting' | 'live' | 'polling'

const channelName = 'holdfast-live'
const pollMs = 20_000
const hiddenForLongMs = 5 * 60_000

type Message =
  | { kind: 'state'; state: LiveState }
  | { kind: 'changed'; change: Change }
  | { kind: 'missed' }
  /** A tab that has just opened wants to know the state. */
  | { kind: 'ask' }
  /** Somebody has signed in: the stream is to be theirs. */
  | { kind: 'restart' }

let state: LiveState = 'connecting'
const listeners = new Set<() => void>()

function setState(next: LiveState): void {
  if (next === state) return
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLiveState = () => useSyncExternalStore(subscribe, () => state)

/** Keeps what is on the screen true, as long as somebody who is signed in looks at it. */
export function useLiveUpdates(): void {
  const client = useQueryClient()
  useEffect(() => startLive(client), [client])
}

/** To all tabs: whoever listens does so as the one who has just signed in. */
export function restartLive(): void {
  const channel = new BroadcastChannel(channelName)
  send(channel, { kind: 'restart' })
  channel.close()
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin and takes no other argument
const send = (channel: BroadcastChannel, message: Message) => channel.postMessage(message)

function startLive(client: QueryClient): () => void {
  const inbox = createInbox(client)
  const channel = new BroadcastChannel(channelName)
  const tell = (message: Message) => send(channel, message)
  const leadership = createLeadership({
    onState(next) {
      setState(next)
      tell({ kind: 'state', state: next })
    },
    onChange(change) {
      inbox.take(change)
      tell({ kind: 'changed', change })
    },
    onMissed() {
      inbox.takeAll()
      tell({ kind: 'missed' })
    },
    onRefused: () => void client.invalidateQueries({ queryKey: ['session'] }),
  })
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'changed') inbox.take(data.change)
    else if (data.kind === 'missed') inbox.takeAll()
    else if (data.kind === 'restart') leadership.restart()
    else if (leadership.isLeader()) tell({ kind: 'state', state })
    else if (data.kind === 'state') setState(data.state)
  })
  tell({ kind: 'ask' })
  leadership.begin()
  const endPauses = pauseWhileHidden(leadership, inbox)
  const polling = setInterval(() => {
    if (state !== 'live' && !document.hidden) void applyAll(client)
  }, pollMs)
  return () => {
    clearInterval(polling)
    endPauses()
    leadership.end()
    channel.close()
    setState('connecting')
  }
}

/** What has changed while nobody looks waits until somebody does. */
function createInbox(client: QueryClient) {
  let waiting: Change[] = []
  let isAll = false
  return {
    take(change: Change) {
      if (document.hidden) waiting.push(change)
      else void applyChange(client, change)
    },
    takeAll() {
      if (document.hidden) isAll = true
      else void applyAll(client)
    },
    open() {
      if (isAll) void applyAll(client)
      else for (const change of waiting) void applyChange(client, change)
      waiting = []
      isAll = false
    },
  }
}

function pauseWhileHidden(leadership: Leadership, inbox: ReturnType<typeof createInbox>): () => void {
  let pause: ReturnType<typeof setTimeout> | undefined
  let isPaused = false
  const onChange = () => {
    clearTimeout(pause)
    if (document.hidden) {
      pause = setTimeout(() => {
        isPaused = true
        leadership.end()
      }, hiddenForLongMs)
      return
    }
    if (isPaused) {
      inbox.takeAll()
      leadership.begin()
    }
    isPaused = false
    inbox.open()
  }
  document.addEventListener('visibilitychange', onChange)
  return () => {
    clearTimeout(pause)
    document.removeEventListener('visibilitychange', onChange)
  }
}

interface Leadership {
  /** Listens once it is this tab's turn. */
  begin(): void
  end(): void
  restart(): void
  isLeader(): boolean
}

interface StreamListener {
  onState(state: LiveState): void
  onChange(change: Change): void
  /** Nobody knows what has changed. */
  onMissed(): void
  /** The server does not let this browser listen, perhaps since nobody is signed in any more. */
  onRefused(): void
}

function createLeadership(listener: StreamListener): Leadership {
  let turn: AbortController | undefined
  let stream: ReturnType<typeof openStream> | undefined
  return {
    begin() {
      turn?.abort()
      turn = new AbortController()
      void waitForTurn(turn.signal, () => {
        stream = openStream(listener)
      })
    },
    end() {
      turn?.abort()
      stream?.close()
      stream = undefined
    },
    restart() {
      if (stream === undefined) return
      stream.close()
      stream = openStream(listener)
      listener.onMissed()
    },
    isLeader: () => stream !== undefined,
  }
}

/** Holds the lock until the signal. Where the browser knows no locks (plain HTTP over a network), each tab listens for itself. */
async function waitForTurn(signal: AbortSignal, lead: () => void): Promise<void> {
  // Missing outside of secure contexts, whatever its type says.
  const locks = navigator.locks as LockManager | undefined
  if (locks === undefined) return lead()
  const whileHeld = () => {
    if (signal.aborted) return Promise.resolve()
    lead()
    return new Promise<void>((done) => signal.addEventListener('abort', () => done()))
  }
  try {
    await locks.request(channelName, { signal }, whileHeld)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function openStream({ onState, onChange, onMissed, onRefused }: StreamListener) {
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  const connect = (isAgain: boolean) => {
    const opened = new EventSource('/api/events')
    source = opened
    opened.addEventListener('open', () => {
      onState('live')
      if (isAgain) onMissed()
    })
    opened.addEventListener('changed', ({ data }: MessageEvent<string>) => onChange(JSON.parse(data) as Change))
    opened.addEventListener('missed', onMissed)
    opened.addEventListener('error', () => {
      onState('polling')
      // Otherwise the browser tries again by itself, and says what it heard last.
      if (opened.readyState !== EventSource.CLOSED) return
      onRefused()
      retry = setTimeout(connect, pollMs, true)
    })
  }
  connect(false)
  return {
    close() {
      clearTimeout(retry)
      source?.close()
    },
  }
}
