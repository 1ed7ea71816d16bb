import { expect, it } from 'vitest'
import { eachDialect } from './dialects.ts'
import { startTestApp } from './app.ts'
import { measured } from './promises/measured.ts'
import { fuzz, successesInPercent } from './fuzz/run.ts'

// The same requests in each run. The long test generates others.
eachDialect('requests generated from the contracts', (dialect) => {
  it('get no 5xx, an answer within a second, and leave no trace in the log', { timeout: 120_000 }, async () => {
    const found = await fuzz(await startTestApp({ dialect }), 8420, 500)
    expect(found.problems).toEqual([])
    expect(successesInPercent(found)).toBeGreaterThan(25)
    measured({ requests: 500, 'server errors': 0, 'slow answers': 0 })
  })
})
