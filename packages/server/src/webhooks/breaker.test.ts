import { describe, expect, it } from 'vitest'
import { nextWindow, openWindow, type Window } from './breaker.ts'

/** One attempt each second; `x` failed, `.` was taken. */
const after = (attempts: string, from = openWindow, at = 1_000_000): Window =>
  Array.from(attempts).reduce(
    (window, mark, index) => nextWindow(window, { isAccepted: mark === '.', now: at + index * 1000 }),
    from,
  )

describe('the breaker', () => {
  it('pauses an endpoint after seven of its last ten attempts failed', () => {
    expect(after('xxxxxxxxx').heldUntil).toBeNull()
    expect(after('xxxxxxxxxx').heldUntil).toBe(1_000_000 + 9_000 + 60_000)
    expect(after('...xxxxxxx').heldUntil).not.toBeNull()
    expect(after('....xxxxxx').heldUntil).toBeNull()
  })

  it('ignores attempts more than five minutes ago', () => {
    const nine = after('xxxxxxxxx')
    expect(nextWindow(nine, { isAccepted: false, now: 1_000_000 + 299_999 }).heldUntil).not.toBeNull()
    expect(nextWindow(nine, { isAccepted: false, now: 1_000_000 + 300_000 })).toMatchObject({
      windowAttempts: 1,
      heldUntil: null,
    })
  })

  it('keeps it paused while attempts fail, and resumes with the first success', () => {
    const held = after('xxxxxxxxxx')
    expect(nextWindow(held, { isAccepted: false, now: 2_000_000 }).heldUntil).toBe(2_060_000)
    expect(nextWindow(held, { isAccepted: true, now: 2_000_000 })).toEqual({
      ...openWindow,
      windowStartedAt: 2_000_000,
    })
  })

  it('is not held up by a clock that was set back', () => {
    const nine = after('xxxxxxxxx')
    expect(nextWindow(nine, { isAccepted: false, now: 1_000_000 - 3_600_000 })).toMatchObject({ windowAttempts: 1 })
  })
})
