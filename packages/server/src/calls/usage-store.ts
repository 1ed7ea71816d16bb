import type { Database, Reader } from '../db/dialect.ts'
import type { CountedClass } from './call.ts'

export type UsageCounts = Record<CountedClass | 'embeddingTokens', number>

export const usageKinds = [
  'read',
  'write',
  'search',
  'ingest',
  'embeddingTokens',
] as const satisfies (keyof UsageCounts)[]

/** Units and tokens by user, month and kind. Only sums are stored, no times and no content. */
export interface UsageOf {
  userId: string
  /** `2026-11`, in UTC. */
  month: string
}

export interface UsageNews extends UsageOf {
  kind: string
  /** Negative if earlier counts were too high. */
  units: number
}

/** Adds the counts, in the order in which every server locks rows, and returns the new sums. */
export async function addUsage(db: Database, news: readonly UsageNews[]): Promise<UsageNews[]> {
  const rows = news.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).map((row) => ({ ...row }))
  return db.write((tx) =>
    tx
      .insertInto('usage')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['userId', 'month', 'kind'])
          .doUpdateSet(({ eb, ref }) => ({ units: eb('usage.units', '+', ref('excluded.units')) })),
      )
      .returningAll()
      .execute(),
  )
}

const keyOf = ({ userId, month, kind }: UsageNews) => `${userId} ${month} ${kind}`

export const findUsage = (db: Reader, { userId, month }: UsageOf): Promise<UsageNews[]> =>
  db.selectFrom('usage').selectAll().where('userId', '=', userId).where('month', '=', month).execute()

/** From this month on, newest first. */
export const listUsage = (db: Reader, userId: string, since: string): Promise<UsageNews[]> =>
  db
    .selectFrom('usage')
    .selectAll()
    .where('userId', '=', userId)
    .where('month', '>=', since)
    .orderBy('month', 'desc')
    .execute()

/** The total of all users. */
export async function sumUsage(db: Reader, month: string): Promise<UsageCounts> {
  const rows = await db
    .selectFrom('usage')
    .select(({ fn }) => ['kind', fn.sum<number | string>('units').as('units')])
    .where('month', '=', month)
    .groupBy('kind')
    .execute()
  return countsOf(rows)
}

/** Missing kinds are 0. */
export function countsOf(rows: readonly { kind: string; units: number | string }[]): UsageCounts {
  const of = (kind: string) => Number(rows.find((row) => row.kind === kind)?.units ?? 0)
  return {
    read: of('read'),
    write: of('write'),
    search: of('search'),
    ingest: of('ingest'),
    embeddingTokens: of('embeddingTokens'),
  }
}
