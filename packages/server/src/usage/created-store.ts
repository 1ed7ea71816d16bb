import { sql } from 'kysely'
import { dayMs, dayOf } from '../core/time.ts'
import type { Reader } from '../db/dialect.ts'

/** When a user's existing memories were created, including archived ones. */

export interface CreatedFilter {
  userId: string
  /** Milliseconds. */
  since: number
  until: number
}

/** Counts by day, in UTC. Reads only these days from the index. */
export async function countCreatedByDay(
  db: Reader,
  filter: CreatedFilter,
): Promise<{ day: string; created: number }[]> {
  const day = sql<number | string>`"createdAt" / ${sql.lit(dayMs)}`
  const rows = await memoriesOf(db, filter)
    .select(({ fn }) => [day.as('number'), fn.countAll<number>().as('created')])
    .where('createdAt', '>=', filter.since)
    .where('createdAt', '<', filter.until)
    .groupBy(day)
    .execute()
  return rows.map(({ number, created }) => ({ day: dayOf(Number(number) * dayMs), created }))
}

/** Counts memories created before the first of these days. */
export async function countCreatedBefore(db: Reader, filter: CreatedFilter): Promise<number> {
  const { count } = await memoriesOf(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('createdAt', '<', filter.since)
    .executeTakeFirstOrThrow()
  return count
}

/** Lists the vaults, because the index starts with user and vault. */
const memoriesOf = (db: Reader, { userId }: CreatedFilter) =>
  db
    .selectFrom('memories')
    .where('userId', '=', userId)
    .where('vaultId', 'in', (query) =>
      query.selectFrom('vaults').select('vaults.id').where('vaults.userId', '=', userId),
    )
