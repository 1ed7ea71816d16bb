import { sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { startDashboardApp } from '../../test/dashboard-app.ts'
import { migratedTemplate } from '../../test/database.ts'
import { onPostgres } from '../../test/dialects.ts'
import { startEmbeddedServer } from '../../test/embedded-postgres.ts'
import { openPostgres } from './postgres.ts'
import { StoreError } from './store-error.ts'

/** Changes a setting of the database, and ends the connections that have the former value. */
async function changeSetting(url: string, setting: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  try {
    const name = new URL(url).pathname.slice(1)
    await client.query('set default_transaction_read_only = off')
    await client.query(`alter database "${name}" ${setting}`)
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    )
  } finally {
    await client.end()
  }
}

onPostgres('a database that becomes read-only', (dialect) => {
  it('is an outage for writes and for readiness until it takes writes again; reads go on', async () => {
    const store = await dialect.freshUrl(migratedTemplate)
    if (store.kind !== 'postgres') throw new Error('a PostgreSQL was expected')
    const { app, send, setUp } = await startDashboardApp({ ...dialect, freshUrl: () => Promise.resolve(store) })
    const { agentKey, dashboardToken } = await setUp()
    const call = (name: string, body: object) => send('POST', `/api/agent/${name}`, { bearer: agentKey, body })
    const write = () => call('write-memory', { content: 'The harbour of Bergen freezes rarely.' })
    const readiness = async () => (await app.server.inject({ url: '/readyz' })).statusCode
    const memoryIds = [(await write()).body['memoryId']]
    expect(await readiness()).toBe(200)

    await changeSetting(store.url, 'set default_transaction_read_only = on')
    expect(await readiness()).toBe(503)
    // A write may still get one of the connections that the change has ended.
    const refused = async () => {
      const { status, body, headers } = await write()
      return [status, body['error'], headers['retry-after']]
    }
    await expect.poll(refused).toEqual([503, 'Temporarily unavailable: the database is read-only', '5'])
    expect((await call('read-memories', { memoryIds })).status).toBe(200)
    const { checks } = (await send('GET', '/api/system/check', { bearer: dashboardToken })).body
    expect(checks).toMatchObject([
      { check: 'database', status: 'failed', text: 'PostgreSQL is read-only, so nothing can be written.' },
    ])

    await changeSetting(store.url, 'reset default_transaction_read_only')
    await expect.poll(readiness).toBe(200)
    await expect.poll(async () => (await write()).status).toBe(201)
  })

  it('is refused at the start, with what to do', async () => {
    const store = await dialect.freshUrl()
    if (store.kind !== 'postgres') throw new Error('a PostgreSQL was expected')
    await changeSetting(store.url, 'set default_transaction_read_only = on')
    const opened = openPostgres(store.url)
    await expect(opened).rejects.toThrow(StoreError)
    await expect(opened).rejects.toMatchObject({
      kind: 'away',
      message: expect.stringMatching(
        /^PostgreSQL is read-only\..*point HOLDFAST_DATABASE_URL at the primary/,
      ) as string,
    })
  })
})

const server = inject('postgres')

describe.skipIf('missing' in server)('settings that change while the server is running (PostgreSQL)', () => {
  it('are an obstacle if a crash could lose acknowledged writes', async () => {
    const own = await startEmbeddedServer()
    onTestFinished(() => own.stop())
    const db = await openPostgres(own.url)
    try {
      expect(await db.findObstacle?.()).toBeUndefined()
      for (const setting of ['fsync', 'full_page_writes']) {
        await sql`alter system set ${sql.ref(setting)} = off`.execute(db.read)
        await sql`select pg_reload_conf()`.execute(db.read)
        await expect.poll(() => db.findObstacle?.()).toContain(`${setting}=off`)
        await sql`alter system reset ${sql.ref(setting)}`.execute(db.read)
        await sql`select pg_reload_conf()`.execute(db.read)
        await expect.poll(() => db.findObstacle?.()).toBeUndefined()
      }
    } finally {
      await db.close()
    }
  })
})
