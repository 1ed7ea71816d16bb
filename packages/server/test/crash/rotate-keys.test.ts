import { expect, it } from 'vitest'
import { eachDialect } from '../dialects.ts'
import { rotateUnderLoad } from './rotation-rounds.ts'

eachDialect('a rotation of all keys that is killed again and again', (dialect) => {
  it('fails no call and leaves no row unreadable', { timeout: 300_000 }, async () => {
    const outcome = await rotateUnderLoad(await dialect.freshUrl(), { memories: 100, kills: 3, longestMs: 800 })
    expect(outcome.generation).toBeGreaterThan(1)
  })
})
