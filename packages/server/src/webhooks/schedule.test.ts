import { describe, expect, it } from 'vitest'
import { delaysMs, parseRetryAfter, waitAfter } from './schedule.ts'

const hour = 3_600_000

describe('the schedule', () => {
  it('makes ten attempts over 75 hours and 35 minutes, give or take a fifth', () => {
    const totalOf = (random: number) => {
      let total = 0
      let attempts = 1
      for (let wait = waitAfter(1, { retryAfterMs: undefined, random }); wait !== undefined; attempts++) {
        total += wait
        wait = waitAfter(attempts + 1, { retryAfterMs: undefined, random })
      }
      return { attempts, hours: total / hour }
    }
    const whole = 75 + 35 / 60 + 5 / 3600
    expect(delaysMs).toHaveLength(10)
    expect(totalOf(0.5)).toEqual({ attempts: 10, hours: expect.closeTo(whole, 4) })
    expect(totalOf(0)).toEqual({ attempts: 10, hours: expect.closeTo(0.8 * whole, 4) })
    expect(totalOf(1)).toEqual({ attempts: 10, hours: expect.closeTo(1.2 * whole, 4) })
  })

  it.each([
    [undefined, 300_000],
    [0, 300_000],
    [1_000, 300_000],
    [400_000, 400_000],
    [600_000, 600_000],
    [601_000, 600_000],
    [999_999_999_000, 600_000],
  ])('follows a Retry-After of %s ms between the scheduled wait and twice that', (retryAfterMs, wait) => {
    expect(waitAfter(2, { retryAfterMs, random: 0.5 })).toBe(wait)
  })
})

describe('a Retry-After', () => {
  const now = Date.parse('2026-11-21T09:00:00.000Z')

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Sat, 21 Nov 2026 09:02:00 GMT', 120_000],
    ['Sat, 21 Nov 2026 08:00:00 GMT', 0],
    [undefined, undefined],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['1e9', undefined],
    ['99999999999999999999', undefined],
    ['2026-11-21T09:02:00Z', undefined],
    ['Sat, 99 Nov 2026 09:02:00 GMT', undefined],
    ['Sat, 21 Nov 2026 09:02:00 +0900', undefined],
  ])('of %s', (text, ms) => {
    expect(parseRetryAfter(text, now)).toBe(ms)
  })
})
