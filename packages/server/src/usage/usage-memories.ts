import { z } from 'zod'
import { dayMs } from '../core/time.ts'
import type { PersonContext } from '../operation/context.ts'
import { countCreatedBefore, countCreatedByDay } from './created-store.ts'
import { bucketOf, bucketsOf, rangeAnswer, rangeOf, type AskedRange } from './usage-range.ts'

export const memoriesUsage = z.looseObject({
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
})

export const exampleMemories: z.input<typeof memoriesUsage> = {
  from: '2026-11-20',
  to: '2026-11-21',
  bucket: 'day',
  series: [
    { start: '2026-11-20', created: 3, total: 12 },
    { start: '2026-11-21', created: 2, total: 14 },
  ],
}

export async function describeMemories(
  { actor: { userId }, db, now }: Pick<PersonContext, 'actor' | 'db' | 'now'>,
  asked: AskedRange,
): Promise<z.input<typeof memoriesUsage>> {
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
}
