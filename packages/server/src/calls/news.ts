import { randomUUID } from 'node:crypto'
import type { ChangeType } from './call.ts'

/**
 * Informs open pages about changes, as vault ids and record types, never content. Only the number of the latest change of each type is
 * kept, so a page that was away for minutes gets everything at once, and memory is bounded by vaults and types.
 */

/** Changes within this time after the first are sent together. */
const gatherMs = 10
/** Pause between two messages to one person, because pages reload what they show, and an import may change thousands of records. */
const restMs = 1_000
/** The same for agents' reads, which only change counts and times. */
const callsRestMs = 5_000
/** How long news is kept for a person without a listening page. */
const keptMs = 5 * 60_000

export interface News {
  /** Call after the commit. `vaultId` is undefined for changes outside of vaults. */
  announce(userId: string, vaultId: string | undefined, types: readonly ChangeType[]): void
  /** Call after any call by an agent. */
  announceCall(userId: string): void
  /** The id of the latest news. From now on news is kept for some minutes, for a listener that passes this id. */
  latestId(userId: string): string
  /** `lastId`: the id of the last news that the listener received. `missed` is undefined if news since then is no longer known. */
  listen(
    userId: string,
    listener: NewsListener,
    lastId: string | undefined,
  ): { missed: ChangeNews[] | undefined; leave(): void }
  /** The users whose news is kept, because a page listens, did so recently or is about to. */
  followed(): string[]
}

export interface ChangeNews {
  id: string
  /** Null for changes outside of vaults. */
  vaultId: string | null
  types: ChangeType[]
}

type NewsListener = (news: ChangeNews) => void

interface Audience {
  /** Identifies the numbering, because numbers of another process or from before a pause are meaningless. */
  name: string
  count: number
  listeners: Set<NewsListener>
  /** By vault ('' for none): the number of the latest news of each type. */
  latest: Map<string, Map<ChangeType, number>>
  waiting: Map<string, Set<ChangeType>>
  timer: NodeJS.Timeout | undefined
  notifiedAt: number
  callsTimer: NodeJS.Timeout | undefined
  callsAt: number
  leftAt: number
}

/** `now`: a monotonic clock in milliseconds. */
export function createNews(now: () => number = () => performance.now()): News {
  const audiences = new Map<string, Audience>()

  function forgetInactive(): void {
    for (const [userId, { listeners, leftAt, timer, callsTimer }] of audiences) {
      if (listeners.size > 0 || leftAt + keptMs > now()) continue
      clearTimeout(timer)
      clearTimeout(callsTimer)
      audiences.delete(userId)
    }
  }

  function audienceOf(userId: string): Audience {
    forgetInactive()
    const audience = audiences.get(userId) ?? newAudience()
    audiences.set(userId, audience)
    return audience
  }

  return {
    announce(userId, vaultId, types) {
      const audience = audiences.get(userId)
      if (audience !== undefined && types.length > 0) gather(audience, vaultId, types, now)
    },
    announceCall(userId) {
      const audience = audiences.get(userId)
      if (audience === undefined || audience.callsTimer !== undefined) return
      const inMs = audience.callsAt + callsRestMs - now()
      if (inMs <= 0) announceCalls(audience, now)
      else audience.callsTimer = setTimeout(announceCalls, inMs, audience, now).unref()
    },
    latestId(userId) {
      const audience = audienceOf(userId)
      audience.leftAt = now()
      return `${audience.name}-${audience.count}`
    },
    listen(userId, listener, lastId) {
      const audience = audienceOf(userId)
      audience.listeners.add(listener)
      return {
        missed: lastId === undefined ? [] : missedSince(audience, lastId),
        leave() {
          audience.listeners.delete(listener)
          audience.leftAt = now()
        },
      }
    },
    followed() {
      forgetInactive()
      return [...audiences.keys()]
    },
  }
}

function gather(
  audience: Audience,
  vaultId: string | undefined,
  types: readonly ChangeType[],
  now: () => number,
): void {
  const waiting = audience.waiting.get(vaultId ?? '') ?? new Set<ChangeType>()
  audience.waiting.set(vaultId ?? '', waiting)
  for (const type of types) waiting.add(type)
  audience.timer ??= setTimeout(tell, Math.max(gatherMs, audience.notifiedAt + restMs - now()), audience, now).unref()
}

function announceCalls(audience: Audience, now: () => number): void {
  audience.callsTimer = undefined
  audience.callsAt = now()
  gather(audience, undefined, ['agents', 'runs'], now)
}

function tell(audience: Audience, now: () => number): void {
  audience.timer = undefined
  audience.notifiedAt = now()
  for (const [vault, types] of audience.waiting) {
    const number = ++audience.count
    const latest = audience.latest.get(vault) ?? new Map<ChangeType, number>()
    audience.latest.set(vault, latest)
    for (const type of types) latest.set(type, number)
    const news = describe(audience, vault, [...types], number)
    for (const listener of audience.listeners) listener(news)
  }
  audience.waiting.clear()
}

function missedSince(audience: Audience, lastId: string): ChangeNews[] | undefined {
  const [name, number = ''] = lastId.split('-')
  const since = Number(number)
  if (name !== audience.name || !Number.isSafeInteger(since) || since > audience.count) return undefined
  const missed = [...audience.latest].map(([vault, latest]) => ({
    vault,
    late: [...latest].filter(([, at]) => at > since),
  }))
  return missed
    .filter(({ late }) => late.length > 0)
    .map(({ vault, late }) => ({
      vault,
      types: late.map(([type]) => type),
      last: Math.max(...late.map(([, at]) => at)),
    }))
    .toSorted((a, b) => a.last - b.last)
    .map(({ vault, types, last }) => describe(audience, vault, types, last))
}

const describe = ({ name }: Audience, vault: string, types: ChangeType[], number: number): ChangeNews => ({
  id: `${name}-${number}`,
  vaultId: vault === '' ? null : vault,
  types,
})

const newAudience = (): Audience => ({
  name: randomUUID().slice(0, 8),
  count: 0,
  listeners: new Set(),
  latest: new Map(),
  waiting: new Map(),
  timer: undefined,
  notifiedAt: -Infinity,
  callsTimer: undefined,
  callsAt: -Infinity,
  leftAt: 0,
})
