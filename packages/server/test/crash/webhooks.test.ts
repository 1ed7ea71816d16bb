import { expect, it } from 'vitest'
import { eachDialect } from '../dialects.ts'
import { killDeliveries } from './webhook-rounds.ts'

const mostTries = 3

eachDialect('a server killed at each point of a delivery', (dialect) => {
  it('sends every event of every message, under one id', { timeout: 120_000 }, async () => {
    // Those that arrived without being recorded before the server died. That depends on luck in so few rounds.
    let repeated = 0
    for (let tries = 0; repeated === 0 && tries < mostTries; tries++) {
      const told = await killDeliveries(await dialect.freshUrl(), 1, { waitsForLeases: false })
      expect(told.records).toBeGreaterThan(8)
      repeated = told.repeated
    }
    expect(repeated).toBeGreaterThan(0)
  })
})
