import type { OutputOf } from '../../api/call.ts'

export type Overview = OutputOf<'read-overview'>['overview']

/** When the day began here, the same for a whole day. */
export function dayBegan(nowMs: number): string {
  const day = new Date(nowMs)
  day.setHours(0, 0, 0, 0)
  return day.toISOString()
}
