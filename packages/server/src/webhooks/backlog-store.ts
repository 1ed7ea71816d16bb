import { sql } from 'kysely'
import type { Reader } from '../db/dialect.ts'

export interface Backlog {
  /** Deliveries of active subscriptions that wait for an attempt. */
  pending: number
  /** When the oldest of them was created. */
  oldestAt: number | undefined
  /** Deliveries that failed for good, until they are deleted. */
  dead: number
}

/** Bounds the time of each query to some milliseconds: nobody needs to know how much more there is. */
export const maxCounted = 5_000

/**
 * The queue of all owners, for the operator. Deliveries of inactive subscriptions and of disabled users wait on purpose and don't
 * count. Beyond the maximum, `oldestAt` is the time of the oldest that was counted.
 */
export async function measureBacklog(db: Reader): Promise<Backlog> {
  const { pending, oldestAt } = await db
    .selectFrom((of) =>
      of
        .selectFrom('webhookDeliveries as delivery')
        .innerJoin('webhooks as webhook', 'webhook.id', 'delivery.webhookId')
        .innerJoin('users as user', 'user.id', 'webhook.userId')
        .select('delivery.createdAt')
        .where('delivery.state', '=', sql.lit('pending'))
        .where('webhook.isActive', '=', 1)
        .where('user.disabledAt', 'is', null)
        .limit(maxCounted)
        .as('counted'),
    )
    .select(({ fn }) => [
      fn.countAll<number>().as('pending'),
      fn.min<number | null>('counted.createdAt').as('oldestAt'),
    ])
    .executeTakeFirstOrThrow()
  const { dead } = await db
    .selectFrom((of) =>
      of
        .selectFrom('webhookDeliveries')
        .select('id')
        .where('state', '=', sql.lit('dead'))
        .limit(maxCounted)
        .as('counted'),
    )
    .select(({ fn }) => fn.countAll<number>().as('dead'))
    .executeTakeFirstOrThrow()
  return { pending, oldestAt: oldestAt ?? undefined, dead }
}
