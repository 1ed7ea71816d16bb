import { describe, expect, it } from 'vitest'
import type { ServiceError } from '../core/errors.ts'
import { startTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { shareFailureCounts } from './log-in-failure-store.ts'
import { createLogInThrottle, type LogInThrottle, type Subjects } from './log-in-throttle.ts'

const password = 'password' as const
const ada = { account: 'ada', address: '192.0.2.1', method: password }

function startThrottle() {
  const clock = { now: 1_000_000 }
  return { clock, throttle: createLogInThrottle(() => clock.now) }
}

/** Seconds to wait, or 0 if the attempt was allowed. */
async function tryOnce(throttle: LogInThrottle, subjects: Subjects): Promise<number> {
  try {
    await throttle.begin(subjects)
    return 0
  } catch (error) {
    return (error as ServiceError).retryAfterSeconds ?? -1
  }
}

async function failTimes(throttle: LogInThrottle, subjects: Subjects, times: number): Promise<void> {
  for (let tries = 0; tries < times; tries++) expect(await tryOnce(throttle, subjects)).toBe(0)
}

describe('throttled sign-in', () => {
  it('doubles the wait with each further failure, up to 30 seconds', async () => {
    const { clock, throttle } = startThrottle()
    await failTimes(throttle, ada, 5)
    const waits: number[] = []
    for (let tries = 0; tries < 8; tries++) {
      const wait = await tryOnce(throttle, ada)
      waits.push(wait)
      clock.now += wait * 1000
      expect(await tryOnce(throttle, ada)).toBe(0)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30])
  })

  it('does not count attempts that it rejected', async () => {
    const { clock, throttle } = startThrottle()
    await failTimes(throttle, ada, 5)
    for (let tries = 0; tries < 100; tries++) expect(await tryOnce(throttle, ada)).toBe(1)
    clock.now += 1_000
    expect(await tryOnce(throttle, ada)).toBe(0)
  })

  it('counts attempts before they are checked, so parallel attempts don’t get around it', async () => {
    const { throttle } = startThrottle()
    const waits = await Promise.all(Array.from({ length: 50 }, () => tryOnce(throttle, ada)))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(5)
  })

  it('applies to the account from any address', async () => {
    const { throttle } = startThrottle()
    for (let at = 1; at <= 5; at++)
      await failTimes(throttle, { account: 'ada', address: `192.0.2.${at}`, method: password }, 1)
    expect(await tryOnce(throttle, { account: 'ada', address: '192.0.2.9', method: password })).toBe(1)
    expect(await tryOnce(throttle, { account: 'grace', address: '192.0.2.9', method: password })).toBe(0)
  })

  it('applies to the address across accounts', async () => {
    const { throttle } = startThrottle()
    for (let at = 0; at < 50; at++)
      await failTimes(throttle, { account: `person ${at}`, address: '192.0.2.1', method: password }, 1)
    expect(await tryOnce(throttle, { account: 'one more', address: '192.0.2.1', method: password })).toBe(1)
    expect(await tryOnce(throttle, { account: 'one more', address: '192.0.2.2', method: password })).toBe(0)
  })

  it('forgets an account’s failures after a success', async () => {
    const { throttle } = startThrottle()
    await failTimes(throttle, ada, 4)
    for (let times = 0; times < 100; times++) {
      await failTimes(throttle, ada, 1)
      await throttle.succeed(ada)
    }
    await failTimes(throttle, ada, 5)
    expect(await tryOnce(throttle, ada)).toBe(1)
  })

  it('does not forget an address’s failures after one success', async () => {
    const { throttle } = startThrottle()
    for (let at = 0; at < 49; at++)
      await failTimes(throttle, { account: `person ${at}`, address: '192.0.2.1', method: password }, 1)
    await failTimes(throttle, ada, 1)
    await throttle.succeed(ada)
    await failTimes(throttle, { account: 'person 49', address: '192.0.2.1', method: password }, 1)
    expect(await tryOnce(throttle, { account: 'person 50', address: '192.0.2.1', method: password })).toBe(1)
  })

  it('does not count an attempt that was never checked, and forgets nothing else because of it', async () => {
    const { clock, throttle } = startThrottle()
    for (let times = 0; times < 100; times++) {
      await failTimes(throttle, ada, 1)
      await throttle.abandon(ada)
    }
    await failTimes(throttle, ada, 5)
    expect(await tryOnce(throttle, ada)).toBe(1)
    clock.now += 1_000
    await failTimes(throttle, ada, 1)
    await throttle.abandon(ada)
    await failTimes(throttle, ada, 1)
    expect(await tryOnce(throttle, ada)).toBe(2)
  })

  it('forgets failures after 15 minutes', async () => {
    const { clock, throttle } = startThrottle()
    await failTimes(throttle, ada, 5)
    clock.now += 15 * 60_000
    const waits = await Promise.all(Array.from({ length: 6 }, () => tryOnce(throttle, ada)))
    expect(waits).toEqual([0, 0, 0, 0, 0, 1])
  })

  it('counts invalid passkeys apart from passwords, so they don’t slow down people at the same address', async () => {
    const { throttle } = startThrottle()
    const passkey = (account: string) => ({ account, address: ada.address, method: 'passkey' }) as const
    for (let tries = 0; tries < 50; tries++) await failTimes(throttle, passkey(`key ${tries}`), 1)
    expect(await tryOnce(throttle, passkey('another key'))).toBe(1)
    expect(await tryOnce(throttle, ada)).toBe(0)
  })

  it('counts a /64 of IPv6 as one address, and IPv4 in IPv6 as IPv4', async () => {
    const { throttle } = startThrottle()
    const from = (account: string, address: string) => ({ account, address, method: password })
    for (let tries = 0; tries < 50; tries++) await failTimes(throttle, from(`a${tries}`, `2001:db8::${tries}:1`), 1)
    for (const address of ['2001:db8::1', '2001:0db8:0:0:ffff::', '2001:db8:0:0:1:2:3:4'])
      expect(await tryOnce(throttle, from('grace', address)), address).toBe(1)
    for (const address of ['2001:db8:0:1::1', '2001:db8:1::', '::1'])
      expect(await tryOnce(throttle, from(address, address))).toBe(0)
    for (let tries = 0; tries < 50; tries++) await failTimes(throttle, from(`b${tries}`, '::ffff:192.0.2.7'), 1)
    expect(await tryOnce(throttle, from('grace', '192.0.2.7'))).toBe(1)
    expect(await tryOnce(throttle, from('grace', '::ffff:192.0.2.8'))).toBe(0)
  })
})

eachDialect('servers on one database', (dialect) => {
  async function start() {
    const test = await startTestApp({ dialect })
    const { db, instance } = test.app.services
    const clock = { now: 1_000_000 }
    const server = () =>
      createLogInThrottle(
        () => clock.now,
        shareFailureCounts(db, instance, () => clock.now),
      )
    const rows = () => db.read.selectFrom('logInFailures').selectAll().execute()
    return { test, clock, rows, servers: [server(), server()] as const }
  }

  it('count failures together, also at the same time', async () => {
    const { clock, servers } = await start()
    const [first, second] = servers
    const waits = await Promise.all(Array.from({ length: 12 }, (_, at) => tryOnce(at % 2 ? first : second, ada)))
    expect(waits.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1])
    clock.now += 1_000
    expect([await tryOnce(second, ada), await tryOnce(first, ada)]).toEqual([0, 2])
  })

  it('forget an account’s failures after a success at any of them, and uncount attempts that were not checked', async () => {
    const { servers } = await start()
    const [first, second] = servers
    await failTimes(first, ada, 4)
    await failTimes(second, ada, 1)
    await second.succeed(ada)
    await failTimes(first, ada, 4)
    await failTimes(second, ada, 1)
    await first.abandon(ada)
    expect([await tryOnce(second, ada), await tryOnce(first, ada)]).toEqual([0, 1])
  })

  it('store neither addresses nor accounts, and delete failures after 15 minutes', async () => {
    const { clock, rows, servers } = await start()
    await failTimes(servers[0], ada, 1)
    const stored = await rows()
    expect(stored).toHaveLength(2)
    for (const { tag } of stored) expect(Buffer.from(tag)).toHaveLength(16)
    clock.now += 16 * 60_000
    await failTimes(servers[1], { ...ada, account: 'grace', address: '192.0.2.2' }, 1)
    expect(await rows()).toHaveLength(2)
  })

  it.runIf(dialect.name === 'postgres')('refuse each other’s guesses over HTTP', async () => {
    const { test, rows } = await start()
    const guess = { email: 'nobody@example.org', password: 'not the right one' }
    const statuses: number[] = []
    for (let tries = 0; tries < 6; tries++)
      statuses.push((await test.call('log-in', guess, { audience: 'anyone' })).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    expect(await rows()).toHaveLength(2)
  })
})
