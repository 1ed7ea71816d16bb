import { array, assert, integer, property, record } from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { eachDialect, type TestDialect } from '../../test/dialects.ts'
import { makeClock } from '../../test/scenarios.ts'
import { ServiceError } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { createLog } from '../core/log.ts'
import { createRateExchange } from './rate-exchange-store.ts'
import { createRateLimits, type RateExchange, type RateLimits } from './rates.ts'

const limits = { read: 5, write: 3, search: 0, ingest: 1, person: 5 }
const lines: string[] = []
const log = createLog('debug', { write: (line) => void lines.push(line) })

function startRates(
  now: () => number,
  { limit = limits, exchange }: { limit?: typeof limits; exchange?: RateExchange },
) {
  const rates = createRateLimits({ limits: limit, exchange, log, now })
  onTestFinished(() => rates.stop())
  return rates
}

/** Undefined if the request is allowed, else the seconds to wait. */
function waitFor(
  rates: RateLimits,
  userId: string,
  requestClass: keyof typeof limits = 'read',
  keyId?: string,
): number | undefined {
  try {
    rates.take(userId, requestClass, keyId)
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error.retryAfterSeconds
    throw error
  }
}

const takeAll = (rates: RateLimits, userId: string, tries: number) =>
  Array.from({ length: tries }, () => waitFor(rates, userId)).filter((wait) => wait === undefined).length

describe('requests a minute', () => {
  it('of one agent key are at most half of the limit while another key calls, and all of it otherwise', () => {
    const clock = makeClock(1_700_000_000_000)
    const limit = { ...limits, write: 10 }
    const rates = startRates(clock.now, { limit })
    const tries = (keyId: string, count: number) =>
      Array.from({ length: count }, () => waitFor(rates, 'u', 'write', keyId)).filter((wait) => wait === undefined)
        .length
    expect(tries('loop', 20)).toBe(10)
    // Nothing is left, but from now on the key isn't alone.
    expect(tries('quiet', 1)).toBe(0)
    clock.advance(61_000)
    expect(tries('quiet', 1)).toBe(1)
    expect(tries('loop', 20)).toBe(5)
    expect(waitFor(rates, 'u', 'write', 'loop')).toBe(61)
    expect(tries('quiet', 20)).toBe(4)
    clock.advance(122_000)
    expect(tries('loop', 20)).toBe(10)
  })

  it('never exceed the limit in any 60 seconds, and every returned wait is long enough', () => {
    const step = record({ afterMs: integer({ min: 0, max: 20_000 }), calls: integer({ min: 1, max: 4 }) })
    assert(
      property(array(step, { maxLength: 60 }), integer({ min: 0, max: 999 }), (steps, phase) => {
        const clock = makeClock(1_700_000_000_000 + phase)
        const rates = createRateLimits({ limits, exchange: undefined, log, now: clock.now })
        const taken: number[] = []
        const waits: number[] = []
        for (const { afterMs, calls } of steps) {
          clock.advance(afterMs)
          for (let call = 0; call < calls; call++) {
            const wait = waitFor(rates, 'u')
            if (wait !== undefined) {
              waits.push(wait)
              clock.advance(wait * 1000)
              rates.take('u', 'read')
            }
            taken.push(clock.now())
          }
        }
        expect(waits.filter((wait) => !Number.isInteger(wait) || wait < 1 || wait > 61)).toEqual([])
        const spans = taken.slice(limits.read).map((time, at) => time - (taken[at] ?? 0))
        expect(spans.filter((span) => span < 60_000)).toEqual([])
        void rates.stop()
      }),
      { numRuns: 300 },
    )
  })

  it('are counted separately for each class and each user', () => {
    const rates = startRates(makeClock().now, {})
    expect(takeAll(rates, 'ada', 50)).toBe(5)
    expect(takeAll(rates, 'bob', 50)).toBe(5)
    expect(waitFor(rates, 'ada', 'write')).toBeUndefined()
    expect(waitFor(rates, 'ada')).toBe(61)
  })

  it('are not counted if there is no limit', () => {
    const rates = startRates(makeClock().now, {})
    for (let call = 0; call < 5000; call++) expect(waitFor(rates, 'ada', 'search')).toBeUndefined()
  })

  it('do not include rejected ones', () => {
    const clock = makeClock()
    const rates = startRates(clock.now, {})
    takeAll(rates, 'ada', 5000)
    clock.advance(61_000)
    expect(takeAll(rates, 'ada', 5)).toBe(5)
  })

  it('are still limited after the clock was set back', () => {
    const clock = makeClock()
    const rates = startRates(clock.now, {})
    takeAll(rates, 'ada', 5)
    clock.advance(-30_000)
    expect(waitFor(rates, 'ada')).toBe(91)
    clock.advance(-3_600_000)
    expect(takeAll(rates, 'ada', 9)).toBe(5)
  })
})

eachDialect('the counts of several servers', (dialect) => {
  it('add up to the limit once they are exchanged, and not beyond it', async () => {
    const clock = makeClock()
    const [first, second] = await startTwo(dialect, clock.now)
    const userId = newId()
    expect(takeAll(first, userId, 4)).toBe(4)
    expect(takeAll(second, userId, 1)).toBe(1)
    await first.exchange()
    await second.exchange()
    expect(takeAll(second, userId, 10)).toBe(0)
    // It hasn't read the other server's counts since, so it may allow one more for one round.
    expect(takeAll(first, userId, 10)).toBe(1)
    await first.exchange()
    expect(takeAll(first, userId, 10)).toBe(0)
    expect(waitFor(second, userId)).toBe(61)
    clock.advance(61_000)
    expect(takeAll(first, userId, 10)).toBe(5)
    await first.exchange()
    expect(takeAll(second, userId, 1)).toBe(1)
    await second.exchange()
    expect(takeAll(second, userId, 10)).toBe(0)
  })

  it('do not affect other users and classes', async () => {
    const [first, second] = await startTwo(dialect, makeClock().now)
    const [ada, bob] = [newId(), newId()]
    takeAll(first, ada, 5)
    takeAll(second, ada, 1)
    takeAll(second, bob, 1)
    await first.exchange()
    await second.exchange()
    expect(takeAll(second, ada, 10)).toBe(0)
    expect(takeAll(second, bob, 10)).toBe(4)
    expect(waitFor(second, ada, 'write')).toBeUndefined()
  })

  it('expire on time if another server’s clock is ahead', async () => {
    const clock = makeClock()
    const db = await openDatabase(dialect)
    const ahead = startRates(() => clock.now() + 3_600_000, { exchange: createRateExchange(db) })
    const rates = startRates(clock.now, { exchange: createRateExchange(db) })
    const userId = newId()
    takeAll(ahead, userId, 5)
    takeAll(rates, userId, 1)
    await ahead.exchange()
    await rates.exchange()
    expect(waitFor(rates, userId)).toBe(61)
    clock.advance(61_000)
    expect(waitFor(rates, userId)).toBeUndefined()
  })

  it('are deleted when they are old', async () => {
    const clock = makeClock()
    const db = await openDatabase(dialect)
    const [first, second] = [0, 1].map(() => startRates(clock.now, { exchange: createRateExchange(db) }))
    takeAll(first ?? never(), newId(), 1)
    await first?.exchange()
    clock.advance(400_000)
    const userId = newId()
    takeAll(second ?? never(), userId, 1)
    await second?.exchange()
    const rows = await db.read.selectFrom('rateCounts').select('userId').execute()
    expect(rows).toEqual([{ userId }])
  })
})

describe('a server that cannot reach the others', () => {
  it('uses its own counts, logs that once, and catches up', async () => {
    const clock = makeClock()
    let isAway = true
    const published: number[] = []
    const exchange: RateExchange = {
      async publish(counts) {
        if (isAway) throw new Error('planted')
        published.push(counts.length)
      },
      readOthers: async () => [],
      purge: async () => {},
    }
    const rates = startRates(clock.now, { exchange })
    lines.length = 0
    expect(takeAll(rates, 'ada', 9)).toBe(5)
    for (let round = 0; round < 3; round++) await rates.exchange()
    expect(waitFor(rates, 'ada')).toBe(61)
    expect(lines.filter((line) => line.includes('only the counts of this server'))).toHaveLength(1)
    isAway = false
    await rates.exchange()
    expect(published).toEqual([1])
  })
})

async function openDatabase(dialect: TestDialect) {
  const db = await openTestDatabase(dialect)
  onTestFinished(() => db.close())
  return db
}

async function startTwo(dialect: TestDialect, now: () => number): Promise<[RateLimits, RateLimits]> {
  const db = await openDatabase(dialect)
  const start = () => startRates(now, { exchange: createRateExchange(db) })
  return [start(), start()]
}

function never(): never {
  throw new Error('there is no such server')
}
