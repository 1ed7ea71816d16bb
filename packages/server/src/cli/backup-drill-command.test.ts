import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { appendEnd, readBackupEnd, type Manifest } from '../backups/backup-file.ts'
import { migrations } from '../db/migrate.ts'
import { holdfast, json, makePlace, password, serve, setUp, start } from './testing/run-holdfast.ts'
import { statusOf } from './testing/share-vault.ts'

type Place = Awaited<ReturnType<typeof makePlace>>

const texts = [
  'The gate of the old mill is green.',
  'Grace prefers tabs over spaces.',
  'Invoices are due on the third.',
]

describe('backup drill', { timeout: 300_000 }, () => {
  /** A store with three memories, one of them without a word, and a backup of it. */
  async function placeWithBackup() {
    const place = await makePlace()
    const { vaultId, dashboardToken } = await setUp(place)
    const server = await serve(place)
    for (const content of [...texts, '\u{1F642}'])
      expect(await statusOf(server.url, dashboardToken, '/api/memories', { vaultId, content })).toBe(201)
    const file = join(dirname(place.dataDir), 'one.backup')
    await json(place, ['backup', file])
    return { place, file, server }
  }

  const leftIn = ({ dataDir }: Place) =>
    [dataDir, join(dataDir, 'backups')].flatMap((folder) =>
      readdirSync(folder).filter((name) => name.includes('temporary')),
    )

  it('restores the newest backup next to the running server, proves it, tells the server, and leaves nothing', async () => {
    const { place, file } = await placeWithBackup()
    expect((await holdfast(place, ['doctor'])).stdout).toMatch(/no restore was\s+tried yet/)
    const drilled = await json(place, ['backup', 'drill'])
    expect(drilled).toMatchObject({
      file,
      problems: [],
      steps: ['verify', 'restore', 'compare', 'open', 'check', 'search'].map((step) => ({ step })),
      searched: { vaults: 1, memories: 3, compared: 3, missed: [] },
      manifest: { rows: { memories: 4 } },
    })
    expect(drilled['rows']).toBeGreaterThan(8)
    expect(await json(place, ['status'])).toMatchObject({ backups: { drill: { problem: null } } })
    expect((await holdfast(place, ['doctor'])).stdout).toMatch(/restore\s+drill\s+passed\s+less\s+than\s+a\s+day\s+ago/)
    const named = await holdfast(place, ['backup', 'drill', file])
    expect([named.code, named.stderr]).toEqual([0, ''])
    expect(named.stdout).toMatch(/Searched .* 3 of 3 memories found in 1 vault/)
    const quick = await json(place, ['backup', 'drill', '--quick'])
    expect(quick).toMatchObject({
      problems: [],
      rows: null,
      steps: ['verify', 'restore', 'compare', 'open', 'search'].map((step) => ({ step })),
      searched: { memories: 3, missed: [] },
    })
    expect(leftIn(place)).toEqual([])
  })

  it('needs only the file and the root key, and no server', async () => {
    const { place, file, server } = await placeWithBackup()
    server.child.kill('SIGTERM')
    await server.finished
    const elsewhere = { ...place, env: { ...place.env, HOLDFAST_DATA_DIR: join(dirname(place.dataDir), 'none') } }
    expect(await json(elsewhere, ['backup', 'drill', file])).toMatchObject({
      problems: [],
      searched: { memories: 3, compared: 0 },
    })
    const unnamed = await holdfast(elsewhere, ['backup', 'drill'])
    expect([unnamed.code, unnamed.stderr]).toEqual([4, expect.stringContaining('Name the file')])
  })

  it('fails, and says what differs, if values do not open or searches miss memories', async () => {
    const { place, file } = await placeWithBackup()
    const damaged = join(dirname(file), 'damaged.backup')
    await change(file, damaged, (db) => {
      db.exec('update "memories" set "body" = zeroblob(64) where "id" = (select min("id") from "memories")')
      db.exec('delete from "indexEntries"')
      db.exec('delete from "indexSnapshots"')
    })
    const { code, stdout, stderr } = await holdfast(place, ['backup', 'drill', damaged, '--json'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('The drill failed')])
    const { problems } = JSON.parse(stdout) as { problems: string[] }
    expect(problems.filter((one) => /memories\.body [0-9a-f-]{36} is unreadable/.test(one))).toHaveLength(1)
    expect(problems.filter((one) => /a search for the words of memory/.test(one)).length).toBeGreaterThan(0)
    expect(stdout + stderr).not.toMatch(/mill|Grace|Invoices/)
    const doctor = await holdfast(place, ['doctor'])
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringMatching(/latest restore drill\s+failed/)])
    expect(leftIn(place)).toEqual([])
  })

  it('fails if the restored tables have other numbers of rows than the backup says', async () => {
    const { place, file } = await placeWithBackup()
    const other = join(dirname(file), 'other.backup')
    await change(
      file,
      other,
      () => {},
      ({ rows }) => ({ rows: { ...rows, memories: 5 } }),
    )
    const { code, stderr } = await holdfast(place, ['backup', 'drill', other])
    expect([code, stderr]).toEqual([1, expect.stringContaining('memories 4 instead of 5')])
    expect(await json(place, ['status'])).toMatchObject({
      backups: { drill: { problem: expect.stringContaining('memories 4') } },
    })
  })

  it('fails, and is remembered as failed, if the restored store does not open', async () => {
    const { place, file } = await placeWithBackup()
    await json(place, ['backup', 'drill'])
    const damaged = join(dirname(file), 'damaged.backup')
    // The next start makes these tables again, and can't.
    await change(
      file,
      damaged,
      (db) => db.exec('delete from "migrations" where "name" = (select max("name") from "migrations")'),
      () => ({ schema: migrations.at(-2)?.name ?? '' }),
    )
    const { code, stderr } = await holdfast(place, ['backup', 'drill', damaged])
    expect([code, stderr]).toEqual([1, expect.stringContaining('The restored store failed in the step "open"')])
    const doctor = await holdfast(place, ['doctor'])
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringMatching(/latest restore drill\s+failed/)])
    expect(leftIn(place)).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('removes its copy if it is interrupted', async () => {
    const { place } = await placeWithBackup()
    const running = start(place, ['backup', 'drill'])
    for (let waitedMs = 0; leftIn(place).length === 0 && waitedMs < 60_000; waitedMs += 2) await sleep(2)
    const [folder = ''] = leftIn(place)
    expect(statSync(join(place.dataDir, 'backups', folder)).mode & 0o777).toBe(0o700)
    running.child.kill('SIGINT')
    expect((await running.finished).code).toBe(130)
    expect(leftIn(place)).toEqual([])
  })

  it('says how to try a backup of PostgreSQL', async () => {
    const place = await makePlace()
    const postgres = { ...place, env: { ...place.env, HOLDFAST_DATABASE_URL: 'postgres://localhost/holdfast' } }
    const { code, stderr } = await holdfast(postgres, ['backup', 'drill'], password)
    expect([code, stderr]).toEqual([2, expect.stringContaining('restore it into an empty database')])
  })
})

/** Writes a backup whose database or manifest differs, with the hash of that. */
async function change(
  from: string,
  to: string,
  edit: (db: SqliteDatabase.Database) => void,
  other: (manifest: Manifest) => Partial<Manifest> = () => ({}),
): Promise<void> {
  const { manifest } = await readBackupEnd(from)
  writeFileSync(to, readFileSync(from).subarray(0, manifest.databaseBytes))
  const connection = new SqliteDatabase(to)
  edit(connection)
  connection.close()
  const { rows: _rows, ...rest } = manifest
  appendEnd(to, { ...rest, ...other(manifest), databaseBytes: statSync(to).size }, () => {})
}
