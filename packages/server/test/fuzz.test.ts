import { expect, it } from 'vitest'
import { eachDialect } from './dialects.ts'
import { startTestApp } from './app.ts'
import { fuzz, successesInPercent } from './fuzz/run.ts'

// The same requests in each run; the long test draws others.
eachDialect('requests drawn from the contracts', (dialect) => {
  it('are answered without a 5xx, within a second, and without a trace in the log', { timeout: 120_000 }, async () => {
    const found = await fuzz(await startTestApp({ dialect }), 8420, 500)
    expect(found.problems).toEqual([])
    expect(successesInPercent(found)).toBeGreaterThan(25)
  })
})
