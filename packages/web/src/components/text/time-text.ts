const steps = [
  { unit: 'second', ms: 1_000, below: 60_000 },
  { unit: 'minute', ms: 60_000, below: 3_600_000 },
  { unit: 'hour', ms: 3_600_000, below: 86_400_000 },
  { unit: 'day', ms: 86_400_000, below: Number.POSITIVE_INFINITY },
] as const

/** From then on, a date says more than “last month”. */
const datedMs = 30 * 86_400_000

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
// The locale decides on 12 or 24 hours.
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const clockParts = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const
const clock = new Intl.DateTimeFormat(undefined, clockParts)
const time = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const step = new Intl.DateTimeFormat(undefined, { ...clockParts, second: '2-digit' })
const moment = new Intl.DateTimeFormat(undefined, { ...clockParts, year: 'numeric' })
const exact = new Intl.DateTimeFormat(undefined, { ...clockParts, year: 'numeric', second: '2-digit' })
const whole = new Intl.NumberFormat('en')

/** `3 minutes ago`, `in 2 days`, and the date from a month on. `just now` for a few seconds in both directions, because clocks differ and the page's clock ticks slowly. */
export const formatAgo = (iso: string, nowMs: number): string =>
  printAgo(iso, nowMs, (count, unit) => relative.format(count, unit))

/** The same in a few letters, for cards and phones: `3min`, `2d`, `in 5h`. */
export const formatAgoBriefly = (iso: string, nowMs: number): string =>
  printAgo(iso, nowMs, (count, unit) => `${count > 0 ? 'in ' : ''}${Math.abs(count)}${briefUnits[unit]}`)

const briefUnits = { second: 's', minute: 'min', hour: 'h', day: 'd' } as const

const soonMs = 20_000

/** Whether a planned time has come, or is so near that it would read as just now. */
export const isDue = (iso: string, nowMs: number): boolean => Date.parse(iso) - nowMs < soonMs

function printAgo(iso: string, nowMs: number, print: (count: number, unit: keyof typeof briefUnits) => string): string {
  const distance = Date.parse(iso) - nowMs
  if (distance > -10_000 && distance < soonMs) return 'just now'
  if (Math.abs(distance) >= datedMs) return formatDay(iso)
  const { unit, ms } = steps.find(({ below }) => Math.abs(distance) < below) ?? steps[3]
  return print(Math.trunc(distance / ms), unit)
}

/** With seconds, for tooltips: `Nov 26, 2026, 2:03:22 PM`. */
export const formatExact = (iso: string) => exact.format(new Date(iso))
/** `Nov 26, 2026, 2:03 PM`. */
export const formatMoment = (iso: string) => moment.format(new Date(iso))
/** For lists: `Nov 26, 2:03 PM`. */
export const formatClock = (iso: string) => clock.format(new Date(iso))
/** `2:03 PM`, below a heading with the day. */
export const formatTime = (iso: string) => time.format(new Date(iso))
/** `Nov 26, 2:03:22 PM`, for steps that follow each other within a minute. */
export const formatStep = (iso: string) => step.format(new Date(iso))
export const formatDay = (iso: string) => day.format(new Date(iso))
export const formatCount = (count: number) => whole.format(count)

/** A duration in up to two units: `3.4 ms`, `12 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return `${ms < 10_000 ? Math.round(ms / 100) / 10 : seconds} s`
  const minutes = Math.round(ms / 60_000)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return `${Math.round(hours / 24)} days`
}

/** `1 key`, `3 keys`. */
export const countOf = (count: number, one: string, many = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : many}`

export const formatBytes = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${formatCount(Math.ceil(bytes / 1024))} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
