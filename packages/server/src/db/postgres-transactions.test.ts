import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { onPostgres } from '../../test/dialects.ts'
import type { Reader, Tx } from './dialect.ts'
import { openPostgres } from './postgres.ts'

async function show(db: Reader | Tx, setting: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`select current_setting(${setting}) as value`.execute(db)
  return rows[0]?.value
}

onPostgres('a transaction', (dialect) => {
  it('is durable, also on the standby, and limited in time, although someone changed the settings', async () => {
    const store = await dialect.freshUrl()
    if (store.kind !== 'postgres') throw new Error('a PostgreSQL was expected')
    const db = await openPostgres(store.url)
    const admin = new Client(store.url)
    await admin.connect()
    try {
      const name = new URL(store.url).pathname.slice(1)
      for (const level of ['off', 'local', 'remote_write']) {
        await admin.query(`alter database "${name}" set synchronous_commit = ${level}`)
        await admin.query(`alter database "${name}" set statement_timeout = 0`)
        await admin.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
          [name],
        )
        await expect.poll(() => show(db.read, 'synchronous_commit').catch(() => undefined)).toBe(level)
        const inside = await db.write(async (tx) => [
          await show(tx, 'synchronous_commit'),
          await show(tx, 'statement_timeout'),
          await show(tx, 'idle_in_transaction_session_timeout'),
        ])
        expect(inside).toEqual(['on', '10s', '10s'])
      }
    } finally {
      await admin.end()
      await db.close()
    }
  })
})
