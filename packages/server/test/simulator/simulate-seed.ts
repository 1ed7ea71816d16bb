import { createRandom } from '../fuzz/random.ts'
import type { Place } from './place.ts'
import type { PlantedBug } from './planted-bugs.ts'
import { simulate, type Simulated } from './simulate.ts'

/** What is random comes from the seed. */
export async function simulateSeed(place: Place, seed: number, bug?: PlantedBug): Promise<Simulated> {
  const { random: unseeded } = Math
  const random = createRandom(seed)
  Math.random = () => random.int(0, 999_999) / 1_000_000
  try {
    return await simulate(place, seed, bug?.plant(place.network))
  } catch (error) {
    throw new Error(`the history of seed ${seed} could not go on`, { cause: error })
  } finally {
    Math.random = unseeded
  }
}
