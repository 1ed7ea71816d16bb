import { describe, expect, it } from 'vitest'
import { isoTime, isoTimeOrNull } from './time.ts'

describe('times on the wire', () => {
  it('are ISO 8601 in UTC with milliseconds', () => {
    expect(isoTime(Date.UTC(2026, 10, 21, 9, 0, 0, 7))).toBe('2026-11-21T09:00:00.007Z')
  })

  it('are null for a missing time, but not for the epoch', () => {
    expect(isoTimeOrNull(undefined)).toBeNull()
    expect(isoTimeOrNull(0)).toBe('1970-01-01T00:00:00.000Z')
  })
})
