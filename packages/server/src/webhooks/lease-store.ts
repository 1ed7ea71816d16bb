import { sql } from 'kysely'
import type { ScopeKeys } from '../crypto/keys.ts'
import { locksRows, type Reader, type Tx } from '../db/dialect.ts'
import type { WebhookDeliveriesTable } from '../db/tables/webhooks.ts'
import { nextWindow, probeEveryMs } from './breaker.ts'
import { openAttempts, sealAttempts, type Attempt } from './delivery-store.ts'
import { sealError } from './store.ts'

/**
 * Leases of deliveries. Taking one sets its due time to the end of the lease, so a delivery that a crashed server took becomes
 * due again by itself. Each lease raises the row's fence, so a server whose lease has ended can't record a result.
 */

export interface Ready {
  userId: string
  webhookId: string
  heldUntil: number | undefined
}

/**
 * The active subscriptions with a due delivery, by id, except those of disabled users, whose deliveries wait. Uses an index to jump from
 * one subscription with pending deliveries to the next, so neither idle subscriptions nor long queues slow it down.
 */
export async function listReady(db: Reader, now: number): Promise<Ready[]> {
  const rows = await db
    .withRecursive('waiting(id)', (query) =>
      query
        .selectFrom('webhookDeliveries')
        .select(({ fn }) => fn.min<string | null>('webhookId').as('id'))
        .where('state', '=', sql.lit('pending'))
        .unionAll(
          query
            .selectFrom('waiting')
            .select(({ selectFrom }) =>
              selectFrom('webhookDeliveries as next')
                .select(({ fn }) => fn.min<string | null>('next.webhookId').as('id'))
                .where('next.state', '=', sql.lit('pending'))
                .whereRef('next.webhookId', '>', 'waiting.id')
                .as('id'),
            )
            .where('waiting.id', 'is not', null),
        ),
    )
    .selectFrom('waiting')
    // SQLite keeps the order of a cross join. With another join it would start from all webhooks.
    .crossJoin('webhooks as webhook')
    .whereRef('webhook.id', '=', 'waiting.id')
    .select(['webhook.userId', 'webhook.id as webhookId', 'webhook.heldUntil'])
    .where('webhook.isActive', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('users as user')
            .select('user.id')
            .whereRef('user.id', '=', 'webhook.userId')
            .where('user.disabledAt', 'is not', null),
        ),
      ),
    )
    .where((where) => where.or([where('webhook.heldUntil', 'is', null), where('webhook.heldUntil', '<=', now)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhookDeliveries as delivery')
          .select('delivery.id')
          .whereRef('delivery.userId', '=', 'webhook.userId')
          .whereRef('delivery.webhookId', '=', 'webhook.id')
          .where('delivery.state', '=', sql.lit('pending'))
          .where('delivery.dueAt', '<=', now),
      ),
    )
    .orderBy('waiting.id')
    .execute()
  return rows.map((row) => ({ ...row, heldUntil: row.heldUntil ?? undefined }))
}

export interface Lease {
  owner: string
  now: number
  untilMs: number
}

export type Leased = Pick<
  WebhookDeliveriesTable,
  'id' | 'userId' | 'webhookId' | 'eventId' | 'event' | 'body' | 'attempt' | 'fence'
>

/**
 * Leases up to `most` due deliveries of the subscription. While the breaker limits it, leases one a minute to the first
 * server that asks.
 */
export async function leaseDue(
  tx: Tx,
  { userId, webhookId, heldUntil }: Ready,
  most: number,
  { owner, now, untilMs }: Lease,
): Promise<Leased[]> {
  if (heldUntil !== undefined && !(await takeProbe(tx, { userId, webhookId, heldUntil }, now))) return []
  const due = await tx
    .selectFrom('webhookDeliveries')
    .select('id')
    .where('userId', '=', userId)
    .where('webhookId', '=', webhookId)
    .where('state', '=', sql.lit('pending'))
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .orderBy('id')
    .limit(heldUntil === undefined ? most : 1)
    // Other servers may be taking the same rows.
    .$if(locksRows(tx), (query) => query.forUpdate().skipLocked())
    .execute()
  if (due.length === 0) return []
  return tx
    .updateTable('webhookDeliveries')
    .set((row) => ({
      attempt: row('attempt', '+', 1),
      fence: row('fence', '+', 1),
      dueAt: untilMs,
      leaseOwner: owner,
    }))
    .where('userId', '=', userId)
    .where(
      'id',
      'in',
      due.map(({ id }) => id),
    )
    .returning(['id', 'userId', 'webhookId', 'eventId', 'event', 'body', 'attempt', 'fence'])
    .execute()
}

async function takeProbe(tx: Tx, { userId, webhookId, heldUntil }: Ready, now: number): Promise<boolean> {
  const taken = await tx
    .updateTable('webhooks')
    .set({ heldUntil: now + probeEveryMs })
    .where('userId', '=', userId)
    .where('id', '=', webhookId)
    .where('heldUntil', '=', heldUntil ?? null)
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}

export interface Result {
  attempt: Attempt
  /** When to try again; undefined if it was delivered or this was the last attempt. */
  dueAt: number | undefined
  now: number
}

const keptAttempts = 10

/**
 * Records an attempt with its delivery, and in the subscription's counters and breaker. Returns false and writes nothing if the
 * lease was lost or the delivery was deleted.
 */
export async function recordAttempt(
  tx: Tx,
  keys: ScopeKeys,
  leased: Leased,
  { attempt, dueAt, now }: Result,
): Promise<boolean> {
  const { userId, id, webhookId, fence } = leased
  const mine = await tx
    .updateTable('webhookDeliveries')
    .set((row) => ({ fence: row.ref('fence') }))
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('state', '=', sql.lit('pending'))
    .returning(['userId', 'id', 'attempts', 'attemptsRevision', 'changedAt'])
    .executeTakeFirst()
  if (mine === undefined) return false
  const isAccepted = attempt.problem === undefined
  const attempts = [...openAttempts(keys, mine), attempt].slice(-keptAttempts)
  await tx
    .updateTable('webhookDeliveries')
    .set({
      state: isAccepted ? 'delivered' : dueAt === undefined ? 'dead' : 'pending',
      dueAt: dueAt ?? now,
      leaseOwner: null,
      lastStatus: attempt.status ?? null,
      lastAttemptAt: attempt.at,
      ...sealAttempts(keys, mine, attempts),
      changedAt: dueAt === undefined ? now : mine.changedAt,
    })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute()
  await countAttempt(tx, keys, { userId, id: webhookId }, { problem: attempt.problem, now })
  return true
}

/** Records an attempt that failed before sending. Opens and seals nothing, since the keys or a cell may be the cause. */
export async function recordUnsent(
  tx: Tx,
  { userId, id, fence }: Leased,
  { dueAt, now }: Pick<Result, 'dueAt' | 'now'>,
): Promise<void> {
  await tx
    .updateTable('webhookDeliveries')
    .set((row) => ({
      state: dueAt === undefined ? 'dead' : 'pending',
      dueAt: dueAt ?? now,
      leaseOwner: null,
      lastStatus: null,
      lastAttemptAt: now,
      changedAt: dueAt === undefined ? now : row.ref('changedAt'),
    }))
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('state', '=', sql.lit('pending'))
    .execute()
}

async function countAttempt(
  tx: Tx,
  keys: ScopeKeys,
  webhook: { userId: string; id: string },
  { problem, now }: Pick<Attempt, 'problem'> & { now: number },
): Promise<void> {
  const isAccepted = problem === undefined
  // The first update locks the row, so the values it returns are still current at the second.
  const row = await tx
    .updateTable('webhooks')
    .set((columns) =>
      isAccepted
        ? { lastDeliveryAt: now }
        : {
            errorCount: columns('errorCount', '+', 1),
            lastErrorRevision: columns('lastErrorRevision', '+', 1),
          },
    )
    .where('userId', '=', webhook.userId)
    .where('id', '=', webhook.id)
    .returning(['lastErrorRevision', 'windowStartedAt', 'windowAttempts', 'windowFailures', 'heldUntil'])
    .executeTakeFirst()
  if (row === undefined) return
  await tx
    .updateTable('webhooks')
    .set({
      ...nextWindow(row, { isAccepted, now }),
      ...(!isAccepted && { lastError: sealError(keys, webhook, { problem, revision: row.lastErrorRevision }) }),
    })
    .where('userId', '=', webhook.userId)
    .where('id', '=', webhook.id)
    .execute()
}
