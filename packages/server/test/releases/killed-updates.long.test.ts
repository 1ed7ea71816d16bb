import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { migrate, migrations } from '../../src/db/migrate.ts'
import { openStore } from '../database.ts'
import { eachDialect, type FreshStore } from '../dialects.ts'
import { measured, percent } from '../promises/measured.ts'
import { dumpTables, loadStore, readStoreFile, storeFiles } from './store-file.ts'

const program = join(import.meta.dirname, 'migrate-until-killed.ts')

/** Whether the process was killed; it ends by itself if the moment never comes. */
async function migrateUntil(store: FreshStore, moment: number): Promise<boolean> {
  const child = spawn(process.execPath, [program, JSON.stringify(store), `${moment}`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect([code, signal]).toBeOneOf([
    [0, null],
    [null, 'SIGKILL'],
  ])
  return signal !== null
}

/** How many migrations are applied, and the tables besides their journal, which may be the first to exist. */
async function look(store: FreshStore) {
  const db = await openStore(store)
  const all = await db.read.introspection.getTables()
  const schema = all.filter(({ name }) => name !== 'migrations')
  const applied =
    all.length === schema.length ? 0 : (await sql`select "name" from "migrations"`.execute(db.read)).rows.length
  const tables = await dumpTables(db)
  await db.close()
  return { applied, schema: JSON.stringify(schema), tables }
}

const emptyStore = 'an empty store'

async function prepare(store: FreshStore, from: string): Promise<void> {
  if (from !== emptyStore) await loadStore(store, readStoreFile(from))
}

/** What an update that nothing interrupts leaves after each migration, by how many are applied. */
async function lookAfterEach(store: FreshStore) {
  const seen: Awaited<ReturnType<typeof look>>[] = []
  const { applied } = await look(store)
  for (let count = applied; count <= migrations.length; count++) {
    const db = await openStore(store)
    await migrate(db, migrations.slice(0, count))
    await db.close()
    seen[count] = await look(store)
  }
  return seen
}

/** A small run skips moments. */
const step = Math.max(1, Math.round(100 / percent))

eachDialect('an update that is killed at any statement', (dialect) => {
  it.each([emptyStore, ...storeFiles])(
    'leaves the former or the new schema, with all rows, from %s on',
    { timeout: 30 * 60_000 },
    async (from) => {
      const [whole, store] = [await dialect.freshUrl(), await dialect.freshUrl()]
      await prepare(whole, from)
      const expected = await lookAfterEach(whole)
      await prepare(store, from)
      let kills = 0
      for (let moment = 0, before = (await look(store)).applied; await migrateUntil(store, moment); moment += step) {
        kills++
        const now = await look(store)
        expect(now).toEqual(expected[now.applied])
        if (now.applied > before) moment = -step
        before = now.applied
      }
      expect(await look(store)).toEqual(expected[migrations.length])
      measured({ kills })
    },
  )
})
