import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { configOfTests } from '../../test/app.ts'
import { longTokenMs } from '../../test/factories.ts'
import { createAccountWithAgent } from '../machine/create-user.ts'
import { createApp, type App } from '../app.ts'
import { createLog } from '../core/log.ts'
import { openCopy } from '../db/inspect-copy.ts'
import type { Migration } from '../db/migrate.ts'
import { readBackupEnd } from './backup-file.ts'

/** A server that can be stopped, and started again as its next version, which adds a table. */
async function startServer() {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-update-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const lines: string[] = []
  const clock = { now: Date.parse('2026-11-21T09:00:00.000Z') }
  const config = {
    ...configOfTests,
    dataDir: join(dir, 'data'),
    databaseUrl: undefined,
    rootKey: { given: undefined, command: undefined, dir: join(dir, 'keys') },
    backups: { folder: join(dir, 'data', 'backups'), everyHours: 0, keep: 7, s3: undefined },
  }
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const start = (laterMigrations: Migration[]) =>
    createApp(config, { log, laterMigrations, runsJobs: false, now: () => clock.now })
  let app = await start([])
  onTestFinished(() => app.stop())
  const owner = { email: 'ada@example.org', passwordHash: 'x', isOwner: true, vaultName: 'Main', tokenMs: longTokenMs }
  const agent = { label: 'First agent', preset: 'admin' } as const
  const account = await app.services.db.write((tx) => createAccountWithAgent(tx, app.services, owner, agent))
  if (account === undefined) throw new Error('the instance is new')
  const send = async (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    payload?: object,
    token = account.dashboardToken,
  ) => {
    const headers = { host: 'localhost', authorization: `Bearer ${token}` }
    const answer = await app.server.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
  }
  return {
    config,
    clock,
    account,
    send,
    operator: (url: string, payload: object) => send('POST', url, payload, app.operatorToken.token),
    log: () => lines.join(''),
    services: (): App['services'] => app.services,
    list: async () => ((await send('GET', '/api/backups')).body['backups'] as { items: Listed[] }).items,
    async update() {
      await app.stop()
      app = await start([{ name: '9999-later', statements: () => ['create table "later" ("id" text)'] }])
    },
  }
}

interface Listed {
  file: string
  kind: string
  problem: string | null
  expiresAt: string | null
}

/** A vault with a memory, and the bytes that its keys are wrapped in. */
async function addDiary({ send, services }: Awaited<ReturnType<typeof startServer>>) {
  const vault = (await send('POST', '/api/vaults', { name: 'Diary' })).body as { vaultId: string }
  const { status } = await send('POST', '/api/memories', { content: 'Under the violets', vaultId: vault.vaultId })
  expect(status).toBe(201)
  const keys = services().db.read.selectFrom('vaultKeys').select('wrappedKey').where('scopeId', '=', vault.vaultId)
  return { ...vault, wrappedKey: Buffer.from((await keys.executeTakeFirstOrThrow()).wrappedKey) }
}

const filesUnder = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const filesWith = (dir: string, bytes: Buffer) => filesUnder(dir).filter((file) => readFileSync(file).includes(bytes))

describe('an update of the tables of the embedded store', () => {
  it('begins with a verified backup of the earlier tables, for the server’s user only, that is listed and logged', async () => {
    const server = await startServer()
    const { config, update, list, log, send } = server
    await addDiary(server)
    expect(await list()).toEqual([])
    await update()
    const items = await list()
    expect(items).toMatchObject([
      {
        kind: 'before-update',
        problem: null,
        checkedAt: '2026-11-21T09:00:00.000Z',
        expiresAt: '2026-11-28T09:00:00.000Z',
      },
    ])
    const [{ file } = { file: '' }] = items
    expect(readdirSync(config.backups.folder).map((name) => join(config.backups.folder, name))).toEqual([file])
    // Windows has no such file modes.
    expect(statSync(file).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600)
    expect((await readBackupEnd(file)).manifest.schema).not.toContain('later')
    const copy = openCopy(file)
    onTestFinished(() => copy.close())
    expect(await copy.read.selectFrom('memories').select('id').execute()).toHaveLength(1)
    expect(log()).toContain('the store was backed up before an update of its tables')
    expect((await send('GET', '/api/system/check')).body['checks']).toContainEqual(
      expect.objectContaining({ check: 'backup', status: 'warning', text: expect.stringContaining('No backups yet.') }),
    )
  })

  it('does not begin if the backup fails', async () => {
    const { config, update, list } = await startServer()
    writeFileSync(config.backups.folder, 'a file where the folder should be')
    await expect(update()).rejects.toThrow(/must be backed up[^]*Nothing was changed/)
    rmSync(config.backups.folder)
    await update()
    expect(await list()).toHaveLength(1)
  })

  it('leaves a backup that is deleted after a week', async () => {
    const { clock, update, list, services } = await startServer()
    await update()
    clock.now += 7 * 86_400_000 - 1
    expect([await services().backups.deleteBeforeUpdate('due'), await list()]).toEqual([0, [expect.anything()]])
    clock.now += 1
    expect([await services().backups.deleteBeforeUpdate('due'), await list()]).toEqual([1, []])
  })

  it('leaves no file from which a vault could be read that was deleted permanently later', async () => {
    const server = await startServer()
    const { config, update, send, list, log, services } = server
    const diary = await addDiary(server)
    await update()
    const [{ file } = { file: '' }] = await list()
    const unfinished = `${join(config.backups.folder, 'holdfast-x.backup')}.${services().instance.id}.partial`
    writeFileSync(unfinished, readFileSync(file))
    await update()
    // The store and the backup. What a crash left of another is gone since the start.
    expect(filesWith(config.dataDir, diary.wrappedKey)).toEqual(expect.arrayContaining([file]))
    expect(filesUnder(config.dataDir)).not.toContain(unfinished)
    expect(log()).toContain('a backup was interrupted, and what was left of it is deleted')
    expect((await send('DELETE', `/api/vaults?id=${diary.vaultId}&name=Diary`)).status).toBe(200)
    expect([filesWith(config.dataDir, diary.wrappedKey), await list()]).toEqual([[], []])
  })
  it('leaves no file from which a user could be read who was deleted later', async () => {
    const { config, update, list, services, operator } = await startServer()
    const grace = { email: 'grace@example.org', password: 'another long and private sentence' }
    const { userId } = (await operator('/api/operator/users', grace)).body
    const keys = services().db.read.selectFrom('vaultKeys').select('wrappedKey')
    const wrapped = await keys.where('userId', '=', userId as string).execute()
    const holding = () => wrapped.flatMap(({ wrappedKey }) => filesWith(config.dataDir, Buffer.from(wrappedKey)))
    await update()
    const [{ file } = { file: '' }] = await list()
    expect(holding()).toContain(file)
    expect((await operator('/api/users/delete', { userId, email: grace.email })).status).toBe(200)
    expect([holding(), await list()]).toEqual([[], []])
  })
})
