import type { QueryClient } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { applyAll, applyChanges, type Change } from './changed-lists.ts'
import type { OutputOf } from './call.ts'
import { createInbox, type Inbox } from './live-inbox.ts'
import { openStream, type LiveState, type Stream, type StreamListener } from './live-stream.ts'
import { waitForTurn } from './live-turn.ts'
import { keyOf } from './queries.ts'

/**
 * Live updates: one stream of events a browser, shared by its tabs, since a browser has six connections to a server. One tab leads: it
 * listens and tells the others; when it is closed, another one leads. Where there is no stream, what is on
 * the screen is asked for every 20 seconds. A tab that nobody has looked at for minutes does nothing.
 */

const channelName = 'holdfast-live'
const pollMs = 20_000
const hiddenForLongMs = 5 * 60_000

type Message =
  | { kind: 'state'; state: LiveState }
  | { kind: 'changed'; change: Change; newsId: string }
  | { kind: 'missed'; newsId: string | undefined }
  /** Another tab listens from now on, for what comes behind this: who has heard something else may have missed something. */
  | { kind: 'led'; newsId: string | undefined }
  /** A tab that has just opened, or no longer leads, wants to know the state. */
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
  const inbox = createInbox(
    () => !document.hidden,
    (changes) => void applyChanges(client, changes),
  )
  const channel = new BroadcastChannel(channelName)
  const tell = (message: Message) => send(channel, message)
  // Of before the first answer that a page shows: the stream tells what none of them holds, and nothing is asked for twice.
  const news = followNews(inbox, client.getQueryData<OutputOf<'session'>>(keyOf('session', {}))?.newsId)
  const leadership = createLeadership({
    lastHeard: news.lastId,
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
    onRefused: () => void client.invalidateQueries({ queryKey: ['session'] }),
    onYield: () => tell({ kind: 'ask' }),
  })
  // Nothing but a question: answers to answers would go on for ever where two tabs lead for a moment.
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
  /** Of what this tab has heard last, by the stream or from the tab that listens. */
  lastId(): string | undefined
  hear(change: Change, newsId: string): void
  /** What was told up to there is not known. */
  miss(newsId: string | undefined): void
  /** Somebody listens for what comes behind this, which may leave something out here. */
  compare(newsId: string | undefined): void
}

function followNews(inbox: Inbox, firstId: string | undefined): FollowedNews {
  let lastId = firstId
  const miss = (newsId: string | undefined) => {
    lastId = newsId
    inbox.takeAll()
  }
  return {
    lastId: () => lastId,
    hear(change, newsId) {
      lastId = newsId
      inbox.take(change)
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
  const goOn = () => {
    if (isPaused) {
      inbox.takeAll()
      leadership.begin()
    }
    isPaused = false
    inbox.open()
  }
  const onChange = () => {
    clearTimeout(pause)
    if (document.hidden) pause = setTimeout(stop, hiddenForLongMs)
    else goOn()
  }
  document.addEventListener('visibilitychange', onChange)
  // A tab that goes makes place for the next one; where the browser keeps its page, it may come back.
  window.addEventListener('pagehide', stop)
  window.addEventListener('pageshow', goOn)
  return () => {
    clearTimeout(pause)
    document.removeEventListener('visibilitychange', onChange)
    window.removeEventListener('pagehide', stop)
    window.removeEventListener('pageshow', goOn)
  }
}

interface Leadership {
  /** Listens once it is this tab's turn. */
  begin(): void
  end(): void
  restart(): void
  isLeader(): boolean
}

interface Leader extends StreamListener {
  lastHeard(): string | undefined
  onLead(): void
  onYield(): void
}

function createLeadership(leader: Leader): Leadership {
  let turn: AbortController | undefined
  let stream: Stream | undefined
  const close = () => {
    stream?.close()
    stream = undefined
  }
  return {
    begin() {
      turn?.abort()
      turn = new AbortController()
      waitForTurn(turn.signal, {
        lead() {
          leader.onLead()
          stream = openStream(leader, leader.lastHeard)
        },
        yieldTurn() {
          close()
          leader.onYield()
        },
      })
    },
    end() {
      turn?.abort()
      close()
    },
    restart() {
      if (stream === undefined) return
      close()
      stream = openStream(leader, leader.lastHeard)
    },
    isLeader: () => stream !== undefined,
  }
}
