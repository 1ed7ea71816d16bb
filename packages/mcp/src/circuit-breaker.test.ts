import { createClient } from '@holdfast/client'
import { describe, expect, it } from 'vitest'
import { withBreaker } from './circuit-breaker.ts'

type Fetch = typeof globalThis.fetch

/** A client behind a breaker at a clock of its own, and what its calls came to. */
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
  it('asks again after a while, and closes with the first answer, whatever that says', async () => {
    let isAway = true
    const { world, ask } = startClient(async () => {
      if (isAway) throw new TypeError('away')
      return Response.json({ error: 'Temporarily unavailable: overload' }, { status: 503 })
    })
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([
      'away',
      'away',
      'no answer lately',
      'no answer lately',
    ])
    expect(world.asked).toBe(2)
    world.now = 30_001
    expect([await ask(), await ask()]).toEqual(['away', 'no answer lately'])
    world.now = 70_000
    isAway = false
    const overload = 'Temporarily unavailable: overload'
    expect([await ask(), await ask()]).toEqual([overload, overload])
    isAway = true
    expect([await ask(), await ask(), await ask()]).toEqual(['away', 'away', 'no answer lately'])
  })

  it('stays closed where a call comes through when it is tried again', async () => {
    const { world, ask } = startClient(failFirst(1), 1)
    expect([await ask(), await ask()]).toEqual(['answered', 'answered'])
    expect(world.asked).toBe(3)
  })

  it('stays closed after one call that failed, however often that was tried', async () => {
    const { world, ask } = startClient(failFirst(3), 2)
    expect([await ask(), await ask()]).toEqual(['away', 'answered'])
    expect(world.asked).toBe(4)
  })

  it('stays closed where several calls at once meet the same blip', async () => {
    const { ask } = startClient(failFirst(3), 1)
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['answered', 'answered', 'answered'])
  })

  it('refuses at once while it is open, pages of lists as well', async () => {
    const { world, ask, client } = startClient(failFirst(4), 1)
    expect([await ask(), await ask()]).toEqual(['away', 'away'])
    const startedAt = performance.now()
    await expect(client.call('list-vaults').pages().next()).rejects.toMatchObject({ name: 'ConnectionError' })
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    expect(world.asked).toBe(4)
  })

  it('counts who waited in vain, not who was cancelled', async () => {
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
    expect([await cancel(), await cancel(), await cancel()]).toEqual(['cancelled', 'cancelled', 'no answer lately'])
  })
})
