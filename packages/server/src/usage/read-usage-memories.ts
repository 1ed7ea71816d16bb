import { z } from 'zod'
import { dayMs } from '../core/time.ts'
import { operation } from '../operation/operation.ts'
import { countCreatedBefore, countCreatedByDay } from './created-store.ts'
import { bucketOf, bucketsOf, rangeAnswer, rangeFields, rangeOf } from './usage-range.ts'

export const readUsageMemories = operation({
  name: 'read-usage-memories',
  for: { person: 'GET /api/usage/memories' },
  summary: 'Read when your existing memories were created, including tasks and archived ones.',
  effect: 'read',
  outdatedBy: ['runs', 'memories', 'links'],
  input: z.object(rangeFields),
  output: z.looseObject({
    ...rangeAnswer,
    series: z
      .array(
        z.looseObject({
          start: z.iso.date(),
          created: z.int(),
          total: z.int().describe('Memories created before its end.'),
        }),
      )
      .describe('Each day, week or month of the range, oldest first.'),
  }),
  examples: {
    input: { from: '2026-11-20', to: '2026-11-21' },
    output: {
      from: '2026-11-20',
      to: '2026-11-21',
      bucket: 'day',
      series: [
        { start: '2026-11-20', created: 3, total: 12 },
        { start: '2026-11-21', created: 2, total: 14 },
      ],
    },
  },
  async run(asked, { actor: { userId }, db, now }) {
    const range = rangeOf(asked, now())
    const since = Date.parse(range.from)
    const filter = { userId, since, until: Date.parse(range.to) + dayMs }
    const days = await countCreatedByDay(db.read, filter)
    const byBucket = Map.groupBy(days, ({ day }) => bucketOf(day, range.bucket))
    let total = await countCreatedBefore(db.read, filter)
    const series = bucketsOf(range).map((start) => {
      const created = (byBucket.get(start) ?? []).reduce((sum, day) => sum + day.created, 0)
      total += created
      return { start, created, total }
    })
    return { ...range, series }
  },
})
