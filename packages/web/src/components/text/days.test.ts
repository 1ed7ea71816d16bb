import { describe, expect, it } from 'vitest'
import { dayOf, formatDays, nameDay, startOfDay } from './days.ts'

describe('days', () => {
  it('begin at midnight of the reader, and end where the next one begins', () => {
    expect(startOfDay('2026-11-30')).toEqual(new Date(2026, 10, 30))
    expect(startOfDay('2026-11-30', 1)).toEqual(new Date(2026, 11, 1))
    expect(dayOf(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05')
  })

  it('have names next to today', () => {
    const now = new Date(2026, 2, 1, 9)
    expect(['2026-03-01', '2026-02-28'].map((day) => nameDay(day, now))).toEqual(['Today', 'Yesterday'])
    expect(nameDay('2026-02-27', now)).toMatch(/27/)
    expect(nameDay('2026-02-27', now)).not.toMatch(/2026/)
    expect(nameDay('2025-12-31', now)).toMatch(/2025/)
  })

  it('are read from URLs, where anything may be written', () => {
    for (const text of ['', 'yesterday', '2026-1-5', '2026-11-30T10:00:00Z']) expect(startOfDay(text)).toBeUndefined()
    expect(formatDays('', 'never')).toBe('at any time')
    expect(formatDays('2026-11-30', '')).toMatch(/^since .*30/)
    expect(formatDays('', '2026-11-30')).toMatch(/^until .*30/)
    expect(formatDays('2026-11-30', '2026-11-30')).not.toMatch(/since|until/)
  })
})
