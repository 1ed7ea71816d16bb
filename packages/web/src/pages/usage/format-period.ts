import type { Range } from './shown-range.ts'

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short', timeZone: 'UTC' })

const dayInYear = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** A day, the first day of a week, or a month, in UTC: `Nov 26, 2026`, `Nov 2026`. `start` is `2026-11-26` or `2026-11`. */
export const formatPeriod = (start: string, bucket: Range['bucket']): string =>
  (bucket === 'month' ? month : day).format(new Date(start))

/** The same on the axis of a chart, where the year is clear: `Nov 26`. */
export const formatPlace = (start: string, bucket: Range['bucket']): string =>
  (bucket === 'month' ? month : dayInYear).format(new Date(start))
