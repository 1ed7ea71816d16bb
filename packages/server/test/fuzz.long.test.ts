import { expect, it } from 'vitest'
import { eachDialect } from './dialects.ts'
import { startTestApp } from './app.ts'
import { fuzz, successesInPercent } from './fuzz/run.ts'

/** FUZZ_SEED repeats a run. */
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)

eachDialect(`10,000 requests drawn from the contracts with the seed ${seed}`, (dialect) => {
  it('are answered without a 5xx, within a second, and without a trace in the log', { timeout: 900_000 }, async () => {
    const found = await fuzz(await startTestApp({ dialect }), seed, 10_000)
    expect(found.problems).toEqual([])
    expect(successesInPercent(found)).toBeGreaterThan(25)
  })
})
