import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import type { PersonContext } from '../operation/context.ts'
import { endOfMonth, monthOf } from '../calls/limits.ts'
import { countsOf, listUsage } from '../calls/usage-store.ts'

const counts = z.looseObject({ read: z.int(), write: z.int(), search: z.int(), ingest: z.int() })
const monthsShown = 24

export const unitsUsage = z.looseObject({
  months: z
    .array(
      z.looseObject({
        month: z.string().describe('In UTC, as `2026-11`.'),
        units: counts.describe('Answered requests, by class.'),
        embeddingTokens: z.int().describe('As counted by the embedding provider.'),
      }),
    )
    .describe('Months with any usage among the last 24, newest first.'),
  quotas: counts.describe('Units per month, by class; 0: no quota.'),
  rates: counts.describe('Requests per minute, by class; 0: no limit.'),
  resetsAt: z.iso.datetime().describe('When the next month begins.'),
})

export const exampleUnits: z.input<typeof unitsUsage> = {
  months: [{ month: '2026-11', units: { read: 310, write: 42, search: 128, ingest: 57 }, embeddingTokens: 20480 }],
  quotas: { read: 0, write: 0, search: 10_000, ingest: 0 },
  rates: { read: 1200, write: 600, search: 600, ingest: 600 },
  resetsAt: '2026-12-01T00:00:00.000Z',
}

export async function describeUnits({
  actor: { userId },
  db,
  limits,
  now,
}: Pick<PersonContext, 'actor' | 'db' | 'limits' | 'now'>): Promise<z.input<typeof unitsUsage>> {
  await limits.flush()
  const rows = await listUsage(db.read, userId, firstMonth(now()))
  return {
    months: [...Map.groupBy(rows, ({ month }) => month)].map(([month, used]) => {
      const { embeddingTokens, ...units } = countsOf(used)
      return { month, units, embeddingTokens }
    }),
    quotas: { ...limits.quotas },
    rates: { ...limits.rates },
    resetsAt: isoTime(endOfMonth(now())),
  }
}

function firstMonth(at: number): string {
  const date = new Date(at)
  return monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsShown + 1, 1))
}
