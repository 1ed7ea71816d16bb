import type { Ready } from './lease-store.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The wait before each attempt, after the previous one ended: the example of Standard Webhooks, 75 h 35 min in total. */
export const delaysMs = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

const jitter = 0.2

/**
 * How long to wait after attempt number `attempt` failed; undefined after the last one. Spread by ±20 %, so that deliveries that
 * failed together aren't retried together. A Retry-After header can at most double the usual wait.
 */
export function waitAfter(
  attempt: number,
  { retryAfterMs, random }: { retryAfterMs: number | undefined; random: number },
): number | undefined {
  const due = delaysMs[attempt]
  if (due === undefined) return undefined
  const spread = due * (1 - jitter + 2 * jitter * random)
  return Math.round(Math.max(spread, Math.min(retryAfterMs ?? 0, 2 * due)))
}

/** Seconds or an HTTP date; undefined for anything else. */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * second
  // Other date formats are ambiguous about the hour or the time zone.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

const maxInFlight = 64
const maxPerUser = 16
const maxPerWebhook = 4

/** Chooses the endpoints to serve next, starting after the last one, so no endpoint or user takes all the capacity. */
export function planTurn(
  ready: readonly Ready[],
  underWay: readonly { userId: string; webhookId: string }[],
  lastServed: string,
): { ready: Ready; most: number }[] {
  const used = new Map<string, number>()
  const add = (id: string, count: number) => used.set(id, (used.get(id) ?? 0) + count)
  for (const { userId, webhookId } of underWay) {
    add(userId, 1)
    add(webhookId, 1)
  }
  let room = maxInFlight - underWay.length
  const start = ready.findIndex(({ webhookId }) => webhookId > lastServed)
  const inTurn = start === -1 ? ready : [...ready.slice(start), ...ready.slice(0, start)]
  const plan: { ready: Ready; most: number }[] = []
  for (const one of inTurn) {
    const { userId, webhookId } = one
    const most = Math.min(room, maxPerWebhook - (used.get(webhookId) ?? 0), maxPerUser - (used.get(userId) ?? 0))
    if (most <= 0) continue
    plan.push({ ready: one, most })
    room -= most
    add(userId, most)
  }
  return plan
}
