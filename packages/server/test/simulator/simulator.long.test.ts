import { expect, it } from 'vitest'
import { onPostgres, type TestDialect } from '../dialects.ts'
import { measured, scaled } from '../promises/measured.ts'
import { inPlace } from './in-place.ts'
import { simulateSeed } from './simulate-seed.ts'

/** SIMULATOR_SEEDS=17 runs the history of one seed, SIMULATOR_SEEDS=1-10000 those of ten thousand. */
const [first = 1, last = first] = process.env['SIMULATOR_SEEDS']?.split('-').map(Number) ?? [1, scaled(500)]

/** Then another database and other servers, so that none grows too large. */
const seedsPerPlace = 200

/** Every so many histories, one is repeated in a place with another past. */
const repeatedEach = 20

onPostgres('servers that share a database, in hundreds of orders of events', (dialect) => {
  it('keep their promises, and a seed repeats its history', { timeout: 24 * 3_600_000 }, async () => {
    let [steps, repeated] = [0, 0]
    for (let from = first; from <= last; from += seedsPerPlace) {
      const traces = await simulateSeeds(dialect, from, Math.min(from + seedsPerPlace - 1, last))
      steps += [...traces.values()].reduce((sum, trace) => sum + trace.length, 0)
      const again = [...traces].filter((_, at) => at % repeatedEach === 0)
      await inPlace(dialect, async (place) => {
        for (const [seed, trace] of again)
          expect([seed, (await simulateSeed(place, seed)).trace]).toEqual([seed, trace])
      })
      repeated += again.length
    }
    expect(repeated).toBeGreaterThan(0)
    measured({ histories: last - first + 1, repeated, steps, violations: 0 })
  })
})

/** What went on under each seed. Fails at the first history that breaks a promise, with what went wrong around it. */
const simulateSeeds = (dialect: TestDialect, from: number, to: number): Promise<Map<number, readonly string[]>> =>
  inPlace(dialect, async (place) => {
    const traces = new Map<number, readonly string[]>()
    for (let seed = from; seed <= to; seed++) {
      const { trace, faults, broken } = await simulateSeed(place, seed)
      expect({ seed, faults, broken }).toEqual({ seed, faults, broken: [] })
      traces.set(seed, trace)
    }
    return traces
  })
