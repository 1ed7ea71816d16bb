import { expect, it } from 'vitest'
import { eachDialect } from '../dialects.ts'
import { killDeliveries } from './webhook-rounds.ts'

eachDialect('a server killed twenty times at each of five points of a delivery', (dialect) => {
  it(
    'sends every event of every message, under one id, once the leases have expired',
    { timeout: 900_000 },
    async () => {
      const { messages, repeated } = await killDeliveries(await dialect.freshUrl(), 20, { waitsForLeases: true })
      console.log(`${dialect.name}: ${messages} messages, ${repeated} of them sent more than once`)
      expect(messages).toBeGreaterThan(200)
      expect(repeated).toBeGreaterThan(0)
    },
  )
})
