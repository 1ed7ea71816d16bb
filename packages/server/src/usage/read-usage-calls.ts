import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { labelIntegrations, type CallSums } from '../calls/call-count-store.ts'
import { firstChars, firstMs, quantileOf } from '../calls/histogram.ts'
import { addUp, readCalls, type CountedCalls } from './read-calls.ts'
import { bucketOf, bucketsOf, rangeAnswer, rangeFields, rangeOf, type Range } from './usage-range.ts'

/** Far more than there are operations, or a person has agents. */
const maxRows = 500

const sums = {
  calls: z.int(),
  errors: z.int().describe('Calls that failed, but for the refused.'),
  refused: z.int().describe('Calls that a limit or a quota refused.'),
  embeddingTokens: z.int().describe('As the provider of embeddings counts them.'),
}
const ms = z.number().nullable()
const latency = {
  p50Ms: ms.describe('Half of what was answered took at most so long, give or take 19 %; null where nothing was.'),
  p95Ms: ms.describe('The same of 95 in 100.'),
}

const callRow = z.looseObject({
  operation: z.string().nullable().describe('Null in a list by agent.'),
  integrationId: z.uuid().nullable().describe('Null in a list by operation.'),
  label: z.string().nullable().describe('What the integration is called now; null where it is gone.'),
  ...sums,
  ...latency,
})

export const readUsageCalls = operation({
  name: 'read-usage-calls',
  for: { person: 'GET /api/usage/calls' },
  summary:
    'What your agents have called, by day and by operation or agent: how often, how fast, what failed. Kept for 400 days.',
  effect: 'read',
  outdatedBy: ['runs'],
  about: ({ integrationId }) => refs('integration', integrationId),
  input: z.object({
    ...rangeFields,
    by: z.enum(['operation', 'agent']).default('operation').describe('What the rows are.'),
    integrationId: z.uuid().optional().describe('Only calls of this integration.'),
    operation: z
      .string()
      .max(100)
      .regex(/^[a-z-]*$/, 'letters a-z and hyphens')
      .optional()
      .describe('Only calls of this operation.'),
  }),
  output: z.looseObject({
    ...rangeAnswer,
    total: z.looseObject({ ...sums, ...latency }),
    series: z
      .array(z.looseObject({ start: z.iso.date(), ...sums }))
      .describe('Each day, week or month of the range, the oldest first.'),
    rows: z.array(callRow).describe(`Those with most calls first, at most ${maxRows}.`),
    rowCount: z.int().describe('How many there are.'),
    sessionStart: z
      .looseObject({ answers: z.int(), p50Chars: z.int().nullable(), p95Chars: z.int().nullable() })
      .describe('How long the answers of `session-start` were, in characters of JSON, give or take 19 %.'),
  }),
  examples: {
    input: { from: '2026-11-21', to: '2026-11-21' },
    output: {
      from: '2026-11-21',
      to: '2026-11-21',
      bucket: 'day',
      total: { calls: 42, errors: 1, refused: 0, embeddingTokens: 640, p50Ms: 2.38, p95Ms: 6.73 },
      series: [{ start: '2026-11-21', calls: 42, errors: 1, refused: 0, embeddingTokens: 640 }],
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
    },
  },
  async run({ by, integrationId, operation: wanted, ...asked }, { actor: { userId }, db, instance, calls, now }) {
    const range = rangeOf(asked, now())
    // What this process has counted and not yet written.
    await calls.flush()
    const { from: firstDay, to: lastDay } = range
    const filter = { userId, firstDay, lastDay, integrationId: integrationId?.toLowerCase(), operation: wanted }
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
  },
})

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
