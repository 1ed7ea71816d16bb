import { openProfile } from '../auth/store.ts'
import type { Database, Reader } from '../db/dialect.ts'
import { isWithin, type OwnerRange } from '../db/owner-range.ts'
import type { CallCountsTable, SlotColumn } from '../db/tables/calls.ts'
import type { Instance } from '../instance/instance.ts'
import { slotCount } from './histogram.ts'

/** Agents' calls by day, operation and integration. Only sums are stored, no times within the day and no content. */

export type CallCounts = Omit<CallCountsTable, SlotColumn> & { slots: number[] }

const slotColumns = Array.from({ length: slotCount }, (_, slot) => `s${String(slot).padStart(2, '0')}` as SlotColumn)
const summed = ['calls', 'errors', 'refused', 'tokens', ...slotColumns] as const
const keyColumns = ['userId', 'day', 'integrationId', 'operation', 'measure'] as const

/** Adds the counts, in the order in which every server locks rows. */
export async function addCallCounts(db: Database, news: readonly CallCounts[]): Promise<void> {
  const rows = news.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).map(rowOf)
  await db.write((tx) =>
    tx
      .insertInto('callCounts')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(keyColumns)
          .doUpdateSet(({ eb, ref }) =>
            Object.fromEntries(
              summed.map((column) => [column, eb(`callCounts.${column}`, '+', ref(`excluded.${column}`))]),
            ),
          ),
      )
      .execute(),
  )
}

const keyOf = (row: CallCounts) => keyColumns.map((column) => row[column]).join(' ')

const rowOf = ({ slots, ...row }: CallCounts): CallCountsTable => ({
  ...row,
  ...(Object.fromEntries(slotColumns.map((column, slot) => [column, slots[slot] ?? 0])) as Record<SlotColumn, number>),
})

/** The calls from the first to the last day, optionally of one integration or operation. */
export interface CallFilter {
  userId: string
  firstDay: string
  lastDay: string
  integrationId: string | undefined
  operation: string | undefined
}

export interface CallSums {
  calls: number
  errors: number
  refused: number
  tokens: number
}

/** One row for each day with calls. */
export async function sumCallsByDay(db: Reader, filter: CallFilter): Promise<(CallSums & { day: string })[]> {
  const rows = await wanted(db, filter, 'ms')
    .select(({ fn }) => [
      'day',
      fn.sum('calls').as('calls'),
      fn.sum('errors').as('errors'),
      fn.sum('refused').as('refused'),
      fn.sum('tokens').as('tokens'),
    ])
    .groupBy('day')
    .execute()
  return rows.map((row) => ({ day: row.day, ...sumsOf(row) }))
}

/** By operation or by integration. */
export async function sumCallsBy(
  db: Reader,
  filter: CallFilter,
  by: 'operation' | 'integrationId',
): Promise<(CallSums & { name: string; slots: number[] })[]> {
  const rows = await wanted(db, filter, 'ms')
    .select(({ fn, ref }) => [ref(by).as('name'), ...summed.map((column) => fn.sum(column).as(column))])
    .groupBy(by)
    .execute()
  return rows.map((row) => ({ name: row.name, ...sumsOf(row), slots: slotsOf(row) }))
}

/** The histogram of answer lengths, for operations that record them. */
export async function sumLengths(db: Reader, filter: CallFilter): Promise<number[]> {
  const row = await wanted(db, filter, 'chars')
    .select(({ fn }) => slotColumns.map((column) => fn.sum(column).as(column)))
    .executeTakeFirst()
  return slotsOf(row ?? {})
}

function wanted(db: Reader, filter: CallFilter, measure: CallCountsTable['measure']) {
  const { userId, firstDay, lastDay, integrationId, operation } = filter
  let query = db
    .selectFrom('callCounts')
    .where('userId', '=', userId)
    .where('day', '>=', firstDay)
    .where('day', '<=', lastDay)
    .where('measure', '=', measure)
  if (integrationId !== undefined) query = query.where('integrationId', '=', integrationId)
  if (operation !== undefined) query = query.where('operation', '=', operation)
  return query
}

/** PostgreSQL returns sums as text; without rows they are null. */
type Sum = number | string | bigint | null

const sumsOf = (row: Record<keyof CallSums, Sum>): CallSums => ({
  calls: Number(row.calls),
  errors: Number(row.errors),
  refused: Number(row.refused),
  tokens: Number(row.tokens),
})

const slotsOf = (row: Partial<Record<SlotColumn, Sum>>): number[] =>
  slotColumns.map((column) => Number(row[column] ?? 0))

/** The current labels of integrations. Deleted ones are missing. */
export async function labelIntegrations(
  db: Reader,
  instance: Instance,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('integrations')
    .select(['id', 'profile', 'profileRevision'])
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ id, ...profile }) => [id, openProfile(instance, { userId, integrationId: id }, profile).label]),
  )
}

/** The users with counts of days before this one. */
export async function listWithDaysBefore(db: Reader, owners: OwnerRange, day: string): Promise<string[]> {
  const rows = await db
    .selectFrom('users as user')
    .select('user.id')
    .where(isWithin('user.id', owners))
    .where((user) =>
      user.exists(
        user
          .selectFrom('callCounts as count')
          .select('count.day')
          .whereRef('count.userId', '=', 'user.id')
          .where('count.day', '<', day),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes the oldest day if it is before `before`. Returns whether it did. */
export const purgeOldestDay = (db: Database, userId: string, before: string): Promise<boolean> =>
  db.write(async (tx) => {
    const oldest = await tx
      .selectFrom('callCounts')
      .select('day')
      .where('userId', '=', userId)
      .where('day', '<', before)
      .orderBy('day')
      .limit(1)
      .executeTakeFirst()
    if (oldest === undefined) return false
    await tx.deleteFrom('callCounts').where('userId', '=', userId).where('day', '=', oldest.day).execute()
    return true
  })
