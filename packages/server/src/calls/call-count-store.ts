import { openProfile } from '../auth/integration-profile.ts'
import type { Database, Reader } from '../db/dialect.ts'
import type { CallCountsTable, SlotColumn } from '../db/tables/calls.ts'
import type { Instance } from '../instance/instance.ts'
import { slotCount } from './histogram.ts'

/** Calls of agents by day, operation and integration. Only sums are kept: neither when within the day nor what for. */

export type CallCounts = Omit<CallCountsTable, SlotColumn> & { slots: number[] }

const slotColumns = Array.from({ length: slotCount }, (_, slot) => `s${String(slot).padStart(2, '0')}` as SlotColumn)
const summed = ['calls', 'errors', 'refused', 'tokens', ...slotColumns] as const
const keyColumns = ['userId', 'day', 'integrationId', 'operation', 'measure'] as const

/** Adds them, in the order in which every server locks rows. */
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

/** Which calls: on days from the first to the last, and only those of an integration or of an operation. */
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

/** Of each day on which there was a call. */
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

/** How long the answers were whose length is kept. */
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

/** PostgreSQL writes sums as text; of no rows they are null. */
type Sum = number | string | bigint | null

const sumsOf = (row: Record<keyof CallSums, Sum>): CallSums => ({
  calls: Number(row.calls),
  errors: Number(row.errors),
  refused: Number(row.refused),
  tokens: Number(row.tokens),
})

const slotsOf = (row: Partial<Record<SlotColumn, Sum>>): number[] =>
  slotColumns.map((column) => Number(row[column] ?? 0))

/** What integrations are called now; those that are gone are missing. */
export async function labelIntegrations(
  db: Reader,
  instance: Instance,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('integrations')
    .select(['id', 'profile'])
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ id, profile }) => [id, openProfile(instance, { userId, integrationId: id }, profile).label]),
  )
}

/** Forgets the oldest day, where it lies before that one. Returns whether it did. */
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
