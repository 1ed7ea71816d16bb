import { describe, expect, it, vi } from 'vitest'
import { startTestApp } from '../app.ts'
import { makeUserWithAgent } from '../factories.ts'
import { createRandom } from '../fuzz/random.ts'
import { inLongRun, measured } from '../promises/measured.ts'
import { begin, simulate, type Place, type Simulated } from './simulate.ts'

/**
 * Orders of events that a seed decides, on the embedded store: there, the database answers before anything else happens, so the seed alone
 * decides when an answer goes on. The order of several servers on PostgreSQL can't be repeated exactly; see deliver.simulation.test.ts.
 */

async function startPlace(): Promise<Place> {
  const clock = { now: begin }
  const test = await startTestApp({ now: () => clock.now, runsJobs: false })
  const { key: agentKey, ...user } = await makeUserWithAgent(test)
  return { test, user, agentKey, clock }
}

/** Nothing in it waits for a timer, and what is random comes from the seed. */
async function simulateSeed(place: Place, seed: number, forgets?: string): Promise<Simulated> {
  const random = createRandom(seed)
  const spy = vi.spyOn(Math, 'random').mockImplementation(() => random.int(0, 999_999) / 1_000_000)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  try {
    return await simulate(place, seed, forgets)
  } finally {
    vi.useRealTimers()
    spy.mockRestore()
  }
}

// Also in a usual run, which has few seeds.
const repeatedEach = inLongRun(10, 2)
/** Then the next store, so that none grows too large. */
const seedsPerPlace = 5_000
const maxMs = 6 * 3_600_000

describe('orders of events under a seed', () => {
  it(
    'break no lease, claim, idempotency key or shared commit, and the seed repeats them',
    { timeout: maxMs },
    async () => {
      const seeds = inLongRun(100_000, 4)
      const another = await startPlace()
      let [place, steps] = [await startPlace(), 0]
      for (let seed = 1; seed <= seeds; seed++) {
        if (seed % seedsPerPlace === 0) {
          await place.test.app.stop()
          place = await startPlace()
        }
        const { trace, broken } = await simulateSeed(place, seed)
        expect([seed, broken]).toEqual([seed, []])
        steps += trace.length
        // In a store with another past.
        const repeated = seed % repeatedEach === 0 ? await simulateSeed(another, seed) : { trace, broken }
        expect([seed, repeated]).toEqual([seed, { trace, broken: [] }])
        steps += trace.length
      }
      measured({ seeds, repeated: Math.floor(seeds / repeatedEach), steps, broken: 0 })
    },
  )

  it('show that a store breaks leases if it forgets to compare when they end, or who has them', async () => {
    const place = await startPlace()
    for (const column of ['dueAt', 'fence']) {
      let broken: string[] = []
      for (let seed = 1; seed <= 300 && broken.length === 0; seed++)
        ({ broken } = await simulateSeed(place, seed, column))
      expect(broken).toContainEqual(expect.stringMatching(/leased a delivery during the lease|had taken over/))
    }
  })
})
