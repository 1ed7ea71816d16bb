import { expect, it } from 'vitest'
import { onPostgres } from '../dialects.ts'
import { agentOf } from './agent.ts'
import { findAtOnce, writeTheSame } from './races.ts'
import { query } from './raw-store.ts'
import { setUp, siteFor, startServer } from './server-process.ts'

onPostgres('two servers on one database', (dialect) => {
  it('agree in 500 writes and searches, and in 1,000 equal writes', { timeout: 300_000 }, async () => {
    const store = await dialect.freshUrl()
    const site = siteFor(store)
    const { agentKey } = await setUp(site)
    const servers = await Promise.all([startServer(site), startServer(siteFor(store, { keyDir: site.keyDir }))])
    const [a, b] = servers.map((server) => agentOf(server, agentKey))
    if (a === undefined || b === undefined) throw new Error('there are two')
    await findAtOnce(a, b, 500)
    await findAtOnce(b, a, 100)
    await writeTheSame([a, b], 1_000)
    expect(await query(store, `select 1 from "memories"`)).toHaveLength(601)
  })
})
