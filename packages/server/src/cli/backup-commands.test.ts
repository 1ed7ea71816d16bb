import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { appendEnd, readBackupEnd } from '../backups/backup-file.ts'
import { holdfast, json, makePlace, password, serve, setUp } from './testing/run-holdfast.ts'
import { acceptInvitation, statusOf } from './testing/share-vault.ts'

// Windows has no such file modes.
const ownerOnly = process.platform === 'win32' ? 0o666 : 0o600

describe('backup and restore', { timeout: 300_000 }, () => {
  async function placeWithBackup() {
    const place = await makePlace()
    await setUp(place)
    const file = join(dirname(place.dataDir), 'one.backup')
    await json(place, ['backup', file])
    return { place, file, elsewhere: dirname(place.dataDir) }
  }

  it('use the server if one is running, and work without one, with a file, a folder or the server’s own backups', async () => {
    const { place, file, elsewhere } = await placeWithBackup()
    expect(await json(place, ['backup', 'list'])).toMatchObject({ items: [] })
    // It counts as the latest for as long as it is there.
    expect((await holdfast(place, ['status'])).stdout).toMatch(/Backup +latest (now|\d+ s ago)\n/)
    renameSync(file, `${file}.away`)
    expect((await holdfast(place, ['status'])).stdout).toMatch(/Backup +none yet\n/)
    renameSync(`${file}.away`, file)
    expect(await json(place, ['backup', 'verify', file])).toMatchObject({ manifest: { kind: 'manual', format: 1 } })
    expect(statSync(file).mode & 0o777).toBe(ownerOnly)
    const again = await holdfast(place, ['backup', file])
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('already exists')])
    expect((await holdfast(place, ['backup', join(elsewhere, 'nowhere', 'a')])).code).toBe(2)
    await serve(place)
    const folder = mkdtempSync(join(elsewhere, 'folder-'))
    await json(place, ['backup', folder])
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^holdfast-\d{8}T\d{6}Z-[0-9a-f-]{36}\.backup$/)])
    await json(place, ['backup'])
    expect(await json(place, ['backup', 'list'])).toMatchObject({ items: [{ problem: null }] })
    expect((await holdfast(place, ['status'])).stdout).toMatch(/Backup +latest (now|\d+ s ago)\n/)
    const running = await holdfast(place, ['restore', file, '--force'])
    expect([running.code, running.stderr]).toEqual([3, expect.stringContaining('Stop it, then')])
  })

  it('restore what was backed up, and keep the replaced database', async () => {
    const { place, file } = await placeWithBackup()
    await json(place, ['users', 'add', '--email', 'grace@example.org', '--password-stdin'], password)
    const refused = await holdfast(place, ['restore', file])
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('--force')])
    expect(await json(place, ['status'])).toMatchObject({ users: 2 })
    const { kept } = await json(place, ['restore', file, '--force'])
    expect(String(kept)).toMatch(/holdfast\.db\.before-restore-\w+$/)
    expect(await json(place, ['status'])).toMatchObject({ users: 1 })
    writeFileSync(join(place.dataDir, 'holdfast.db'), readFileSync(String(kept)))
    expect(await json(place, ['status'])).toMatchObject({ users: 2 })
  })

  it('replace a database whose log was deleted after a kill', async () => {
    const { place, file } = await placeWithBackup()
    // A killed process leaves it, and says with it that there has to be a log.
    writeFileSync(join(place.dataDir, 'holdfast.db-open'), '')
    const refused = await holdfast(place, ['status'])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('log of the database is missing')])
    await json(place, ['restore', file, '--force'])
    expect(await json(place, ['status'])).toMatchObject({ users: 1 })
  })

  it('keep who may use a shared vault, and how', async () => {
    const place = await makePlace()
    const first = await serve(place)
    const { vaultId, dashboardToken: ada } = await setUp(place)
    const addMember = async (name: string, role: string) => {
      const email = `${name}@example.org`
      const { dashboardToken } = await json(place, ['users', 'add', '--email', email, '--password-stdin'], password)
      await json(place, ['vaults', 'share', 'Main', '--with', email, '--role', role])
      await acceptInvitation(first.url, dashboardToken)
      return dashboardToken
    }
    const [viewer, editor, removed] = [
      await addMember('vera', 'viewer'),
      await addMember('eddy', 'editor'),
      await addMember('rob', 'admin'),
    ]
    const content = 'The gate is green.'
    expect(await statusOf(first.url, ada, '/api/memories', { vaultId, content })).toBe(201)
    await json(place, ['vaults', 'remove', 'Main', '--member', 'rob@example.org'])
    first.child.kill('SIGTERM')
    await first.finished
    const file = `${place.dataDir}.backup`
    await json(place, ['backup', file])
    // What happens after the backup is undone by restoring it.
    await json(place, ['vaults', 'remove', 'Main', '--member', 'vera@example.org'])
    await json(place, ['restore', file, '--force'])
    const { url } = await serve(place)
    const may = async (token: unknown) => [
      await statusOf(url, token, `/api/memories?vaultId=${String(vaultId)}`),
      await statusOf(url, token, '/api/memories', { vaultId, content: `${content} As ever.` }),
      await statusOf(url, token, '/api/vaults/members', { vaultId, email: 'carl@example.org', role: 'viewer' }),
    ]
    expect(await may(viewer)).toEqual([200, 403, 403])
    expect(await may(editor)).toEqual([200, 201, 403])
    expect(await may(removed)).toEqual([404, 404, 404])
    expect(await may(ada)).toEqual([200, 201, 200])
  })

  it('change nothing if the backup is not a backup, damaged or newer', async () => {
    const { place, file, elsewhere } = await placeWithBackup()
    const bytes = readFileSync(file)
    const damaged = join(elsewhere, 'damaged.backup')
    writeFileSync(damaged, Buffer.concat([bytes.subarray(0, 9_000), Buffer.from('?'), bytes.subarray(9_001)]))
    const short = join(elsewhere, 'short.backup')
    writeFileSync(short, bytes.subarray(0, -500))
    const newer = join(elsewhere, 'newer.backup')
    await addMigration(file, newer)
    const wrong = await refuseAll(place, [
      [place, join(elsewhere, 'missing'), 4, /File not found/],
      [place, join(place.dataDir, 'holdfast.db'), 1, /not a Holdfast backup/],
      [place, damaged, 1, /SHA-256/],
      [place, short, 1, /its end is missing/],
      [place, newer, 1, /newer Holdfast/],
    ])
    expect(wrong).toEqual([])
  })

  it('change nothing if it belongs to another instance or root key', async () => {
    const { place, file, elsewhere } = await placeWithBackup()
    const other = await placeWithBackup()
    const wrongKey = { ...place, env: { ...place.env, HOLDFAST_ROOT_KEY: Buffer.alloc(32, 7).toString('hex') } }
    const noKey = { ...place, env: { ...place.env, HOLDFAST_KEY_DIR: join(elsewhere, 'no-keys') } }
    const otherKeys = { ...place, env: { ...place.env, HOLDFAST_KEY_DIR: other.place.env['HOLDFAST_KEY_DIR'] } }
    const fresh = { ...wrongKey, env: { ...wrongKey.env, HOLDFAST_DATA_DIR: join(elsewhere, 'fresh') } }
    const wrong = await refuseAll(place, [
      [wrongKey, file, 1, /root key from HOLDFAST_ROOT_KEY is not the one/],
      [fresh, file, 1, /root key from HOLDFAST_ROOT_KEY is not the one/],
      [noKey, file, 1, /root key of this data folder is missing/],
      [otherKeys, other.file, 3, /belongs to instance/],
    ])
    expect([wrong, existsSync(join(elsewhere, 'fresh'))]).toEqual([[], false])
  })

  it('refer to PostgreSQL’s own tools, with the command', async () => {
    const place = await makePlace()
    const postgres = { ...place, env: { ...place.env, HOLDFAST_DATABASE_URL: 'postgres://localhost/holdfast' } }
    for (const args of [['backup'], ['backup', 'list'], ['restore', 'a']]) {
      const { code, stderr } = await holdfast(postgres, args)
      expect([code, stderr]).toEqual([2, expect.stringContaining('pg_dump --format=custom')])
    }
  })
})

type Place = Awaited<ReturnType<typeof makePlace>>

/** Each of these backups is faulty: each must be rejected with its own message, and nothing may change. */
async function refuseAll(
  { dataDir }: Place,
  cases: readonly (readonly [where: Place, file: string, code: number, words: RegExp])[],
): Promise<string[]> {
  const store = () => readFileSync(join(dataDir, 'holdfast.db'))
  const before = store()
  const wrong: string[] = []
  for (const [where, file, code, words] of cases) {
    const ended = await holdfast(where, ['restore', file, '--force'])
    if (ended.code !== code || !words.test(ended.stderr)) wrong.push(`${file}: ${ended.code} ${ended.stderr}`)
  }
  if (!store().equals(before)) wrong.push('the store was changed')
  return [...wrong, ...readdirSync(dataDir).filter((name) => name.includes('restor'))]
}

/** The same backup as a later version would have created it. */
async function addMigration(from: string, to: string): Promise<void> {
  const { manifest } = await readBackupEnd(from)
  writeFileSync(to, readFileSync(from).subarray(0, manifest.databaseBytes))
  const connection = new SqliteDatabase(to)
  connection.prepare(`insert into "migrations" values ('9999-later', 'x', 0)`).run()
  connection.close()
  appendEnd(to, { ...manifest, databaseBytes: statSync(to).size }, () => {})
}
