import { expect, it } from 'vitest'
import { eachDialect } from './dialects.ts'
import { startTestApp } from './app.ts'
import { fuzz, successesInPercent } from './fuzz/run.ts'

/** FUZZ_SEED repeats a run. */
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)

eachDialect(`10,000 requests generated from the contracts with the seed ${seed}`, (dialect) => {
  it('get no 5xx, an answer within a second, and leave no trace in the log', { timeout: 900_000 }, async () => {
    const found = await fuzz(await startTestApp({ dialect }), seed, 10_000)
    expect(found.problems).toEqual([])
    expect(successesInPercent(found)).toBeGreaterThan(25)
  })
})
