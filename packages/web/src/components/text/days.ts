/** Days in the reader's time zone, written as in URLs and date fields: `2026-11-26`. */

/** The first moment of the day, or of one some days later. Undefined if the text isn't a day. */
export function startOfDay(day: string, daysLater = 0): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  if (year === undefined) return undefined
  const start = new Date(Number(year), Number(month) - 1, Number(date) + daysLater)
  return Number.isNaN(start.getTime()) ? undefined : start
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

export const dayOf = (moment: Date): string =>
  `${moment.getFullYear()}-${twoDigits(moment.getMonth() + 1)}-${twoDigits(moment.getDate())}`

const format = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })

const inThisYear = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'short' })
const inAnyYear = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

/** As a heading: `Today`, `Yesterday`, `Monday, Nov 23`, with the year unless it is this one. */
export function nameDay(day: string, now: Date): string {
  const start = startOfDay(day)
  if (start === undefined) return day
  const today = dayOf(now)
  if (day === today) return 'Today'
  if (dayOf(startOfDay(day, 1) ?? start) === today) return 'Yesterday'
  return (start.getFullYear() === now.getFullYear() ? inThisYear : inAnyYear).format(start)
}

/** The days from one to another, of which either may be missing: `since Nov 1, 2026`. */
export function formatDays(from: string, to: string): string {
  const [first, last] = [startOfDay(from), startOfDay(to)]
  if (first === undefined && last === undefined) return 'at any time'
  if (last === undefined) return `since ${format.format(first)}`
  if (first === undefined) return `until ${format.format(last)}`
  return from === to ? format.format(first) : format.formatRange(first, last)
}
