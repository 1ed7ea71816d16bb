import { expect, it } from 'vitest'
import { eachDialect } from '../dialects.ts'
import { measured, scaled } from '../promises/measured.ts'
import { killDeliveries } from './webhook-rounds.ts'

eachDialect('a server killed forty times at each of five points of a delivery', (dialect) => {
  it(
    'sends every event of every message, under one id, once the leases have expired',
    { timeout: 3_600_000 },
    async () => {
      const rounds = scaled(40)
      const { records, repeated } = await killDeliveries(await dialect.freshUrl(), rounds, { waitsForLeases: true })
      expect(records).toBeGreaterThan(10 * rounds)
      measured({ kills: 5 * rounds, records, lost: 0, 'sent more than once': repeated })
    },
  )
})
