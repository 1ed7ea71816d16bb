import { expect, it } from 'vitest'
import { eachDialect } from '../dialects.ts'
import { measured, scaled } from '../promises/measured.ts'
import { rotateUnderLoad } from './rotation-rounds.ts'

const minutes = 60_000

eachDialect('a rotation of all keys over 100,000 rows that is killed fifty times', (dialect) => {
  it('fails no call and leaves no row unreadable', { timeout: 120 * minutes }, async () => {
    // Each memory has a row of its own and one in the index.
    const rounds = { memories: scaled(50_000), kills: scaled(50), longestMs: 6_000 }
    const { calls, p95BeforeMs, p95DuringMs, generation } = await rotateUnderLoad(await dialect.freshUrl(), rounds)
    expect(generation).toBeGreaterThan(1)
    measured({
      rows: 2 * rounds.memories,
      kills: rounds.kills,
      calls,
      'failed calls': 0,
      'unreadable rows': 0,
      '95% within, before': `${p95BeforeMs} ms`,
      '95% within, during': `${p95DuringMs} ms`,
    })
  })
})
