import { expect, it } from 'vitest'
import { migrations } from '../../src/db/migrate.ts'
import { parseRootKeys } from '../../src/instance/root-key-source.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { openStore } from '../database.ts'
import { eachDialect, type FreshStore } from '../dialects.ts'
import { measured } from '../promises/measured.ts'
import { askAll, fillStore } from './record-store.ts'
import {
  dumpTables,
  loadStore,
  readStoreFile,
  storeFiles,
  writeStoreFile,
  type StoredAnswer,
  type StoreFile,
} from './store-file.ts'

interface Opening extends Pick<StoreFile, 'rootKey'> {
  now: number
}

/** Today's server on this store. */
function open(store: FreshStore, { now, rootKey }: Opening): Promise<TestApp> {
  const given = parseRootKeys(rootKey, 'HOLDFAST_ROOT_KEY')
  return startTestApp({
    now: () => now,
    runsJobs: false,
    config: {
      rootKey: { given, command: undefined, dir: '' },
      ...(store.kind === 'sqlite' ? { dataDir: store.dir } : { databaseUrl: store.url }),
    },
  })
}

/** What this version answers to all that the other one has answered. */
async function askAgain(test: TestApp, { answers, agentKey, personToken }: StoreFile): Promise<StoredAnswer[]> {
  const now: StoredAnswer[] = []
  for (const { operation, audience, input } of answers) {
    const key = audience === 'agent' ? agentKey : personToken
    const { body: answer } = await test.call(operation, input, { audience, key })
    now.push({ operation, audience, input, answer })
  }
  return now
}

/** How long the questions themselves took is among the answers, and differs. */
const withoutDurations = (answers: readonly StoredAnswer[]): unknown =>
  JSON.parse(
    JSON.stringify(answers, (name, value: unknown) =>
      /^p\d+Ms$/.test(name) && typeof value === 'number' ? 'a duration' : value,
    ),
  )

/** Records from before can be changed, and are found by their new texts. */
async function expectChanges(test: TestApp, { answers, agentKey: key }: StoreFile): Promise<void> {
  const found = answers.find(({ operation }) => operation === 'search-memories')?.answer['memories']
  const [{ memoryId } = { memoryId: '' }] = found as { memoryId: string }[]
  const content = 'The kestrel has moved to the lighthouse.'
  const changed = await test.call('update-memory', { memoryId, content }, { key })
  expect(changed.status, changed.text).toBe(200)
  const { body } = await test.call('search-memories', { query: 'lighthouse', topK: 1 }, { key })
  expect(body).toMatchObject({ memories: [{ memoryId, content }] })
}

eachDialect('a store of an earlier version', (dialect) => {
  it.each(storeFiles)('that ends with %s opens, and everything in it is read, found and changed', async (schema) => {
    const file = readStoreFile(schema)
    const store = await dialect.freshUrl()
    await loadStore(store, file)
    const test = await open(store, { ...file, now: Date.parse(file.now) })
    // Answers may have got new fields since.
    expect(await askAgain(test, file)).toMatchObject(file.answers)
    await expectChanges(test, file)
    const rows = Object.values(file.tables).reduce((sum, table) => sum + table.rows.length, 0)
    measured({
      'migrations since': migrations.length - 1 - migrations.findIndex(({ name }) => name === schema),
      rows,
      answers: file.answers.length,
    })
  })
})

eachDialect('a store of this version', (dialect) => {
  it('gives a later version what the files of earlier ones do', async () => {
    const opening = { now: Date.parse('2026-11-20T09:00:00.000Z'), rootKey: '5a'.repeat(32) }
    const store = await dialect.freshUrl()
    const first = await open(store, opening)
    const world = await fillStore(first)
    await first.app.stop()
    const db = await openStore(store)
    const tables = await dumpTables(db)
    await db.close()
    const later = { ...opening, now: opening.now + 60_000 }
    const answers = await askAll(await open(store, later), world)
    const file: StoreFile = {
      schema: migrations.at(-1)?.name ?? '',
      now: new Date(later.now).toISOString(),
      rootKey: later.rootKey,
      agentKey: world.key,
      personToken: world.user.dashboardToken,
      answers,
      tables,
    }
    const copy = await dialect.freshUrl()
    await loadStore(copy, file)
    expect(withoutDurations(await askAgain(await open(copy, later), file))).toEqual(withoutDurations(answers))
    if (process.env['TEST_RECORD_STORE'] === '1' && dialect.name === 'sqlite') writeStoreFile(file)
  })
})
