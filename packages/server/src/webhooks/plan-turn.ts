import type { Ready } from './lease-store.ts'

const maxInFlight = 64
const maxPerUser = 16
const maxPerWebhook = 4

/** Whose turn it is, going on behind the one that was served last; no endpoint and no user takes all of the room. */
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
