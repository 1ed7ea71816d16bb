import { z } from 'zod'
import type { PersonContext } from '../operation/context.ts'
import { labelIntegrations, type CallSums } from '../calls/call-count-store.ts'
import { firstChars, firstMs, quantileOf } from '../calls/histogram.ts'
import { addUp, readCalls, type CountedCalls } from './read-calls.ts'
import { bucketOf, bucketsOf, rangeAnswer, rangeOf, type AskedRange, type Range } from './usage-range.ts'

/** Far more than the number of operations, or of a user's agents. */
const maxRows = 500

const sums = {
  calls: z.int(),
  errors: z.int().describe('Failed calls, not counting refused ones.'),
  refused: z.int().describe('Calls refused by a rate limit or quota.'),
  embeddingTokens: z.int().describe('As counted by the embedding provider.'),
}
const ms = z.number().nullable()
const latency = {
  p50Ms: ms.describe('Median time of answered calls, accurate to within 19 %; null if there were none.'),
  p95Ms: ms.describe('95th percentile of the same times.'),
}

const callRow = z.looseObject({
  operation: z.string().nullable().describe('Null in a list by agent.'),
  integrationId: z.uuid().nullable().describe('Null in a list by operation.'),
  label: z.string().nullable().describe("The integration's current label; null if it was deleted."),
  ...sums,
  ...latency,
})

export const callsFields = {
  by: z.enum(['operation', 'agent']).default('operation').describe('What to group rows by.'),
  integrationId: z.uuid().optional().describe('Only calls of this integration.'),
  operation: z
    .string()
    .max(100)
    .regex(/^[a-z-]*$/, 'letters a-z and hyphens')
    .optional()
    .describe('Only calls of this operation.'),
}

export const callsUsage = z.looseObject({
  ...rangeAnswer,
  total: z.looseObject({ ...sums, ...latency }),
  series: z
    .array(z.looseObject({ start: z.iso.date(), ...sums }))
    .describe('Each day, week or month of the range, oldest first.'),
  rows: z.array(callRow).describe(`Most calls first, at most ${maxRows} rows.`),
  rowCount: z.int().describe('Total number of rows.'),
  sessionStart: z
    .looseObject({ answers: z.int(), p50Chars: z.int().nullable(), p95Chars: z.int().nullable() })
    .describe('Length of the answers of `session-start`, in characters of JSON, accurate to within 19 %.'),
})

export const exampleCalls: z.input<typeof callsUsage> = {
  from: '2026-11-20',
  to: '2026-11-21',
  bucket: 'day',
  total: { calls: 42, errors: 1, refused: 0, embeddingTokens: 640, p50Ms: 2.38, p95Ms: 6.73 },
  series: [
    { start: '2026-11-20', calls: 0, errors: 0, refused: 0, embeddingTokens: 0 },
    { start: '2026-11-21', calls: 42, errors: 1, refused: 0, embeddingTokens: 640 },
  ],
  rows: [
    {
      operation: 'search-memories',
      integrationId: null,
      label: null,
      calls: 42,
      errors: 1,
      refused: 0,
      embeddingTokens: 640,
      p50Ms: 2.38,
      p95Ms: 6.73,
    },
  ],
  rowCount: 1,
  sessionStart: { answers: 0, p50Chars: null, p95Chars: null },
}

type CallsAsked = AskedRange & z.output<z.ZodObject<typeof callsFields>>

export async function describeCalls(
  { actor: { userId }, db, instance, calls, now }: Pick<PersonContext, 'actor' | 'db' | 'instance' | 'calls' | 'now'>,
  { by, integrationId, operation, ...asked }: CallsAsked,
): Promise<z.input<typeof callsUsage>> {
  const range = rangeOf(asked, now())
  // Writes the calls that this process has counted but not written yet.
  await calls.flush()
  const { from: firstDay, to: lastDay } = range
  const filter = { userId, firstDay, lastDay, integrationId: integrationId?.toLowerCase(), operation }
  const found = await readCalls(db.read, filter, by === 'agent' ? 'integrationId' : 'operation')
  const shown = found.rows.slice(0, maxRows)
  const ids = by === 'agent' ? shown.map(({ name }) => name) : []
  const labels = await labelIntegrations(db.read, instance, userId, ids)
  return {
    ...range,
    total: describe(addUp(found.rows)),
    series: seriesOf(range, found.days),
    rows: shown.map(({ name, ...row }) => ({
      operation: by === 'agent' ? null : name,
      integrationId: by === 'agent' ? name : null,
      label: labels.get(name) ?? null,
      ...describe(row),
    })),
    rowCount: found.rows.length,
    sessionStart: describeLengths(found.lengths),
  }
}

const describeSums = ({ calls, errors, refused, tokens }: CallSums) => ({
  calls,
  errors,
  refused,
  embeddingTokens: tokens,
})

const describe = ({ slots, ...counted }: CountedCalls) => ({
  ...describeSums(counted),
  p50Ms: rounded(quantileOf(slots, 0.5, firstMs)),
  p95Ms: rounded(quantileOf(slots, 0.95, firstMs)),
})

const rounded = (value: number | null) => (value === null ? null : Math.round(value * 100) / 100)

function describeLengths(slots: readonly number[]) {
  const chars = (share: number) => {
    const value = quantileOf(slots, share, firstChars)
    return value === null ? null : Math.round(value)
  }
  return { answers: slots.reduce((sum, count) => sum + count, 0), p50Chars: chars(0.5), p95Chars: chars(0.95) }
}

function seriesOf(range: Range, days: readonly (CallSums & { day: string })[]) {
  const byBucket = Map.groupBy(days, ({ day }) => bucketOf(day, range.bucket))
  return bucketsOf(range).map((start) => ({
    start,
    ...describeSums(addUp((byBucket.get(start) ?? []).map((day) => ({ ...day, slots: [] })))),
  }))
}
