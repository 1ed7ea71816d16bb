import { dayMs } from '../core/time.ts'

/** Days, weeks and months as half-open time windows in UTC, because the days of records are in UTC too. */

export interface DateWindow {
  fromMs: number
  /** The first moment after the window. */
  toMs: number
}

export const months =
  'january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec'.split(
    ' ',
  )

/** An English month name as a capturing group. */
export const monthPattern = `(${months.join('|')})\\b\\.?`

/** From 0; -1 if it isn't a month. */
export const monthNumber = (name = ''): number =>
  months.findIndex((month) => month.slice(0, 3) === name.slice(0, 3).toLowerCase())

/** Undefined if the day doesn't exist, such as 31 June. */
export function dayWindow(year: number, month: number, day: number): DateWindow | undefined {
  const fromMs = Date.UTC(year, month, day)
  return new Date(fromMs).getUTCMonth() === month ? { fromMs, toMs: fromMs + dayMs } : undefined
}

export const monthWindow = (year: number, month: number): DateWindow => ({
  fromMs: Date.UTC(year, month, 1),
  toMs: Date.UTC(year, month + 1, 1),
})

export const yearWindow = (year: number): DateWindow => ({
  fromMs: Date.UTC(year, 0, 1),
  toMs: Date.UTC(year + 1, 0, 1),
})

export const startOfDay = (atMs: number): number => Math.floor(atMs / dayMs) * dayMs

/** The Monday that begins the week. 1 January 1970 was a Thursday. */
export const startOfWeek = (atMs: number): number => {
  const day = startOfDay(atMs)
  return day - ((((day / dayMs + 3) % 7) + 7) % 7) * dayMs
}

export const widen = (window: DateWindow, byMs: number): DateWindow => ({
  fromMs: window.fromMs - byMs,
  toMs: window.toMs + byMs,
})
