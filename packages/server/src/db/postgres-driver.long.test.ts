import { sql } from 'kysely'
import { expect, inject, it, describe, onTestFinished } from 'vitest'
import { startEmbeddedServer } from '../../test/embedded-postgres.ts'
import { migrate, migrations } from './migrate.ts'
import { openPostgres } from './postgres.ts'

const server = inject('postgres')

describe.skipIf('missing' in server)('a slow PostgreSQL', () => {
  it(
    'acknowledges no write that no synchronous standby has, whatever the settings say',
    { timeout: 60_000 },
    async () => {
      const own = await startEmbeddedServer()
      onTestFinished(() => own.stop())
      const db = await openPostgres(own.url)
      const admin = await openPostgres(own.url)
      onTestFinished(async () => {
        await Promise.all([db.close(), admin.close()])
      })
      await sql`create table numbers (number integer)`.execute(db.read)
      const write = () => db.write((tx) => sql`insert into numbers values (1)`.execute(tx))
      await write()
      await sql`alter system set synchronous_commit = 'local'`.execute(admin.read)
      await sql`alter system set synchronous_standby_names = 'absent'`.execute(admin.read)
      await sql`select pg_reload_conf()`.execute(admin.read)
      await expect
        .poll(async () => (await sql<{ names: string }>`show synchronous_standby_names`.execute(db.read)).rows[0])
        .toEqual({ synchronous_standby_names: 'absent' })
      const error: unknown = await write().catch((thrown: unknown) => thrown)
      expect(db.explainFailure(error)).toEqual({ kind: 'unavailable', reason: 'the database cannot be reached' })
    },
  )

  it('has all the time that a migration needs', { timeout: 60_000 }, async () => {
    const own = await startEmbeddedServer()
    onTestFinished(() => own.stop())
    const db = await openPostgres(own.url)
    onTestFinished(() => db.close())
    await migrate(db)
    const slow = { name: '9999-slow', statements: () => ['select pg_sleep(13)'] }
    await migrate(db, [...migrations, slow])
    const { rows } = await sql<{ name: string }>`select name from migrations where name = '9999-slow'`.execute(db.read)
    expect(rows).toEqual([{ name: '9999-slow' }])
  })
})
