import { expect, it } from 'vitest'
import { eachDialect } from './dialects.ts'
import { startTestApp } from './app.ts'
import { inLongRun, measured } from './promises/measured.ts'
import { fuzz, successesInPercent } from './fuzz/run.ts'

const requests = inLongRun(500, 400)

// The same requests in each run. The long test generates others.
eachDialect('requests generated from the contracts', (dialect) => {
  it('get no 5xx, an answer within a second, and leave no trace in the log', { timeout: 120_000 }, async () => {
    const found = await fuzz(await startTestApp({ dialect }), 8420, requests)
    expect(found.problems).toEqual([])
    expect(successesInPercent(found)).toBeGreaterThan(25)
    measured({ requests, 'server errors': 0, 'slow answers': 0 })
  })
})
