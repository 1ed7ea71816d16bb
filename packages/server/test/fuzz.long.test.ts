import { expect, it } from 'vitest'
import { eachDialect } from './dialects.ts'
import { startTestApp } from './app.ts'
import { measured, scaled } from './promises/measured.ts'
import { fuzz, successesInPercent } from './fuzz/run.ts'

/** FUZZ_SEED repeats a run. */
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)

/** Each server starts with an empty log, which holds a line per request, and an empty heap: cleaning up a large one takes processor time. */
const requestsPerServer = 10_000

eachDialect(`250,000 requests generated from the contracts with the seed ${seed}`, (dialect) => {
  it('get no 5xx, an answer within a second, and leave no trace in the log', { timeout: 10_800_000 }, async () => {
    const requests = scaled(250_000)
    for (let done = 0; done < requests; done += requestsPerServer) {
      const more = Math.min(requestsPerServer, requests - done)
      const test = await startTestApp({ dialect })
      const found = await fuzz(test, seed + done, more)
      await test.app.stop()
      expect(found.problems).toEqual([])
      expect(successesInPercent(found)).toBeGreaterThan(25)
    }
    measured({ requests, 'server errors': 0, 'slow answers': 0 })
  })
})
