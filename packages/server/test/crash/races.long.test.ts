import { expect, it } from 'vitest'
import { onPostgres } from '../dialects.ts'
import { measured, scaled } from '../promises/measured.ts'
import { agentOf } from './agent.ts'
import { findAtOnce, writeTheSame } from './races.ts'
import { query } from './raw-store.ts'
import { setUp, siteFor, startServer } from './server-process.ts'

onPostgres('three servers on one database', (dialect) => {
  it('find on each what was written on another, and agree in 1,000 equal writes', { timeout: 14_400_000 }, async () => {
    const store = await dialect.freshUrl()
    const site = siteFor(store)
    const { agentKey } = await setUp(site)
    const sites = [site, ...Array.from({ length: 2 }, () => siteFor(store, { keyDir: site.keyDir }))]
    const [a, b, c] = (await Promise.all(sites.map(startServer))).map((server) => agentOf(server, agentKey))
    if (a === undefined || b === undefined || c === undefined) throw new Error('there are three')
    const third = scaled(33_334)
    // At the same time, so that each server also applies what the other pairs write.
    await Promise.all([
      findAtOnce(a, b, { from: 0, pairs: third }),
      findAtOnce(b, c, { from: third, pairs: third }),
      findAtOnce(c, a, { from: 2 * third, pairs: third }),
    ])
    await writeTheSame([a, b, c], 1_000)
    expect(await query(store, `select 1 from "memories"`)).toHaveLength(3 * third + 1)
    measured({ servers: 3, 'writes, each searched elsewhere': 3 * third, misses: 0, 'equal writes': 1_000 })
  })
})
