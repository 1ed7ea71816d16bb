import { sql } from 'kysely'
import { dayMs, dayOf } from '../core/time.ts'
import type { Reader } from '../db/dialect.ts'

/** When the memories were made that a person still has, archived ones included. */

export interface CreatedFilter {
  userId: string
  /** Milliseconds. */
  since: number
  until: number
}

/** By day, in UTC. Reads the part of an index that holds those days. */
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

/** Before the first of these days. */
export async function countCreatedBefore(db: Reader, filter: CreatedFilter): Promise<number> {
  const { count } = await memoriesOf(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('createdAt', '<', filter.since)
    .executeTakeFirstOrThrow()
  return count
}

/** By vault, as the index goes. */
const memoriesOf = (db: Reader, { userId }: CreatedFilter) =>
  db
    .selectFrom('memories')
    .where('userId', '=', userId)
    .where('vaultId', 'in', (query) =>
      query.selectFrom('vaults').select('vaults.id').where('vaults.userId', '=', userId),
    )
