import { sql, type ExpressionBuilder } from 'kysely'
import { notFound } from '../core/errors.ts'
import { openJson, sealJson, type CellAddress } from '../crypto/cell.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import type { Database, Reader, Tx } from '../db/dialect.ts'
import type { Tables } from '../db/schema.ts'
import type { WebhookDeliveriesTable } from '../db/tables/webhooks.ts'

/** Deliveries as their owner sees and manages them. The deliverer's own queries are in `lease-store.ts`. */

export const deliveryStates = ['pending', 'delivered', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** An attempt, as stored with its delivery. */
export interface Attempt {
  at: number
  ms: number
  status: number | undefined
  problem: string | undefined
}

export interface Delivery {
  id: string
  webhookId: string
  eventId: string
  vaultId: string | undefined
  event: string
  recordId: string
  body: string
  state: DeliveryState
  attempt: number
  dueAt: number
  lastStatus: number | undefined
  lastAttemptAt: number | undefined
  attempts: Attempt[]
  createdAt: number
}

/** Newest first, optionally of one subscription or in one state. */
export async function listDeliveries(
  db: Reader,
  keys: ScopeKeys | undefined,
  userId: string,
  { webhookId, state, limit, offset }: { webhookId?: string; state?: DeliveryState; limit: number; offset: number },
): Promise<{ deliveries: Delivery[]; total: number }> {
  const matching = db
    .selectFrom('webhookDeliveries')
    .where('userId', '=', userId)
    .$if(webhookId !== undefined, (query) => query.where('webhookId', '=', webhookId ?? ''))
    .$if(state !== undefined, (query) => query.where('state', '=', sql.lit(state ?? 'pending')))
  const rows = await matching.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { deliveries: rows.map((row) => open(keys, row)), total }
}

/** The number of failed deliveries in all of the user's subscriptions. */
export async function countDead(db: Reader, userId: string): Promise<number> {
  const { total } = await db
    .selectFrom('webhookDeliveries')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('userId', '=', userId)
    .where('state', '=', sql.lit('dead'))
    .executeTakeFirstOrThrow()
  return total
}

/** The number of dead deliveries of each of a user's webhooks. Webhooks without any are left out. */
export async function countDeadByWebhook(db: Reader, userId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('webhookDeliveries')
    .select(['webhookId', ({ fn }) => fn.countAll<number>().as('dead')])
    .where('userId', '=', userId)
    .where('state', '=', sql.lit('dead'))
    .groupBy('webhookId')
    .execute()
  return new Map(rows.map(({ webhookId, dead }) => [webhookId, dead]))
}

interface OfWebhook {
  userId: string
  webhookId: string
}

/** Queues the delivery again, due now and with all attempts, unless an attempt is in progress. Returns whether it was queued. */
export async function requeueDelivery(
  tx: Tx,
  { userId, webhookId, id }: OfWebhook & { id: string },
  at: number,
): Promise<boolean> {
  const known = await tx
    .selectFrom('webhookDeliveries')
    .select('id')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('webhookId', '=', webhookId)
    .executeTakeFirst()
  if (known === undefined) throw notFound('Delivery')
  const queued = await tx
    .updateTable('webhookDeliveries')
    // The new fence makes a server that still holds an old lease notice that it lost it.
    .set((row) => ({ ...requeued, dueAt: at, changedAt: at, fence: row('fence', '+', 1) }))
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where((row) => row.or([row('leaseOwner', 'is', null), row('dueAt', '<=', at)]))
    .returning('id')
    .executeTakeFirst()
  return queued !== undefined
}

const requeued = { state: 'pending', attempt: 0, leaseOwner: null } as const

const rowsAtOnce = 500

/** Queues a subscription's dead deliveries again, if created at or after `since`, in batches. Returns the number queued. */
export async function requeueDead(
  db: Database,
  { userId, webhookId }: OfWebhook,
  { since, at }: { since: number; at: number },
): Promise<number> {
  let queued = 0
  let after = ''
  for (;;) {
    const { dead, changed } = await db.write(async (tx) => {
      const found = await tx
        .selectFrom('webhookDeliveries')
        .select(['userId', 'id'])
        .where('userId', '=', userId)
        .where('webhookId', '=', webhookId)
        .where('id', '>', after)
        .where('state', '=', sql.lit('dead'))
        .where('createdAt', '>=', since)
        .orderBy('id')
        .limit(rowsAtOnce)
        .execute()
      if (found.length === 0) return { dead: found, changed: 0 }
      const { numUpdatedRows } = await tx
        .updateTable('webhookDeliveries')
        .set({ ...requeued, dueAt: at, changedAt: at })
        .where(isOneOf(found))
        .where('state', '=', sql.lit('dead'))
        .executeTakeFirst()
      return { dead: found, changed: Number(numUpdatedRows) }
    })
    queued += changed
    after = dead.at(-1)?.id ?? after
    if (dead.length < rowsAtOnce) return queued
  }
}

/** Called after the subscription was deleted. If a crash interrupts it, `pruneDeliveries` deletes the rest later. */
export async function deleteDeliveriesOf(db: Database, userId: string, webhookId: string): Promise<void> {
  let deleted = rowsAtOnce
  while (deleted === rowsAtOnce)
    deleted = await db.write(async (tx) => {
      const rows = await tx
        .selectFrom('webhookDeliveries')
        .select(['userId', 'id'])
        .where('userId', '=', userId)
        .where('webhookId', '=', webhookId)
        .limit(rowsAtOnce)
        .execute()
      if (rows.length > 0) await tx.deleteFrom('webhookDeliveries').where(isOneOf(rows)).execute()
      return rows.length
    })
}

const keptMs = 30 * 24 * 60 * 60_000

/**
 * Deletes deliveries that finished 30 days ago, and marks as dead those that have waited as long (because the subscription is
 * inactive or the endpoint keeps failing). Works in batches, so the job can stop and resume at any point.
 */
export async function pruneDeliveries(db: Database, now: number, signal?: AbortSignal): Promise<void> {
  const before = now - keptMs
  let handled = rowsAtOnce
  while (handled === rowsAtOnce) {
    if (signal?.aborted === true) return
    handled = await db.write(async (tx) => {
      const old = await tx
        .selectFrom('webhookDeliveries')
        .select(['userId', 'id', 'state'])
        .where('changedAt', '<', before)
        .orderBy('changedAt')
        .limit(rowsAtOnce)
        .execute()
      const waiting = old.filter(({ state }) => state === 'pending')
      const finished = old.filter(({ state }) => state !== 'pending')
      // The conditions are repeated, because a row may have been queued again in the meantime.
      if (finished.length > 0)
        await tx
          .deleteFrom('webhookDeliveries')
          .where(isOneOf(finished))
          .where('changedAt', '<', before)
          .where('state', '!=', 'pending')
          .execute()
      if (waiting.length > 0)
        await tx
          .updateTable('webhookDeliveries')
          .set({ state: 'dead', leaseOwner: null, changedAt: now })
          .where(isOneOf(waiting))
          .where('changedAt', '<', before)
          .where('state', '=', sql.lit('pending'))
          .execute()
      return old.length
    })
  }
}

interface RowKey {
  userId: string
  id: string
}

/** Uses the whole primary key, because part of it would scan every row. */
const isOneOf =
  (rows: readonly RowKey[]) =>
  ({ eb, refTuple, tuple }: ExpressionBuilder<Tables, 'webhookDeliveries'>) =>
    eb(
      refTuple('userId', 'id'),
      'in',
      rows.map(({ userId, id }) => tuple(userId, id)),
    )

const open = (keys: ScopeKeys | undefined, row: WebhookDeliveriesTable): Delivery => ({
  id: row.id,
  webhookId: row.webhookId,
  eventId: row.eventId,
  vaultId: row.vaultId ?? undefined,
  event: row.event,
  recordId: row.recordId,
  body: row.body,
  state: row.state,
  attempt: row.attempt,
  dueAt: row.dueAt,
  lastStatus: row.lastStatus ?? undefined,
  lastAttemptAt: row.lastAttemptAt ?? undefined,
  attempts: openAttempts(keys, row),
  createdAt: row.createdAt,
})

type WithAttempts = Pick<WebhookDeliveriesTable, 'userId' | 'id' | 'attempts' | 'attemptsRevision'>

/** The oldest first. */
export const openAttempts = (keys: ScopeKeys | undefined, row: WithAttempts): Attempt[] =>
  keys === undefined || row.attempts === null
    ? []
    : (openJson(keys, 'content', attemptsAddress(row, row.attemptsRevision), row.attempts) as Attempt[])

/** The columns that replace the attempts in the row. */
export function sealAttempts(keys: ScopeKeys, row: WithAttempts, attempts: readonly Attempt[]) {
  const attemptsRevision = row.attemptsRevision + 1
  return { attempts: sealJson(keys, 'content', attemptsAddress(row, attemptsRevision), attempts), attemptsRevision }
}

const attemptsAddress = ({ userId, id }: Pick<WithAttempts, 'userId' | 'id'>, revision: number): CellAddress => ({
  userId,
  scopeId: userId,
  table: 'webhookDeliveries',
  rowId: id,
  column: 'attempts',
  revision,
})
