import { newId } from '../core/ids.ts'
import { isoTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import type { EventName, RecordEventName } from './event.ts'
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

/** Something that happened to a memory, task or note. */
export interface RecordEvent {
  event: RecordEventName
  id: string
  /** Of a memory; undefined for tasks and notes. */
  memoryType?: string
}

/**
 * Queues the event for each matching subscription, in the transaction that changes the message. Returns how many were queued.
 * Call `ctx.webhooks.wake()` after the commit, to send them at once.
 */
export async function queueEvent(tx: Tx, event: MessageEvent): Promise<number> {
  const { userId, vaultId, messageId, at } = event
  const wanting = (await listListeners(tx, userId)).filter((listener) => wants(listener, event))
  const eventId = newId()
  await insertDeliveries(
    tx,
    wanting.map(({ webhookId }) => ({
      id: newId(),
      userId,
      webhookId,
      eventId,
      vaultId,
      at,
      event: event.event,
      recordId: messageId,
      body: messageBody(event),
    })),
  )
  return wanting.length
}

/**
 * The same for changes of a vault's memories, tasks and notes. Callers skip it unless `scope.isWatched`, so that changes without a
 * subscription cost nothing.
 */
export async function queueRecordEvents(
  tx: Tx,
  { userId, id: vaultId }: Pick<VaultScope, 'userId' | 'id'>,
  events: readonly RecordEvent[],
  at: number,
): Promise<void> {
  if (events.length === 0) return
  const listeners = await listListeners(tx, userId)
  const deliveries = events.flatMap((event) => {
    const eventId = newId()
    const body = recordBody(event, { userId, vaultId, at })
    return listeners
      .filter((listener) => wantsRecord(listener, event, vaultId))
      .map(({ webhookId }) => ({
        id: newId(),
        userId,
        webhookId,
        eventId,
        vaultId,
        at,
        event: event.event,
        recordId: event.id,
        body,
      }))
  })
  await insertDeliveries(tx, deliveries)
}

const wantsFrom = (listener: Listener, event: string, vaultId: string | undefined): boolean =>
  listener.events.includes(event) && (listener.vaultId === undefined || listener.vaultId === vaultId)

/** A subscription for one target doesn't get broadcasts, unless its target is `*`. */
const wants = (listener: Listener, { event, vaultId, category, priority, targetId }: MessageEvent): boolean =>
  wantsFrom(listener, event, vaultId) &&
  (listener.categories === undefined || listener.categories.includes(category)) &&
  (listener.minPriority === undefined || priority >= listener.minPriority) &&
  (listener.targetId === undefined || listener.targetId === targetId)

const wantsRecord = (listener: Listener, { event, memoryType }: RecordEvent, vaultId: string): boolean =>
  wantsFrom(listener, event, vaultId) &&
  (listener.memoryTypes === undefined || memoryType === undefined || listener.memoryTypes.includes(memoryType))

// Never the content: a receiver reads the record by its id, with its own key.
const messageBody = ({ event, messageId, userId, acknowledgedBy, at }: MessageEvent): string =>
  JSON.stringify({ event, messageId, userId, timestamp: isoTime(at), acknowledgedBy })

function recordBody(
  { event, id }: RecordEvent,
  { userId, vaultId, at }: { userId: string; vaultId: string; at: number },
): string {
  const [kind] = event.split('.')
  return JSON.stringify({ event, [`${kind}Id`]: id, vaultId, userId, timestamp: isoTime(at) })
}
