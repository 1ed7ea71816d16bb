import { describe, expect, it } from 'vitest'
import type { ServiceError } from '../core/errors.ts'
import { createLogInThrottle, type LogInThrottle, type Subjects } from './log-in-throttle.ts'

const password = 'password' as const
const ada = { account: 'ada', address: '192.0.2.1', method: password }

function startThrottle() {
  const clock = { now: 1_000_000 }
  return { clock, throttle: createLogInThrottle(() => clock.now) }
}

/** Seconds to wait, or 0 if the attempt was allowed. */
function tryOnce(throttle: LogInThrottle, subjects: Subjects): number {
  try {
    throttle.begin(subjects)
    return 0
  } catch (error) {
    return (error as ServiceError).retryAfterSeconds ?? -1
  }
}

function failTimes(throttle: LogInThrottle, subjects: Subjects, times: number): void {
  for (let tries = 0; tries < times; tries++) expect(tryOnce(throttle, subjects)).toBe(0)
}

describe('throttled sign-in', () => {
  it('doubles the wait with each further failure, up to 30 seconds', () => {
    const { clock, throttle } = startThrottle()
    failTimes(throttle, ada, 5)
    const waits: number[] = []
    for (let tries = 0; tries < 8; tries++) {
      const wait = tryOnce(throttle, ada)
      waits.push(wait)
      clock.now += wait * 1000
      expect(tryOnce(throttle, ada)).toBe(0)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30])
  })

  it('does not count attempts that it rejected', () => {
    const { clock, throttle } = startThrottle()
    failTimes(throttle, ada, 5)
    for (let tries = 0; tries < 100; tries++) expect(tryOnce(throttle, ada)).toBe(1)
    clock.now += 1_000
    expect(tryOnce(throttle, ada)).toBe(0)
  })

  it('counts attempts before they are checked, so parallel attempts don’t get around it', () => {
    const { throttle } = startThrottle()
    const waits = Array.from({ length: 50 }, () => tryOnce(throttle, ada))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(5)
  })

  it('applies to the account from any address', () => {
    const { throttle } = startThrottle()
    for (let at = 1; at <= 5; at++)
      failTimes(throttle, { account: 'ada', address: `192.0.2.${at}`, method: password }, 1)
    expect(tryOnce(throttle, { account: 'ada', address: '192.0.2.9', method: password })).toBe(1)
    expect(tryOnce(throttle, { account: 'grace', address: '192.0.2.9', method: password })).toBe(0)
  })

  it('applies to the address across accounts', () => {
    const { throttle } = startThrottle()
    for (let at = 0; at < 50; at++)
      failTimes(throttle, { account: `person ${at}`, address: '192.0.2.1', method: password }, 1)
    expect(tryOnce(throttle, { account: 'one more', address: '192.0.2.1', method: password })).toBe(1)
    expect(tryOnce(throttle, { account: 'one more', address: '192.0.2.2', method: password })).toBe(0)
  })

  it('forgets an account’s failures after a success', () => {
    const { throttle } = startThrottle()
    failTimes(throttle, ada, 4)
    for (let times = 0; times < 100; times++) {
      failTimes(throttle, ada, 1)
      throttle.succeed(ada)
    }
    failTimes(throttle, ada, 5)
    expect(tryOnce(throttle, ada)).toBe(1)
  })

  it('does not forget an address’s failures after one success', () => {
    const { throttle } = startThrottle()
    for (let at = 0; at < 49; at++)
      failTimes(throttle, { account: `person ${at}`, address: '192.0.2.1', method: password }, 1)
    failTimes(throttle, ada, 1)
    throttle.succeed(ada)
    failTimes(throttle, { account: 'person 49', address: '192.0.2.1', method: password }, 1)
    expect(tryOnce(throttle, { account: 'person 50', address: '192.0.2.1', method: password })).toBe(1)
  })

  it('does not count an attempt that was never checked, and forgets nothing else because of it', () => {
    const { clock, throttle } = startThrottle()
    for (let times = 0; times < 100; times++) {
      failTimes(throttle, ada, 1)
      throttle.abandon(ada)
    }
    failTimes(throttle, ada, 5)
    expect(tryOnce(throttle, ada)).toBe(1)
    clock.now += 1_000
    failTimes(throttle, ada, 1)
    throttle.abandon(ada)
    failTimes(throttle, ada, 1)
    expect(tryOnce(throttle, ada)).toBe(2)
  })

  it('forgets failures after 15 minutes', () => {
    const { clock, throttle } = startThrottle()
    failTimes(throttle, ada, 5)
    clock.now += 15 * 60_000
    const waits = Array.from({ length: 6 }, () => tryOnce(throttle, ada))
    expect(waits).toEqual([0, 0, 0, 0, 0, 1])
  })

  it('counts invalid passkeys apart from passwords, so they don’t slow down people at the same address', () => {
    const { throttle } = startThrottle()
    const passkey = (account: string) => ({ account, address: ada.address, method: 'passkey' }) as const
    for (let tries = 0; tries < 50; tries++) failTimes(throttle, passkey(`key ${tries}`), 1)
    expect(tryOnce(throttle, passkey('another key'))).toBe(1)
    expect(tryOnce(throttle, ada)).toBe(0)
  })

  it('counts a /64 of IPv6 as one address, and IPv4 in IPv6 as IPv4', () => {
    const { throttle } = startThrottle()
    const from = (account: string, address: string) => ({ account, address, method: password })
    for (let tries = 0; tries < 50; tries++) failTimes(throttle, from(`a${tries}`, `2001:db8::${tries}:1`), 1)
    for (const address of ['2001:db8::1', '2001:0db8:0:0:ffff::', '2001:db8:0:0:1:2:3:4'])
      expect(tryOnce(throttle, from('grace', address)), address).toBe(1)
    for (const address of ['2001:db8:0:1::1', '2001:db8:1::', '::1'])
      expect(tryOnce(throttle, from(address, address))).toBe(0)
    for (let tries = 0; tries < 50; tries++) failTimes(throttle, from(`b${tries}`, '::ffff:192.0.2.7'), 1)
    expect(tryOnce(throttle, from('grace', '192.0.2.7'))).toBe(1)
    expect(tryOnce(throttle, from('grace', '::ffff:192.0.2.8'))).toBe(0)
  })
})
