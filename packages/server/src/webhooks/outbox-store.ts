import { locksRows, type Tx } from '../db/dialect.ts'

/** What the transaction that writes a message needs from webhooks. Works without keys. */

export interface Listener {
  webhookId: string
  vaultId: string | undefined
  events: string[]
  categories: string[] | undefined
  minPriority: number | undefined
  targetId: string | undefined
}

/**
 * The user's active subscriptions, at most `maxWebhooks`. Locked until the transaction ends, so a deletion waits and also
 * deletes what this transaction queues.
 */
export async function listListeners(tx: Tx, userId: string): Promise<Listener[]> {
  const rows = await tx
    .selectFrom('webhooks')
    .select(['id', 'vaultId', 'events', 'categories', 'minPriority', 'targetId'])
    .where('userId', '=', userId)
    .where('isActive', '=', 1)
    .$if(locksRows(tx), (query) => query.forKeyShare())
    .execute()
  return rows.map((row) => ({
    webhookId: row.id,
    vaultId: row.vaultId ?? undefined,
    events: row.events.split(','),
    categories: row.categories?.split(','),
    minPriority: row.minPriority ?? undefined,
    targetId: row.targetId ?? undefined,
  }))
}

export interface QueuedEvent {
  userId: string
  eventId: string
  vaultId: string | undefined
  event: string
  messageId: string
  body: string
  at: number
}

/** Inserts one delivery per subscription, due now. */
export async function insertDeliveries(
  tx: Tx,
  deliveries: { id: string; webhookId: string }[],
  { userId, eventId, vaultId, event, messageId, body, at }: QueuedEvent,
): Promise<void> {
  await tx
    .insertInto('webhookDeliveries')
    .values(
      deliveries.map(({ id, webhookId }) => ({
        id,
        userId,
        webhookId,
        eventId,
        vaultId: vaultId ?? null,
        event,
        messageId,
        body,
        state: 'pending' as const,
        attempt: 0,
        dueAt: at,
        leaseOwner: null,
        fence: 0,
        lastStatus: null,
        lastAttemptAt: null,
        attempts: null,
        attemptsRevision: 0,
        createdAt: at,
        changedAt: at,
      })),
    )
    .execute()
}
