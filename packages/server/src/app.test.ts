import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { configOfTests } from '../test/app.ts'
import { insertVaultRow, openStore } from '../test/database.ts'
import { eachDialect, onPostgres } from '../test/dialects.ts'
import { createApp, type App } from './app.ts'
import type { Config } from './config.ts'
import { newId } from './core/ids.ts'
import { createLog } from './core/log.ts'
import { StoreError } from './db/store-error.ts'
import { migrate, migrations, type Migration } from './db/migrate.ts'
import type { Database } from './db/dialect.ts'
import { listServers } from './instance/server-store.ts'
import { noTelemetry } from './telemetry/telemetry.ts'

const log = createLog('error', { write: () => {} })

async function newConfig(): Promise<Config> {
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-app-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return {
    ...configOfTests,
    dataDir: join(dir, 'data'),
    databaseUrl: undefined,
    rootKey: { given: undefined, command: undefined, dir: join(dir, 'keys') },
  }
}

it('a stop that fails partway still closes the store and lets the next start succeed', async () => {
  const config = await newConfig()
  const app = await createApp(config, { log })
  app.server.addHook('onClose', async () => {
    throw new Error('a plugin failed to close')
  })
  await expect(app.stop()).rejects.toThrow('a plugin failed to close')
  await expect(app.services.db.read.selectFrom('users').select('id').execute()).rejects.toThrow('destroyed')
  const next = await createApp(config, { log })
  await next.stop()
})

it('says once that its data folder is a copy, and not that it was moved', async () => {
  const config = await newConfig()
  await (await createApp(config, { log })).stop()
  const start = async (dataDir: string) => {
    let text = ''
    const own = createLog('warn', { write: (line) => void (text += line) })
    await (await createApp({ ...config, dataDir }, { log: own })).stop()
    return text.includes('is a copy')
  }
  const [moved, copy] = [`${config.dataDir}-moved`, `${config.dataDir}-copy`]
  await rename(config.dataDir, moved)
  await cp(moved, copy, { recursive: true })
  expect([await start(moved), await start(copy), await start(copy)]).toEqual([false, true, false])
})

it('only a server runs background work, a single command does not', async () => {
  const config = await newConfig()
  const open = async (runsJobs: boolean) => createApp(config, { log, runsJobs })
  const countVaults = async ({ services }: App) =>
    (await services.db.read.selectFrom('vaults').select('id').execute()).length
  const made = await open(false)
  // As left by an interrupted erasure.
  await insertVaultRow(made.services.db, { id: newId(), userId: newId() })
  await made.services.db.write((tx) => tx.updateTable('vaults').set({ erasedAt: 1 }).execute())
  await made.stop()
  const command = await open(false)
  await setTimeout(200)
  expect(await countVaults(command)).toBe(1)
  await command.stop()
  const server = await open(true)
  await vi.waitFor(async () => expect(await countVaults(server)).toBe(0), 5_000)
  await server.stop()
})

onPostgres('a server that starts while a newer version changes the tables', (dialect) => {
  it('ends, and is not listed as one that runs', async () => {
    const store = await dialect.freshUrl()
    if (store.kind === 'sqlite') return
    const config = { ...(await newConfig()), databaseUrl: store.url }
    // The lock of migrations is also that of a first start.
    await (await createApp(config, { log, runsJobs: false })).stop()
    const other = await openStore(store)
    const changing: Migration = { name: '0999-changing', statements: () => ['create table "changed" ("id" text)'] }
    // After the server has read the journal, and before it says that it runs.
    const changeFirst = (db: Database): Database => {
      const changed = migrate(other, [...migrations, changing])
      return { ...db, write: (work, lane) => changed.then(() => db.write(work, lane)) }
    }
    const start = createApp(config, { log, telemetry: { ...noTelemetry, store: changeFirst } })
    await expect(start).rejects.toThrow(/newer Holdfast \(migration 0999-changing\)/)
    expect(await listServers(other.read)).toEqual([])
    await other.close()
  })
})

eachDialect('a store of a development version', (dialect) => {
  it('is rejected at startup, with what to do', async () => {
    const store = await dialect.freshUrl()
    const db = await openStore(store)
    await migrate(db, [{ name: '0001-initial', statements: () => ['create table "memories" ("id" text)'] }])
    await db.close()
    const config = await newConfig()
    const place = store.kind === 'sqlite' ? { dataDir: store.dir } : { databaseUrl: store.url }
    const start = createApp({ ...config, ...place }, { log })
    await expect(start).rejects.toThrow(StoreError)
    await expect(start).rejects.toThrow(/made by a development version[^]*Nothing was changed\.[^]*holdfast export/)
  })
})
