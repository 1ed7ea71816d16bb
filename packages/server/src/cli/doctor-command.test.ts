import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { makeAgentKey, makeIntegration, makeUser, makeVault, type TestUser } from '../../test/factories.ts'
import { checkAddresses, checkClock, checkFolder, checkNode } from './doctor/check-machine.ts'
import type { Finding } from '../core/finding.ts'
import { makeMachine, type Machine } from './testing/run-command.ts'

interface Report {
  code: number | null
  findings: Finding[]
  text: string
}

async function examine(machine: Machine, env: Record<string, string> = {}): Promise<Report> {
  const { code, stdout, stderr } = await machine.run(['doctor', '--json'], env)
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  return { code, findings, text: stdout + stderr }
}

/** Problems with their remedies: each must have both. */
const troubles = ({ findings }: Report) =>
  findings
    .filter(({ status }) => status !== 'ok')
    .map(({ check, status, text, fix }) => [check, status, text, fix ?? 'NO FIX'])

const trouble = (check: string, status: string, text: RegExp, fix: RegExp) => [
  check,
  status,
  expect.stringMatching(text),
  expect.stringMatching(fix),
]

const password = 'violets under a wet stone\n'

/** A separate instance without a running server. */
async function makeInstance(): Promise<{ machine: Machine; keyFile: string; key: string }> {
  const machine = await makeMachine()
  const keyDir = join(machine.home, 'keys')
  const settings = { HOLDFAST_DATA_DIR: join(machine.home, 'data'), HOLDFAST_KEY_DIR: keyDir }
  const withSettings: Machine = {
    ...machine,
    run: (args, env, stdin) => machine.run(args, { ...settings, ...env }, stdin),
  }
  const { stdout } = await withSettings.run(
    ['setup', '--email', 'ada@example.org', '--password-stdin', '--json'],
    {},
    password,
  )
  const { agentKey } = JSON.parse(stdout) as { agentKey: string }
  const [file = ''] = await readdir(keyDir)
  return { machine: withSettings, keyFile: join(keyDir, file), key: agentKey }
}

/** A server that owns its data folder, as `serve` leaves it, and a second machine that calls it. */
async function makeServer(): Promise<{ test: TestApp; url: string; machine: Machine; key: string; user: TestUser }> {
  const test = await startTestApp()
  const user = await makeUser(test, { isOwner: true })
  const key = await makeAgentKey(test, user, await makeIntegration(test, user))
  const url = await test.app.listen()
  test.app.operatorToken.publish(url)
  const machine = await makeMachine({ HOLDFAST_DATA_DIR: test.dataDir })
  return { test, url, machine, key, user }
}

/** A proxy in front of a server that changes what passes through. */
async function makeProxy(
  target: string,
  change: (headers: IncomingHttpHeaders) => void,
  answered: Record<string, string> = {},
) {
  const proxy = createServer((asked, answer) => {
    const headers = { ...asked.headers }
    change(headers)
    const onward = request(new URL(asked.url ?? '/', target), { method: asked.method, headers }, (came) => {
      answer.writeHead(came.statusCode ?? 502, { ...came.headers, ...answered })
      came.pipe(answer)
    })
    asked.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const address = proxy.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

describe('doctor', { timeout: 120_000 }, () => {
  it('finds nothing wrong with a healthy server, leaves nothing behind, and fits 80 columns', async () => {
    const { test, url, machine, key } = await makeServer()
    const report = await examine(machine, { HOLDFAST_URL: url, HOLDFAST_KEY: key })
    expect(troubles(report)).toEqual([])
    expect(report.code).toBe(0)
    expect(report.findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining([
        'node',
        'clock',
        'data folder',
        'disk',
        'root key',
        'address',
        'agent key',
        'mcp',
        'round trip',
        'calls',
      ]),
    )
    expect(report.text).not.toMatch(/svc_|hfo_|hfd_/)
    const { body } = await test.call('list-vaults', {}, { key })
    expect(body.vaults).toHaveLength(1)
    const { stdout } = await machine.run(['doctor'], { HOLDFAST_URL: url, HOLDFAST_KEY: key })
    expect(stdout).toMatch(/OK: \d+, warnings: 0, failed: 0\n$/)
    const wide = stdout.split('\n').filter((line) => line.length > 80 && !line.includes('/'))
    expect(wide).toEqual([])
  })

  it('says that agents send fields that operations do not have', async () => {
    const { test, url, machine, key } = await makeServer()
    await test.call('write-memory', { content: 'Ferries leave at noon.', memoryTyp: 'fact' }, { key })
    const { findings, code } = await examine(machine, { HOLDFAST_URL: url, HOLDFAST_KEY: key })
    expect(findings.find(({ check }) => check === 'calls')).toMatchObject({
      status: 'warning',
      text: expect.stringContaining('write-memory (1)'),
    })
    expect(code).toBe(0)
  })

  it('examines an instance without a running server, and finds problems with its root key', async () => {
    const { machine, keyFile, key } = await makeInstance()
    const well = await examine(machine, { HOLDFAST_KEY: key })
    expect(troubles(well)).toEqual([])
    expect(well.findings.map(({ check }) => check)).toContain('round trip')
    await chmod(keyFile, 0o644)
    expect(troubles(await examine(machine))).toEqual([
      trouble('root key', 'failed', /Other users .* can read/, /^chmod 600 /),
    ])
    await writeFile(keyFile, `${Buffer.alloc(32, 7).toString('base64')}\n`)
    const [wrong] = troubles(await examine(machine))
    expect(wrong).toEqual(trouble('store', 'failed', /key/, /\S/))
    await rm(keyFile)
    expect(troubles(await examine(machine))).toEqual([
      trouble('store', 'failed', /root key .* is missing/, /Put the file back/),
    ])
  })

  it('finds a folder without an instance, unknown settings, and a server that is down', async () => {
    const machine = await makeMachine()
    const env = { HOLDFAST_URL: 'http://127.0.0.1:9', HOLDFAST_DATA_DIR: join(machine.home, 'nothing') }
    const report = await examine(machine, env)
    expect(report.code).toBe(1)
    expect(troubles(report)).toEqual([
      trouble('data folder', 'failed', /No Holdfast instance/, /setup/),
      trouble('server', 'failed', /127\.0\.0\.1:9 does not answer/, /HOLDFAST_URL/),
    ])
    expect(troubles(await examine(machine, { ...env, HOLDFAST_PROT: '1', HOLDFAST_EMBEDDINGS: 'magic' }))).toEqual([
      trouble(
        'settings',
        'failed',
        /HOLDFAST_PROT: unknown setting \(did you mean HOLDFAST_PORT\?\)/,
        /Correct or unset/,
      ),
      trouble('settings', 'failed', /HOLDFAST_EMBEDDINGS/, /Correct or unset/),
    ])
  })

  it('names damaged records', async () => {
    const { test, url, machine, key } = await makeServer()
    const env = { HOLDFAST_URL: url, HOLDFAST_KEY: key }
    const { body } = await test.call('write-memory', { content: 'violets' }, { key })
    await test.app.services.db.write((tx) => tx.updateTable('memories').set({ contentRevision: 9 }).execute())
    expect(troubles(await examine(machine, env))).toContainEqual(
      trouble('records', 'failed', new RegExp(`^Damaged: memories 1 \\(${String(body['memoryId'])}\\)\\.$`), /delete/),
    )
  })

  it('finds keys that are rejected or expire soon, and missing and damaged vaults', async () => {
    const { test, url, machine, key, user } = await makeServer()
    const env = { HOLDFAST_URL: url }
    const unknown = await examine(machine, { ...env, HOLDFAST_KEY: `svc_${'k'.repeat(49)}` })
    expect(troubles(unknown)).toEqual([
      trouble('agent key', 'failed', /refuses HOLDFAST_KEY/, /keys create --label "…" --data-dir .+, then export/),
    ])
    expect(unknown.text).not.toContain('svc_')
    const soon = await makeAgentKey(test, user, await makeIntegration(test, user), {
      expiresAt: Date.now() + 3 * 86_400_000,
    })
    expect(troubles(await examine(machine, { ...env, HOLDFAST_KEY: soon }))).toEqual([
      trouble('agent key', 'warning', /expires in 3 days/, /keys create/),
    ])
    await writeFile(join(machine.folder, '.holdfast.json'), '{ "vault": "orchard" }')
    expect(troubles(await examine(machine, { ...env, HOLDFAST_KEY: key }))).toEqual([
      trouble('project vault', 'failed', /orchard/, /link <vault>/),
    ])
    const vaultId = await makeVault(test, user)
    await test.app.services.db.write((tx) =>
      tx
        .updateTable('vaultKeys')
        .set({ wrappedKey: Buffer.alloc(80) })
        .where('scopeId', '=', vaultId)
        .execute(),
    )
    await rm(join(machine.folder, '.holdfast.json'))
    expect(troubles(await examine(machine, { ...env, HOLDFAST_KEY: key }))).toEqual([
      trouble('vaults', 'failed', new RegExp(`${vaultId} can't be opened`), /Restore a backup, or delete/),
    ])
  })

  it('finds another instance at the URL, a proxy that drops keys, and a wrong clock', async () => {
    const { url, machine } = await makeServer()
    const other = await makeServer()
    expect(troubles(await examine(machine, { HOLDFAST_URL: other.url }))).toEqual([
      trouble('address', 'failed', /another instance/, /HOLDFAST_URL/),
    ])
    const deaf = await makeProxy(url, (headers) => delete headers.authorization)
    expect(troubles(await examine(machine, { HOLDFAST_PUBLIC_URL: deaf }))).toEqual([
      trouble('public address', 'failed', /drops the Authorization header/, /HOLDFAST_PUBLIC_URL/),
    ])
    const late = await makeProxy(url, () => {}, { date: new Date(Date.now() - 3_600_000).toUTCString() })
    expect(troubles(await examine(machine, { HOLDFAST_URL: late }))).toEqual([
      trouble('clock', 'failed', /differ by 3\d\d\d s/, /time server/),
    ])
  })

  it('says how many migrations are pending, and runs none', async () => {
    const { machine, key } = await makeInstance()
    const file = join(machine.home, 'data/holdfast.db')
    const store = new SqliteDatabase(file)
    const readNames = (db: SqliteDatabase.Database) => db.prepare('select "name" from "migrations" order by 1').all()
    store.exec('delete from "migrations"')
    const before = readNames(store)
    store.close()
    const report = await examine(machine, { HOLDFAST_KEY: key })
    expect(report.code).toBe(1)
    expect(troubles(report)).toEqual([trouble('schema', 'failed', /migrations? (is|are) due\./, /serve/)])
    const after = new SqliteDatabase(file)
    expect(readNames(after)).toEqual(before)
    after.close()
    // No backup was made, as before an update.
    expect(await readdir(join(machine.home, 'data'))).not.toContain('backups')
  })

  it('continues if .holdfast.json is invalid', async () => {
    const { machine } = await makeInstance()
    await writeFile(join(machine.folder, '.holdfast.json'), '{ broken')
    const report = await examine(machine)
    expect(troubles(report)).toEqual([trouble('project file', 'failed', /holdfast\.json/, /\S/)])
    expect(report.findings.map(({ check }) => check)).toContain('round trip')
  })

  it('finds embeddings that do not respond', async () => {
    const { machine } = await makeInstance()
    const report = await examine(machine, {
      HOLDFAST_EMBEDDINGS: 'openai',
      HOLDFAST_EMBEDDINGS_URL: 'http://127.0.0.1:9/v1',
      HOLDFAST_EMBEDDINGS_MODEL: 'none',
    })
    expect(troubles(report)).toEqual([trouble('embeddings', 'failed', /does not answer/, /\S/)])
  })
})

describe('the checks of the machine', () => {
  const config = (more: object) =>
    ({ host: '127.0.0.1', publicUrl: undefined, databaseUrl: undefined, ...more }) as never

  it('find an old Node and a clock that was never set', () => {
    expect(checkNode('18.20.0')).toMatchObject({ status: 'failed', fix: expect.stringContaining('Node 24') })
    expect(checkClock(0)).toMatchObject({ status: 'failed', fix: expect.stringContaining('time server') })
  })

  it('find unreachable addresses', () => {
    const find = (host: string, publicUrl?: string) => checkAddresses(config({ host, publicUrl })).status
    expect(find('127.0.0.1')).toBe('ok')
    expect(find('127.0.0.1', 'https://memory.example')).toBe('ok')
    expect(find('0.0.0.0', 'https://memory.example')).toBe('ok')
    expect(find('0.0.0.0')).toBe('warning')
    expect(find('0.0.0.0', 'http://localhost:8420')).toBe('warning')
    expect(find('127.0.0.1', 'http://0.0.0.0:8420')).toBe('failed')
  })

  it('find network disks, full disks and folders that others can read', async () => {
    const { test } = await makeServer()
    const find = (disk: { type: number; freeBytes: number }) =>
      checkFolder(config({ dataDir: test.dataDir }), () => disk)
        .filter(({ status }) => status !== 'ok')
        .map(({ check, status }) => `${check} ${status}`)
    expect(find({ type: 0xef53, freeBytes: 5e9 })).toEqual([])
    expect(find({ type: 0x6969, freeBytes: 5e8 })).toEqual(['free space warning', 'disk failed'])
    expect(find({ type: 0xef53, freeBytes: 5e7 })).toEqual(['free space failed'])
    await chmod(test.dataDir, 0o755)
    expect(find({ type: 0xef53, freeBytes: 5e9 })).toEqual(['data folder warning'])
  })
})
