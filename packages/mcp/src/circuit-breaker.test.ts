import { createClient } from '@holdfast/client'
import { describe, expect, it } from 'vitest'
import { withBreaker } from './circuit-breaker.ts'

type Fetch = typeof globalThis.fetch

/** A client behind a breaker with its own clock, and the results of its calls. */
function startClient(fetch: Fetch, maxRetries = 0) {
  const world = { now: 0, asked: 0 }
  const counting: Fetch = (...request) => {
    world.asked++
    return fetch(...request)
  }
  const client = withBreaker(
    (guard) =>
      createClient({ url: 'http://holdfast.invalid', key: 'svc_of_a_test', maxRetries, fetch: guard(counting) }),
    () => world.now,
  )
  const ask = (signal?: AbortSignal) =>
    client.call('info', {}, { signal }).then(
      () => 'answered',
      (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message),
    )
  return { world, ask, client }
}

const answer = () => Response.json({ scopes: [] })

function failFirst(attempts: number): Fetch {
  let failed = 0
  return async () => {
    if (failed++ < attempts) throw new TypeError('away')
    return answer()
  }
}

describe('the breaker', () => {
  it('tries again after a while, and closes with any answer', async () => {
    let isAway = true
    const { world, ask } = startClient(async () => {
      if (isAway) throw new TypeError('away')
      return Response.json({ error: 'Temporarily unavailable: overload' }, { status: 503 })
    })
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([
      'away',
      'away',
      'the server did not answer recently',
      'the server did not answer recently',
    ])
    expect(world.asked).toBe(2)
    world.now = 30_001
    expect([await ask(), await ask()]).toEqual(['away', 'the server did not answer recently'])
    world.now = 70_000
    isAway = false
    const overload = 'Temporarily unavailable: overload'
    expect([await ask(), await ask()]).toEqual([overload, overload])
    isAway = true
    expect([await ask(), await ask(), await ask()]).toEqual(['away', 'away', 'the server did not answer recently'])
  })

  it('stays closed if a retry succeeds', async () => {
    const { world, ask } = startClient(failFirst(1), 1)
    expect([await ask(), await ask()]).toEqual(['answered', 'answered'])
    expect(world.asked).toBe(3)
  })

  it('stays closed after one failed call, however many attempts it made', async () => {
    const { world, ask } = startClient(failFirst(3), 2)
    expect([await ask(), await ask()]).toEqual(['away', 'answered'])
    expect(world.asked).toBe(4)
  })

  it('stays closed if several simultaneous calls hit the same fault', async () => {
    const { ask } = startClient(failFirst(3), 1)
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['answered', 'answered', 'answered'])
  })

  it('fails at once while it is open, also for pages of lists', async () => {
    const { world, ask, client } = startClient(failFirst(4), 1)
    expect([await ask(), await ask()]).toEqual(['away', 'away'])
    const startedAt = performance.now()
    await expect(client.call('list-vaults').pages().next()).rejects.toMatchObject({ name: 'ConnectionError' })
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    expect(world.asked).toBe(4)
  })

  it('counts calls that waited in vain, not calls that were cancelled', async () => {
    let waitedMs = 10
    const { world, ask } = startClient(async (_target, init) => {
      world.now += waitedMs
      controller.abort(new Error('cancelled'))
      throw init?.signal?.reason
    })
    let controller = new AbortController()
    const cancel = () => {
      controller = new AbortController()
      return ask(controller.signal)
    }
    expect([await cancel(), await cancel(), await cancel()]).toEqual(['cancelled', 'cancelled', 'cancelled'])
    waitedMs = 15_000
    expect([await cancel(), await cancel(), await cancel()]).toEqual([
      'cancelled',
      'cancelled',
      'the server did not answer recently',
    ])
  })
})
