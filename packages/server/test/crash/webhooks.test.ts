import { expect, it } from 'vitest'
import { eachDialect } from '../dialects.ts'
import { killDeliveries } from './webhook-rounds.ts'

eachDialect('a server killed at each point of a delivery', (dialect) => {
  it('sends every event of every message, under one id', { timeout: 120_000 }, async () => {
    const { messages, repeated } = await killDeliveries(await dialect.freshUrl(), 1, { waitsForLeases: false })
    expect(messages).toBeGreaterThan(8)
    // Those that arrived and were not written down before the server died.
    expect(repeated).toBeGreaterThan(0)
  })
})
