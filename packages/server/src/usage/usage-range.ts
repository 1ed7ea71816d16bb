import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import { dayMs, dayOf } from '../core/time.ts'
import { keptDays } from '../calls/call-counts.ts'

/** A range of days in UTC, divided into days, weeks or months: of the calls and the memories. */

const bucket = z.enum(['day', 'week', 'month'])
type Bucket = z.infer<typeof bucket>

const defaultDays = 30

export const rangeFields = {
  from: z.iso
    .date()
    .optional()
    .describe('First day of `calls` and `memories`, in UTC. Default: 29 days before the last one.'),
  to: z.iso.date().optional().describe(`Last day, in UTC; at most ${keptDays} days from the first. Default: today.`),
  bucket: bucket.default('day').describe('Interval of the series. Weeks begin on Monday.'),
}

export const rangeAnswer = {
  from: z.iso.date().describe('First day, in UTC.'),
  to: z.iso.date().describe('Last day, in UTC.'),
  bucket,
}

export type AskedRange = z.output<z.ZodObject<typeof rangeFields>>

export interface Range {
  from: string
  to: string
  bucket: Bucket
}

export function rangeOf(asked: AskedRange, now: number): Range {
  const to = asked.to ?? dayOf(now)
  // Keeps date arithmetic within four-digit years.
  if (!to.startsWith('2')) throw invalid({ to: 'must be a date from 2000 to 2999' })
  const from = asked.from ?? dayOf(Date.parse(to) - (defaultDays - 1) * dayMs)
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days < 1) throw invalid({ from: `must not be after the last day, ${to}` })
  if (days > keptDays) throw invalid({ from: `must be at most ${keptDays} days from the last one, ${to}` })
  return { from, to, bucket: asked.bucket }
}

/** The first day of each bucket in the range. The first bucket may begin before the range. */
export function bucketsOf({ from, to, bucket: size }: Range): string[] {
  const buckets = new Set<string>()
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs) buckets.add(bucketOf(dayOf(at), size))
  return [...buckets]
}

/** The first day of the bucket that contains a day. */
export function bucketOf(day: string, size: Bucket): string {
  if (size === 'month') return `${day.slice(0, 7)}-01`
  if (size === 'day') return day
  const at = Date.parse(day)
  const daysSinceMonday = (new Date(at).getUTCDay() + 6) % 7
  return dayOf(at - daysSinceMonday * dayMs)
}
