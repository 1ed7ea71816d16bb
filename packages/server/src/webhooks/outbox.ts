import { newId } from '../core/ids.ts'
import { isoTime } from '../core/time.ts'
import type { Tx } from '../db/dialect.ts'
import type { EventName } from './event.ts'
import { insertDeliveries, listListeners, type Listener } from './outbox-store.ts'

/** Something that happened to a message. */
export interface MessageEvent {
  userId: string
  event: EventName
  messageId: string
  /** Undefined for a message without a vault. */
  vaultId: string | undefined
  category: string
  priority: number
  targetId: string
  /** The name that the acknowledging agent gave. */
  acknowledgedBy?: string
  at: number
}

/**
 * Queues the event for each matching subscription, in the transaction that changes the message. Returns how many were queued.
 * Call `ctx.webhooks.wake()` after the commit, to send them at once.
 */
export async function queueEvent(tx: Tx, event: MessageEvent): Promise<number> {
  const listeners = (await listListeners(tx, event.userId)).filter((listener) => wants(listener, event))
  if (listeners.length === 0) return 0
  const { userId, vaultId, messageId, at } = event
  await insertDeliveries(
    tx,
    listeners.map(({ webhookId }) => ({ webhookId, id: newId() })),
    { userId, eventId: newId(), vaultId, event: event.event, messageId, body: bodyOf(event), at },
  )
  return listeners.length
}

/** A subscription for one target doesn't get broadcasts, unless its target is `*`. */
function wants(listener: Listener, { event, vaultId, category, priority, targetId }: MessageEvent): boolean {
  return (
    listener.events.includes(event) &&
    (listener.vaultId === undefined || listener.vaultId === vaultId) &&
    (listener.categories === undefined || listener.categories.includes(category)) &&
    (listener.minPriority === undefined || priority >= listener.minPriority) &&
    (listener.targetId === undefined || listener.targetId === targetId)
  )
}

// Never the content: a receiver reads the message by its id, with its own key.
const bodyOf = ({ event, messageId, userId, acknowledgedBy, at }: MessageEvent): string =>
  JSON.stringify({ event, messageId, userId, timestamp: isoTime(at), acknowledgedBy })
