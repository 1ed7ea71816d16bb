import type { OutputOf } from '../../api/call.ts'

export type Overview = OutputOf<'read-overview'>['overview']

/** Start of the local day as an ISO 8601 time. */
export function dayBegan(nowMs: number): string {
  const day = new Date(nowMs)
  day.setHours(0, 0, 0, 0)
  return day.toISOString()
}
