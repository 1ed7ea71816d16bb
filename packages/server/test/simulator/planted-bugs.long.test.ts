import { expect, it } from 'vitest'
import { onPostgres } from '../dialects.ts'
import { measured } from '../promises/measured.ts'
import { inPlace } from './in-place.ts'
import { plantedBugs } from './planted-bugs.ts'
import { simulateSeed } from './simulate-seed.ts'

const timeout = 3_600_000

/** Several times as many as any of them needs. */
const mostHistories = 200

onPostgres('servers that share a database are caught', (dialect) => {
  for (const bug of plantedBugs)
    it(`if ${bug.name}`, { timeout }, async () => {
      const found = await inPlace(dialect, async (place) => {
        for (let seed = 1; seed <= mostHistories; seed++) {
          const { broken } = await simulateSeed(place, seed, bug)
          if (broken.some((what) => bug.shows.test(what))) return seed
        }
        return undefined
      })
      expect(found).toBeDefined()
      measured({ 'histories until it was found': found ?? 'none' })
    })
})
