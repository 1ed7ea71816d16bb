import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'

/** The real process, as people and scripts start it. */

const main = join(import.meta.dirname, '../main.ts')
// As the start script does: what was compiled once need not be compiled for every process.
const compileCache = join(import.meta.dirname, '../../../../.runtime/compile-cache')
// Windows knows no such modes.
const ownerOnly = process.platform === 'win32' ? 0o666 : 0o600
const password = 'violets under a wet stone\n'
const cleanUps: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
}, 30_000)

interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

interface Place {
  dataDir: string
  env: Record<string, string | undefined>
}

async function makePlace(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'holdfast-cli-'))
  cleanUps.push(() => rm(root, { recursive: true, force: true }))
  const dataDir = join(root, 'data')
  const given = Object.entries(process.env).filter(([name]) => !name.startsWith('HOLDFAST_'))
  const settings = {
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_KEY_DIR: join(root, 'keys'),
    HOLDFAST_PORT: '0',
    NODE_COMPILE_CACHE: compileCache,
  }
  return { dataDir, env: { ...Object.fromEntries(given), ...settings } }
}

function start({ env }: Place, args: string[]): { child: ChildProcess; finished: Promise<Finished>; output(): string } {
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const finished = new Promise<Finished>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
  return { child, finished, output: () => stdout + stderr }
}

async function holdfast(place: Place, args: string[], stdin = ''): Promise<Finished> {
  const { child, finished } = start(place, args)
  child.stdin?.end(stdin)
  return finished
}

async function json(place: Place, args: string[], stdin = ''): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await holdfast(place, [...args, '--json'], stdin)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Record<string, unknown>
}

const setUp = (place: Place) => json(place, ['setup', '--email', 'ada@example.org', '--password-stdin'], password)

/** Starts a server and waits for the block that says where it is. */
async function serve(place: Place) {
  const server = start(place, ['serve'])
  cleanUps.push(async () => {
    server.child.kill('SIGKILL')
    await server.finished
  })
  for (let waitedMs = 0; !server.output().includes('Stop with'); waitedMs += 50) {
    if (waitedMs > 20_000 || server.child.exitCode !== null) throw new Error(`no start: ${server.output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const url = /Address\s+(\S+)/.exec(server.output())?.[1] ?? ''
  return { ...server, url }
}

const infoOf = async (url: string, agentKey: unknown) =>
  (await fetch(`${url}/api/agent/info`, { headers: { Authorization: `Bearer ${String(agentKey)}` } })).status

describe('the command line without a server', { timeout: 60_000 }, () => {
  it('sets up, once', async () => {
    const place = await makePlace()
    const made = await setUp(place)
    expect(made).toEqual({
      userId: expect.any(String),
      vaultId: expect.any(String),
      integrationId: expect.any(String),
      agentKey: expect.stringMatching(/^svc_\w{49}$/),
      dashboardToken: expect.stringMatching(/^hfd_\w{49}$/),
    })
    const again = await holdfast(place, ['setup', '--email', 'eve@example.org', '--password-stdin'], password)
    expect(again).toEqual({ code: 3, stdout: '', stderr: 'Holdfast is already set up\n' })
    expect(await json(place, ['status'])).toMatchObject({ isSetUp: true, users: 1, vaults: 1, dataDir: place.dataDir })
  })

  it('makes, lists and revokes keys, for the owner or for a person by e-mail', async () => {
    const place = await makePlace()
    const { vaultId } = await setUp(place)
    const grace = await json(place, ['users', 'add', '--email', 'grace@example.org', '--password-stdin'], password)
    const mine = await json(place, ['keys', 'create', '--label', 'Desk', '--preset', 'read_only', '--vault', 'Main'])
    expect(mine).toMatchObject({ label: 'Desk', preset: 'read_only', vaultId })
    const hers = await json(place, ['keys', 'create', '--label', 'Hers', '--email', 'Grace@example.org'])
    expect(hers).toMatchObject({ vaultId: grace.vaultId, preset: 'read_write' })
    expect(await json(place, ['keys', 'revoke', String(mine.keyId)])).toEqual({ id: mine.keyId, deleted: true })
    const [listed, listedHers] = [
      await json(place, ['keys', 'list']),
      await json(place, ['keys', 'list', '--email', 'grace@example.org']),
    ]
    expect(listed.keys).toMatchObject([
      { id: mine.keyId, label: 'Desk', state: 'revoked', preset: 'read_only', vaults: [{ vaultId, name: 'Main' }] },
      { label: 'First agent', state: 'valid', preset: 'admin', vaults: null },
    ])
    expect(listedHers.keys).toMatchObject([{ id: hers.keyId, label: 'Hers' }])
    expect((await holdfast(place, ['keys', 'revoke', String(hers.keyId)])).code).toBe(4)
    expect((await holdfast(place, ['keys', 'list'])).stdout).toMatch(
      /…\w{4} {2}revoked {2}never used {2}read_only in Main alone {2}Desk\n/,
    )
  })

  it('says in its exit code what went wrong, and on stderr what to do', async () => {
    const place = await makePlace()
    const empty = await holdfast(place, ['status'])
    expect(empty).toMatchObject({ code: 4, stdout: '' })
    expect(empty.stderr).toContain('npm run -s holdfast -- setup')
    expect(
      (await holdfast(place, ['users', 'add', '--email', 'a@example.org', '--password-stdin'], password)).code,
    ).toBe(4)
    // There is no terminal to ask on; that nothing is made before the password shows too.
    expect((await holdfast(place, ['setup', '--email', 'a@example.org'])).code).toBe(2)
    expect(existsSync(place.dataDir)).toBe(false)
    await setUp(place)
    expect((await holdfast(place, ['setup', '--email', 'a@example.org'])).code).toBe(3)
    const add = ['users', 'add', '--email', 'grace@example.org']
    const cases: [args: string[], stdin: string, code: number, stderr: string][] = [
      [['keys', 'create'], '', 2, '--label'],
      [['keys', 'make'], '', 2, 'unknown command'],
      [['keys', 'create', '--label', 'x', '--preset', 'root'], '', 2, 'preset'],
      [['keys', 'create', '--label', 'x', '--vault', 'Nowhere'], '', 4, 'no vault Nowhere'],
      [['keys', 'list', '--email', 'nobody@example.org'], '', 4, 'holdfast -- users add'],
      [add, '', 2, '--password-stdin'],
      [[...add, '--password-stdin'], '\n', 2, 'No password'],
      [[...add, '--password-stdin'], 'password\n', 2, 'most common'],
      [['status', '--url', 'ftp://x'], '', 2, '--url'],
      [['status', '--url', 'http://127.0.0.1:1'], '', 3, 'HOLDFAST_OPERATOR_TOKEN'],
    ]
    for (const [args, stdin, code, stderr] of cases) {
      const ended = await holdfast(place, args, stdin)
      expect([args, ended.code, ended.stdout]).toEqual([args, code, ''])
      expect(ended.stderr).toContain(stderr)
      expect(ended.stderr).not.toMatch(/\n\s+at /)
    }
    const nobody = { ...place, env: { ...place.env, HOLDFAST_OPERATOR_TOKEN: 'hfo_x' } }
    expect((await holdfast(nobody, ['status', '--url', 'http://127.0.0.1:1'])).code).toBe(5)
  })

  it('says what went wrong as JSON where it is asked for JSON', async () => {
    const place = await makePlace()
    const cases: [args: string[], exitCode: number, error: RegExp][] = [
      [['status'], 4, /^There is no Holdfast in /],
      [['keys', 'create'], 2, /--label/],
      [['status', '--nope'], 2, /^unknown option/],
    ]
    for (const [args, exitCode, error] of cases) {
      const { code, stdout, stderr } = await holdfast(place, [...args, '--json'])
      expect([args, code, stdout]).toEqual([args, exitCode, ''])
      expect(JSON.parse(stderr)).toMatchObject({ error: expect.stringMatching(error), exitCode })
    }
    expect(JSON.parse((await holdfast(place, ['status', '--json'])).stderr)).toMatchObject({
      next: expect.stringContaining('--data-dir'),
    })
  })

  it('tells whether there are embeddings', async () => {
    const place = await makePlace()
    await setUp(place)
    expect((await holdfast(place, ['status'])).stdout).toMatch(/Embeddings +static\S+, \d+ of \d+ records done\n/)
    const without = { ...place, env: { ...place.env, HOLDFAST_EMBEDDINGS: 'none' } }
    expect((await holdfast(without, ['status'])).stdout).toMatch(/Embeddings +none configured/)
  })

  it('names wrong settings and a missing root key in plain words', async () => {
    const place = await makePlace()
    await setUp(place)
    const wrong = { ...place, env: { ...place.env, HOLDFAST_PROT: '1' } }
    const settings = await holdfast(wrong, ['serve'])
    expect(settings).toMatchObject({ code: 1, stdout: '' })
    expect(settings.stderr).toContain('HOLDFAST_PROT: unknown setting')
    await rm(String(place.env.HOLDFAST_KEY_DIR), { recursive: true })
    const keyless = await holdfast(place, ['status'])
    expect(keyless).toMatchObject({ code: 1, stdout: '' })
    expect(keyless.stderr).toMatch(/^The root key of this data folder is missing/)
    expect(keyless.stderr).not.toMatch(/\n\s+at /)
  })

  it('names in plain words what this machine does not have', async () => {
    const place = await makePlace()
    const notAFolder = `${place.dataDir}-file`
    writeFileSync(notAFolder, '')
    const nowhere = 'postgres://127.0.0.1:1/holdfast'
    const cases: [args: string[], env: Record<string, string>, code: number, stderr: RegExp][] = [
      [['serve', '--host', '192.0.2.1'], {}, 1, /192\.0\.2\.1.*\(EADDRNOTAVAIL\)[^]*--host/],
      [['serve', '--port', 'abc'], {}, 2, /--port/],
      [['serve', '--port', '65536'], {}, 2, /--port/],
      [
        ['serve'],
        { HOLDFAST_KEY_DIR: join(notAFolder, 'keys'), HOLDFAST_DATA_DIR: `${place.dataDir}-2` },
        1,
        /KEY_DIR/,
      ],
      [['status'], { HOLDFAST_DATABASE_URL: nowhere }, 5, /cannot be reached \(ECONNREFUSED\)/],
    ]
    for (const [args, env, code, stderr] of cases) {
      const ended = await holdfast({ ...place, env: { ...place.env, ...env } }, args)
      expect([args, ended.code, ended.stdout]).toEqual([args, code, ''])
      expect(ended.stderr).toMatch(stderr)
      expect(ended.stderr).not.toMatch(/\n\s+at |should not have/)
    }
  })

  it('explains itself within 80 columns', async () => {
    const place = await makePlace()
    for (const args of [
      [],
      ['serve'],
      ['setup'],
      ['users', 'add'],
      ['keys', 'create'],
      ['keys', 'revoke'],
      ['status'],
    ]) {
      const { code, stdout } = await holdfast(place, [...args, '--help'])
      expect(code).toBe(0)
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    }
  })
})

describe('the command line with a server', { timeout: 60_000 }, () => {
  it('works through it, and what it does holds there at once', async () => {
    const place = await makePlace()
    const { url } = await serve(place)
    const { agentKey } = await setUp(place)
    expect(await infoOf(url, agentKey)).toBe(200)
    const made = await json(place, ['keys', 'create', '--label', 'Desk'])
    expect(await infoOf(url, made.agentKey)).toBe(200)
    await json(place, ['keys', 'revoke', String(made.keyId)])
    expect(await infoOf(url, made.agentKey)).toBe(401)
    const grace = ['users', 'add', '--email', 'grace@example.org', '--password-stdin']
    await json(place, grace, password)
    const hers = await json(place, ['keys', 'create', '--label', 'Hers', '--email', 'grace@example.org'])
    expect(await infoOf(url, hers.agentKey)).toBe(200)
    expect((await holdfast(place, grace, password)).code).toBe(2)
    expect((await holdfast(place, ['setup', '--email', 'a@example.org', '--password-stdin'], password)).code).toBe(3)
    const elsewhere = await makePlace()
    const far = ['status', '--url', url, '--data-dir', place.dataDir]
    expect(await json(elsewhere, far)).toMatchObject({ users: 2, dataDir: place.dataDir })
    const stranger = { ...elsewhere, env: { ...elsewhere.env, HOLDFAST_OPERATOR_TOKEN: 'hfo_x' } }
    expect((await holdfast(stranger, ['status', '--url', url])).code).toBe(3)
  })

  it('works through the server of the environment, unless a data folder is named', async () => {
    const [place, elsewhere] = [await makePlace(), await makePlace()]
    const { url } = await serve(place)
    const { token } = JSON.parse(await readFile(join(place.dataDir, 'server.json'), 'utf8')) as { token: string }
    const tokenFile = `${elsewhere.dataDir}-token`
    writeFileSync(tokenFile, `${token}\n`)
    const settings = { HOLDFAST_URL: `${url}/`, HOLDFAST_OPERATOR_TOKEN_FILE: tokenFile }
    const far = { ...elsewhere, env: { ...elsewhere.env, ...settings } }
    expect(await json(far, ['status'])).toMatchObject({ dataDir: place.dataDir })
    expect((await holdfast(far, ['status', '--data-dir', elsewhere.dataDir])).code).toBe(4)
  })

  it('says in plain words that a server is of another version', async () => {
    const place = await makePlace()
    const older = createServer((_, response) => response.end('{"version":"0.0.9"}')).listen(0, '127.0.0.1')
    cleanUps.push(async () => void older.close())
    await once(older, 'listening')
    const url = `http://127.0.0.1:${(older.address() as AddressInfo).port}`
    const asked = { ...place, env: { ...place.env, HOLDFAST_OPERATOR_TOKEN: 'hfo_x' } }
    for (const args of [['status'], ['keys', 'list']]) {
      const { code, stdout, stderr } = await holdfast(asked, [...args, '--url', url])
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^The server is of another version \(0\.0\.9\) than this command line \(\d[\d.]*\)/)
    }
  })

  it('gives the token of the usual folder to its own server alone, and asks beneath the given address', async () => {
    const place = await makePlace()
    const { url } = await serve(place)
    const asked: (string | undefined)[] = []
    const other = createServer(({ url: path }, response) => {
      asked.push(path)
      response.end('{"error":"not here"}')
    }).listen(0, '127.0.0.1')
    cleanUps.push(async () => void other.close())
    await once(other, 'listening')
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}/base`
    expect(await json(place, ['status', '--url', url])).toMatchObject({ dataDir: place.dataDir })
    expect((await holdfast(place, ['status', '--url', address])).code).toBe(3)
    expect(asked).toEqual([])
    await holdfast(place, ['status', '--url', address, '--data-dir', place.dataDir])
    expect(asked).toEqual(['/base/api/operator/status?'])
  })

  it('starts with one block that holds no token, and stops in order', async () => {
    const place = await makePlace()
    const server = await serve(place)
    const tokenFile = join(place.dataDir, 'setup-token')
    const serverFile = join(place.dataDir, 'server.json')
    expect(server.output()).toContain(`setup --email you@example.org --data-dir ${place.dataDir}`)
    expect(server.output()).toContain(tokenFile)
    expect(server.output()).not.toMatch(/hf[sodc]_/)
    for (const file of [tokenFile, serverFile]) expect((await stat(file)).mode & 0o777).toBe(ownerOnly)
    const token = (await readFile(tokenFile, 'utf8')).trim()
    const welcome = await fetch(server.url)
    expect([welcome.status, welcome.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(await welcome.text()).toContain('/openapi.json')
    const made = await fetch(`${server.url}/api/setup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, email: 'ada@example.org', password: password.trim() }),
    })
    expect(made.status).toBe(201)
    server.child.kill('SIGTERM')
    expect((await server.finished).code).toBe(0)
    expect([existsSync(tokenFile), existsSync(serverFile)]).toEqual([false, false])
    const next = await serve(place)
    expect(next.output()).not.toContain('no owner')
    expect(existsSync(tokenFile)).toBe(false)
  })

  it('does without a server that crashed, whoever answers on its port now', async () => {
    const place = await makePlace()
    const first = await serve(place)
    const { agentKey } = await setUp(place)
    first.child.kill('SIGKILL')
    await first.finished
    const other = await serve(await makePlace())
    const left = JSON.parse(await readFile(join(place.dataDir, 'server.json'), 'utf8')) as { token: string }
    writeFileSync(join(place.dataDir, 'server.json'), JSON.stringify({ ...left, url: other.url }))
    expect(await json(place, ['status'])).toMatchObject({ users: 1, dataDir: place.dataDir })
    const again = await serve(place)
    expect(await infoOf(again.url, agentKey)).toBe(200)
  })

  it('waits for a server that is just starting', async () => {
    const place = await makePlace()
    const server = start(place, ['serve'])
    cleanUps.push(async () => {
      server.child.kill('SIGKILL')
      await server.finished
    })
    for (let waitedMs = 0; !existsSync(join(place.dataDir, 'holdfast.lock')); waitedMs += 5) {
      if (waitedMs > 20_000) throw new Error(`no start: ${server.output()}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(await setUp(place)).toMatchObject({ agentKey: expect.any(String) })
  })

  it('refuses a second server on the same folder or the same port', async () => {
    const place = await makePlace()
    const { url } = await serve(place)
    const sameFolder = await holdfast(place, ['serve'])
    expect(sameFolder).toMatchObject({ code: 1, stdout: '' })
    expect(sameFolder.stderr).toMatch(/^Another Holdfast is running on the data folder/)
    const empty = await makePlace()
    const samePort = await holdfast(empty, ['serve', '--port', new URL(url).port])
    expect(samePort).toMatchObject({ code: 1, stdout: '' })
    expect(samePort.stderr).toContain('HOLDFAST_PORT')
    expect([existsSync(empty.dataDir), existsSync(String(empty.env.HOLDFAST_KEY_DIR))]).toEqual([false, false])
  })
})
