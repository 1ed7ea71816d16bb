import type { QueryClient } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { applyAll, applyChanges, type Change } from './changed-lists.ts'
import type { OutputOf } from './call.ts'
import { createInbox, type Inbox } from './live-inbox.ts'
import { openStream, type LiveState, type Stream, type StreamListener } from './live-stream.ts'
import { keyOf } from './queries.ts'

/**
 * Live updates: the tabs of a browser share one stream of events, because a browser opens at most six connections to a server. One tab
 * leads: it listens and forwards events to the others. When it closes, another one leads. Without a stream, each tab asks for what it
 * shows every 20 seconds. A tab that was hidden for minutes does nothing.
 */

const channelName = 'holdfast-live'
const pollMs = 20_000
const hiddenForLongMs = 5 * 60_000

type Message =
  | { kind: 'state'; state: LiveState }
  | { kind: 'changed'; change: Change; newsId: string }
  | { kind: 'missed'; newsId: string | undefined }
  /** Another tab leads now and listens for events after this one. A tab whose last event differs may have missed some. */
  | { kind: 'led'; newsId: string | undefined }
  /** A new tab asks for the state. */
  | { kind: 'ask' }
  /** Someone signed in, so the stream must be opened for them. */
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

/** Keeps the screen up to date while a person who is signed in looks at it. */
export function useLiveUpdates(): void {
  const client = useQueryClient()
  useEffect(() => startLive(client), [client])
}

/** Reopens the stream, in whichever tab it is, for the person who has just signed in. */
export function restartLive(): void {
  const channel = new BroadcastChannel(channelName)
  send(channel, { kind: 'restart' })
  channel.close()
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin and takes no other argument
const send = (channel: BroadcastChannel, message: Message) => channel.postMessage(message)

function startLive(client: QueryClient): () => void {
  const inbox = createInbox(
    () => !document.hidden,
    (changes) => void applyChanges(client, changes),
  )
  const channel = new BroadcastChannel(channelName)
  const tell = (message: Message) => send(channel, message)
  // Starts at the session's answer, which comes before the first answer of any page. So no change is missed and none is read twice.
  const news = followNews(inbox, client.getQueryData<OutputOf<'read-session'>>(keyOf('read-session', {}))?.newsId)
  const leadership = createLeadership({
    lastReceived: news.lastId,
    onLead: () => tell({ kind: 'led', newsId: news.lastId() }),
    onState(next) {
      setState(next)
      tell({ kind: 'state', state: next })
    },
    onChange(change, newsId) {
      news.hear(change, newsId)
      tell({ kind: 'changed', change, newsId })
    },
    onMissed(newsId) {
      news.miss(newsId)
      tell({ kind: 'missed', newsId })
    },
    onRefused: () => void client.invalidateQueries({ queryKey: ['read-session'] }),
  })
  // Only answers questions. If two tabs lead for a moment, answers to answers would never end.
  const answer = (kind: 'ask' | 'state') => kind === 'ask' && tell({ kind: 'state', state })
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'changed') news.hear(data.change, data.newsId)
    else if (data.kind === 'missed') news.miss(data.newsId)
    else if (data.kind === 'led') news.compare(data.newsId)
    else if (data.kind === 'restart') leadership.restart()
    else if (leadership.isLeader()) answer(data.kind)
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

interface FollowedNews {
  /** The last event that this tab received, from the stream or the leading tab. */
  lastId(): string | undefined
  hear(change: Change, newsId: string): void
  /** Events up to this one may have been missed. */
  miss(newsId: string | undefined): void
  /** A tab listens for events after this one. If it is not the last one here, some may have been missed. */
  compare(newsId: string | undefined): void
}

function followNews(inbox: Inbox, firstId: string | undefined): FollowedNews {
  let lastId = firstId
  const miss = (newsId: string | undefined) => {
    lastId = newsId
    inbox.addAll()
  }
  return {
    lastId: () => lastId,
    hear(change, newsId) {
      lastId = newsId
      inbox.add(change)
    },
    miss,
    compare(newsId) {
      if (newsId !== lastId) miss(newsId)
    },
  }
}

function pauseWhileHidden(leadership: Leadership, inbox: Inbox): () => void {
  let pause: ReturnType<typeof setTimeout> | undefined
  let isPaused = false
  const stop = () => {
    isPaused = true
    leadership.end()
  }
  const resume = () => {
    if (isPaused) {
      inbox.addAll()
      leadership.begin()
    }
    isPaused = false
    inbox.open()
  }
  const onChange = () => {
    clearTimeout(pause)
    if (document.hidden) pause = setTimeout(stop, hiddenForLongMs)
    else resume()
  }
  document.addEventListener('visibilitychange', onChange)
  // A closed tab lets the next one lead. If the browser keeps its page, it may come back.
  window.addEventListener('pagehide', stop)
  window.addEventListener('pageshow', resume)
  return () => {
    clearTimeout(pause)
    document.removeEventListener('visibilitychange', onChange)
    window.removeEventListener('pagehide', stop)
    window.removeEventListener('pageshow', resume)
  }
}

interface Leadership {
  /** Opens the stream when it is this tab's turn. */
  begin(): void
  end(): void
  restart(): void
  isLeader(): boolean
}

interface Leader extends StreamListener {
  lastReceived(): string | undefined
  onLead(): void
}

// Undefined outside secure contexts, such as plain HTTP from another machine, whatever its type says.
const locks = globalThis.navigator.locks as LockManager | undefined

/** The tab that holds a lock leads. When it closes, the browser gives the lock to the next tab. Without locks, each tab polls. */
function createLeadership(leader: Leader): Leadership {
  let turn: AbortController | undefined
  let stream: Stream | undefined
  const open = () => {
    stream = openStream(leader, leader.lastReceived)
  }
  const close = () => {
    stream?.close()
    stream = undefined
  }
  return {
    begin() {
      if (locks === undefined) return setState('polling')
      turn?.abort()
      turn = new AbortController()
      void waitForLock(locks, turn.signal, () => {
        leader.onLead()
        open()
      })
    },
    end() {
      turn?.abort()
      close()
    },
    restart() {
      if (stream === undefined) return
      close()
      open()
    },
    isLeader: () => stream !== undefined,
  }
}

async function waitForLock(manager: LockManager, signal: AbortSignal, lead: () => void): Promise<void> {
  const whileHeld = () => {
    if (signal.aborted) return Promise.resolve()
    lead()
    return new Promise<void>((done) => signal.addEventListener('abort', () => done()))
  }
  try {
    await manager.request(channelName, { signal }, whileHeld)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
