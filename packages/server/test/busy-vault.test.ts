import { Client } from 'pg'
import { expect, it } from 'vitest'
import { startTestApp } from './app.ts'
import { onPostgres } from './dialects.ts'
import { startAgent } from './scenarios.ts'

onPostgres('a vault whose writes are stuck', (dialect) => {
  it('leaves connections to all others', async () => {
    const store = await dialect.freshUrl()
    if (store.kind !== 'postgres') throw new Error('a PostgreSQL was expected')
    const test = await startTestApp({ config: { databaseUrl: store.url } })
    const [busy, quiet] = [await startAgent(test), await startAgent(test)]
    const admin = new Client(store.url)
    await admin.connect()
    await admin.query('begin')
    await admin.query('select 1 from vaults where id = $1 for update', [busy.user.vaultId])
    const stuck = Array.from({ length: 40 }, (_, i) => busy.call('write-memory', { content: `stuck ${i}` }))
    const id = await quiet.write('the quiet boat')
    expect((await quiet.call('search-memories', { query: 'quiet boat' })).body).toMatchObject({
      memories: [{ memoryId: id }],
    })
    await admin.query('rollback')
    await admin.end()
    expect((await Promise.all(stuck)).map(({ status }) => status)).toEqual(stuck.map(() => 201))
  })
})
