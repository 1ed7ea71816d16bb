import { expect, it } from 'vitest'
import { eachDialect, onPostgres } from '../dialects.ts'
import { agentOf } from './agent.ts'
import { claimTheSame, findAtOnce, writeAlike, writeTheSame } from './races.ts'
import { query } from './raw-store.ts'
import { setUp, siteFor, startServer } from './server-process.ts'

eachDialect('200 equal concurrent writes', (dialect) => {
  it('create one memory', async () => {
    const site = siteFor(await dialect.freshUrl())
    const { agentKey } = await setUp(site)
    const server = await startServer(site)
    await writeTheSame([agentOf(server, agentKey)], 200)
    await server.kill('SIGTERM')
    expect(await query(site.store, 'select "version" from "memories"')).toEqual([{ version: 1 }])
  })
})

eachDialect('200 concurrent texts that say the same', (dialect) => {
  it('create one memory, and of 50 that claim a task one wins', async () => {
    const site = siteFor(await dialect.freshUrl())
    const { agentKey } = await setUp(site)
    const server = await startServer(site)
    const agent = agentOf(server, agentKey)
    await writeAlike([agent], 200)
    await claimTheSame([agent], 50)
    await server.kill('SIGTERM')
    const rows = await query(site.store, 'select "type", "version" from "memories" order by "type"')
    expect(rows).toEqual([
      { type: 'fact', version: 1 },
      { type: 'task', version: 2 },
    ])
  })
})

onPostgres('two servers on one database', (dialect) => {
  it(
    'create one memory from 200 equal writes, and each immediately finds what the other wrote',
    { timeout: 60_000 },
    async () => {
      const store = await dialect.freshUrl()
      const site = siteFor(store)
      const { agentKey } = await setUp(site)
      const servers = await Promise.all([startServer(site), startServer(siteFor(store, { keyDir: site.keyDir }))])
      const [a, b] = servers.map((server) => agentOf(server, agentKey))
      if (a === undefined || b === undefined) throw new Error('there are two')
      await writeTheSame([a, b], 200)
      expect(await query(store, 'select "version" from "memories"')).toEqual([{ version: 1 }])
      await findAtOnce(a, b, { pairs: 60 })
      await writeAlike([a, b], 200)
      await claimTheSame([a, b], 50)
    },
  )
})
