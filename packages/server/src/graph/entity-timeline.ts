import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'

/** How many records were stored in each day, month or year. */

const units = ['day', 'month', 'year'] as const
type Unit = (typeof units)[number]

export const timeline = z
  .looseObject({
    unit: z.enum(units).describe('Days for up to 45 days, months for up to 4 years. All in UTC.'),
    points: z.array(
      z.looseObject({
        from: fields.timestamp,
        to: fields.timestamp.describe('The start of the next.'),
        count: z.int(),
      }),
    ),
  })
  .describe('Without gaps, oldest first. Ignores `from` and `to`.')

const [maxDays, maxMonths] = [45, 48]

/** `times`: milliseconds since 1970, in any order. */
export function timelineOf(times: readonly number[]): z.infer<typeof timeline> {
  const [first, last] = times.reduce(
    ([low, high], at) => [Math.min(low, at), Math.max(high, at)],
    [Infinity, -Infinity],
  )
  const unit = units.find((each) => stepsBetween(first, last, each) < (each === 'day' ? maxDays : maxMonths)) ?? 'year'
  const counts = new Map<number, number>()
  for (const at of times) {
    const start = startOf(at, unit, 0)
    counts.set(start, (counts.get(start) ?? 0) + 1)
  }
  const points: z.infer<typeof timeline>['points'] = []
  for (let from = startOf(first, unit, 0); from <= last;) {
    const to = startOf(from, unit, 1)
    points.push({ from: isoTime(from), to: isoTime(to), count: counts.get(from) ?? 0 })
    from = to
  }
  return { unit, points }
}

/** The start of the day, month or year that is `steps` after that of a time. */
function startOf(at: number, unit: Unit, steps: number): number {
  const date = new Date(at)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  if (unit === 'day') return Date.UTC(year, month, day + steps)
  return unit === 'month' ? Date.UTC(year, month + steps) : Date.UTC(year + steps, 0)
}

function stepsBetween(first: number, last: number, unit: Unit): number {
  const [from, to] = [new Date(first), new Date(last)]
  const years = to.getUTCFullYear() - from.getUTCFullYear()
  if (unit === 'day') return (startOf(last, 'day', 0) - startOf(first, 'day', 0)) / 86_400_000
  return unit === 'month' ? years * 12 + to.getUTCMonth() - from.getUTCMonth() : 0
}
