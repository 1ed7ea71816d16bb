import { describe, expect, it } from 'vitest'
import {
  countOf,
  formatAgo,
  formatAgoBriefly,
  formatClock,
  formatDuration,
  formatMoment,
  formatStep,
  isDue,
} from './time-text.ts'

const nowMs = Date.parse('2026-11-21T12:00:00.000Z')
const at = (ms: number) => formatAgo(new Date(nowMs + ms).toISOString(), nowMs)

describe('formatAgo', () => {
  it('uses the largest unit that fits, in both directions', () => {
    expect(at(-30_000)).toBe('30 seconds ago')
    expect(at(-59 * 60_000)).toBe('59 minutes ago')
    expect(at(-25 * 3_600_000)).toBe('yesterday')
    expect(at(29 * 86_400_000)).toBe('in 29 days')
  })

  it('can be brief', () => {
    const brief = (ms: number) => formatAgoBriefly(new Date(nowMs + ms).toISOString(), nowMs)
    expect([brief(-3 * 3_600_000), brief(-25 * 3_600_000), brief(0)]).toEqual(['3h', '1d', 'just now'])
    expect(brief(90_000)).toBe('in 1min')
  })

  it('is a date from 30 days on', () => {
    expect(at(45 * 86_400_000)).toMatch(/Jan.*2027|2027.*Jan/)
    expect(at(-800 * 86_400_000)).toMatch(/2024/)
  })

  it('shows no future time for a recent event while the page’s clock is behind', () => {
    expect([at(-9_000), at(0), at(15_000)]).toEqual(['just now', 'just now', 'just now'])
    expect(at(60_000)).toBe('in 1 minute')
  })
})

it('a planned time is due once it would read as just now, or as past', () => {
  const due = (ms: number) => isDue(new Date(nowMs + ms).toISOString(), nowMs)
  expect([due(-60_000), due(0), due(19_000), due(20_000)]).toEqual([true, true, true, false])
  expect(at(20_000)).toBe('in 20 seconds')
})

it('uses singular and plural', () => {
  expect([countOf(1, 'key'), countOf(0, 'key'), countOf(1200, 'memory', 'memories')]).toEqual([
    '1 key',
    '0 keys',
    '1,200 memories',
  ])
})

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [3.44, '3.4 ms'],
    [640.2, '640 ms'],
    [1_250, '1.3 s'],
    [59_400, '59 s'],
    [59_600, '1 min'],
    [25 * 60_000, '25 min'],
    [3_600_000, '1 h'],
    [7_500_000, '2 h 5 min'],
    [72 * 3_600_000, '3 days'],
  ])('shows %s ms as %s', (ms, expected) => {
    expect(formatDuration(ms)).toBe(expected)
  })
})

describe('a time of day', () => {
  /** Local times, in the locale's style. */
  const styles = { hour: 'numeric', minute: '2-digit' } as const
  const printed = (time: string, style: Intl.DateTimeFormatOptions) =>
    new Date(time).toLocaleTimeString(undefined, style)

  it.each(['2026-11-25T04:04:38', '2026-11-25T16:44:38'])('has the same style everywhere: %s', (time) => {
    expect(formatClock(time)).toContain(printed(time, styles))
    expect(formatMoment(time)).toContain(printed(time, styles))
    expect(formatStep(time)).toContain(printed(time, { ...styles, second: '2-digit' }))
  })

  it('has no leading zero before AM and PM', () => {
    for (const print of [formatClock, formatMoment, formatStep])
      expect(print('2026-11-25T16:44:38')).not.toMatch(/\b0\d:/)
  })

  it('tells steps within a minute apart', () => {
    expect(formatStep('2026-11-25T09:14:03.000Z')).not.toBe(formatStep('2026-11-25T09:14:04.000Z'))
  })
})
