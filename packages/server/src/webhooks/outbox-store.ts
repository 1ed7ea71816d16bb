import { locksRows, type Tx } from '../db/dialect.ts'

/** What a transaction that changes records needs from webhooks. Works without keys. */

export interface Listener {
  webhookId: string
  vaultId: string | undefined
  events: string[]
  categories: string[] | undefined
  memoryTypes: string[] | undefined
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
    .select(['id', 'vaultId', 'events', 'categories', 'memoryTypes', 'minPriority', 'targetId'])
    .where('userId', '=', userId)
    .where('isActive', '=', 1)
    .$if(locksRows(tx), (query) => query.forKeyShare())
    .execute()
  return rows.map((row) => ({
    webhookId: row.id,
    vaultId: row.vaultId ?? undefined,
    events: row.events.split(','),
    categories: row.categories?.split(','),
    memoryTypes: row.memoryTypes?.split(','),
    minPriority: row.minPriority ?? undefined,
    targetId: row.targetId ?? undefined,
  }))
}

export interface NewDelivery {
  id: string
  userId: string
  webhookId: string
  eventId: string
  vaultId: string | undefined
  event: string
  recordId: string
  body: string
  at: number
}

/** Both databases limit the parameters of a statement. */
const rowsAtOnce = 500

/** Inserts them, due now. */
export async function insertDeliveries(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
  for (let start = 0; start < deliveries.length; start += rowsAtOnce)
    await tx
      .insertInto('webhookDeliveries')
      .values(deliveries.slice(start, start + rowsAtOnce).map(rowOf))
      .execute()
}

const rowOf = ({ at, vaultId, ...delivery }: NewDelivery) => ({
  ...delivery,
  vaultId: vaultId ?? null,
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
})
