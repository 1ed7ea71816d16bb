import { isAscii } from 'node:buffer'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../packages/web/e2e/find-chromium.ts'
import { root } from './checks.ts'
import { connectMcp, remember, walkFirstRun } from './pack/first-run.ts'

/** What is published on npm, installed and used as its users do. Needs the registry, for the two packages with machine code. */

const folder = mkdtempSync(join(tmpdir(), 'holdfast-pack-test-'))
const tarballs = join(folder, 'tarballs')
const tarball = (name: string) =>
  join(tarballs, readdirSync(tarballs).find((file) => new RegExp(`^${name}-\\d`).test(file)) ?? '')

function run(cwd: string, command: string, args: readonly string[], node = process.execPath) {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH']}`, NODE_OPTIONS: '' }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

function install(name: string, packages: readonly string[]): string {
  const place = join(folder, name)
  mkdirSync(place, { recursive: true })
  const { status, stderr } = run(place, 'npm', ['install', '--prefix', place, '--no-audit', '--no-fund', ...packages])
  if (status !== 0) throw new Error(stderr)
  return place
}

const sizeOf = (path: string) =>
  globSync('**/*', { cwd: path }).reduce((sum, file) => sum + statSync(join(path, file)).size, 0)

beforeAll(() => {
  const { status, stdout, stderr } = run(root, process.execPath, ['scripts/pack.ts', tarballs])
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
}, 300_000)

afterAll(() => rmSync(folder, { recursive: true }))

describe('the package holdfast', () => {
  let place: string
  beforeAll(() => {
    place = install('user', [tarball('holdfast')])
  }, 300_000)

  it('has 25 MB at most to download and 60 MB installed', () => {
    expect(statSync(tarball('holdfast')).size).toBeLessThan(25e6)
    expect(sizeOf(join(place, 'node_modules'))).toBeLessThan(60e6)
  })

  it('contains the program, what it needs and the licenses, and no sources or tests', () => {
    const own = join(place, 'node_modules/holdfast')
    for (const file of ['LICENSE', 'NOTICE', 'THIRD-PARTY-LICENSES.txt', 'README.md'])
      expect(existsSync(join(own, file)), file).toBe(true)
    expect(readFileSync(join(own, 'NOTICE'), 'utf8')).toContain('all-MiniLM-L6-v2')
    expect(readFileSync(join(own, 'THIRD-PARTY-LICENSES.txt'), 'utf8')).toContain('\nfastify ')
    for (const file of [
      'dist/main.js',
      'dashboard/index.html',
      'docs/index.html.gz',
      'assets/static-256.bin',
      'assets/common-passwords.txt',
    ])
      expect(existsSync(join(own, file)), file).toBe(true)
    expect(globSync('**/*.ts', { cwd: own })).toEqual([])
    const { sources } = JSON.parse(readFileSync(join(own, 'dist/main.js.map'), 'utf8')) as { sources: string[] }
    expect(sources).toContain('packages/server/src/main.ts')
  })

  it('has its code in ASCII, because V8 keeps any other file with two bytes for each character', () => {
    const dist = join(place, 'node_modules/holdfast/dist')
    const large = globSync('**/*.js', { cwd: dist }).filter((name) => statSync(join(dist, name)).size > 100_000)
    expect(large.length).toBeGreaterThan(5)
    expect(large.filter((name) => !isAscii(readFileSync(join(dist, name))))).toEqual([])
  })

  it('has code that loads, in all of its files', () => {
    const dist = join(place, 'node_modules/holdfast/dist')
    const names = readdirSync(dist).filter((name) => name.endsWith('.js') && name !== 'main.js')
    expect(names.length).toBeGreaterThan(50)
    const code = `for (const name of ${JSON.stringify(names)}) await import(${JSON.stringify(`${dist}/`)} + name); process.exit()`
    expect(run(place, process.execPath, ['--input-type=module', '-e', code])).toMatchObject({ status: 0, stderr: '' })
  })

  // Node 22 comes from npm as well, like the Node that a checkout runs with.
  it.each(['24', '22'])(
    'starts in an empty folder on Node %s, with the dashboard and the documentation, and remembers',
    async (version) => {
      const node = nodeOf(version)
      const empty = join(folder, `empty-${version}`)
      mkdirSync(empty)
      const program = join(place, 'node_modules/.bin/holdfast')
      const env = { PATH: dirname(node), HOLDFAST_PORT: '0', HOLDFAST_KEY_DIR: join(folder, `keys-${version}`) }
      const server = spawn(program, { cwd: empty, env, stdio: ['ignore', 'pipe', 'inherit'] })
      try {
        let output = ''
        for await (const chunk of server.stdout) {
          output += String(chunk)
          if (output.includes('Stop with Ctrl-C')) break
        }
        const url = /http:\/\/[\d.]+:\d+/.exec(output)?.[0] ?? ''
        expect(existsSync(join(empty, 'data/holdfast.db'))).toBe(true)
        const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
        const scripts = Array.from(page.matchAll(/(?:href|src)="(\/assets\/[^"]+\.js)"/g), ([, path = '']) => path)
        expect(scripts.length).toBeGreaterThan(0)
        for (const path of scripts) expect((await fetch(url + path)).status).toBe(200)
        expect(await (await fetch(`${url}/docs`)).text()).toContain('<h1')
        const token = readFileSync(join(empty, 'data/setup-token'), 'utf8').trim()
        const setup = await fetch(`${url}/api/setup`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            token,
            email: 'ada@example.org',
            password: 'a long and private sentence',
            label: 'Scout',
          }),
        })
        const { agentKey } = (await setup.json()) as { agentKey: string }
        const ask = async (operation: string, body: object) => {
          const headers = { 'content-type': 'application/json', authorization: `Bearer ${agentKey}` }
          return (
            await fetch(`${url}/api/agent/${operation}`, { method: 'POST', headers, body: JSON.stringify(body) })
          ).json()
        }
        await ask('write-memory', { content: 'The ferns get water on Mondays.' })
        // By meaning, so the model works.
        expect(await ask('search-memories', { query: 'when to water plants' })).toMatchObject({
          memories: [{ content: 'The ferns get water on Mondays.' }],
        })
        const backup = spawnSync(program, ['backup', '--json'], { cwd: empty, env, encoding: 'utf8' })
        expect([backup.status, backup.stderr]).toEqual([0, ''])
      } finally {
        server.kill('SIGTERM')
        await once(server, 'exit')
      }
    },
    120_000,
  )

  it('says which Node it needs if there is an older one', () => {
    const node = nodeOf('20')
    const { status, stdout, stderr } = run(place, node, [join(place, 'node_modules/holdfast/dist/main.js')], node)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^Holdfast needs Node 22\.13 or newer, and this is Node 20\.\S+\. Install a newer one\.\n$/)
  }, 120_000)
})

describe('the package holdfast, installed globally', () => {
  const prefix = join(folder, 'global')
  const elsewhere = join(folder, 'elsewhere')
  const holdfast = (...args: string[]) => run(elsewhere, join(prefix, 'bin/holdfast'), args)
  beforeAll(() => {
    mkdirSync(elsewhere)
    const { status, stderr } = run(elsewhere, 'npm', ['install', '--global', '--prefix', prefix, tarball('holdfast')])
    if (status !== 0) throw new Error(stderr)
  }, 300_000)

  it('has every command of the documentation, by the name that it has there', () => {
    const documented = readFileSync(join(root, 'docs/cli.md'), 'utf8')
    const commands = Array.from(documented.matchAll(/^## (.+)$/gm), ([, words = '']) => words)
    expect(commands.length).toBeGreaterThan(20)
    for (const words of commands) {
      const { status, stdout } = holdfast(...words.split(' '), '--help')
      expect([words, status]).toEqual([words, 0])
      expect(stdout).toContain(`Usage: holdfast ${words}`)
    }
  }, 300_000)

  it('works on the folder that it is called from, and names any other folder in what to do next', () => {
    expect(holdfast('status').stderr).toContain(`No Holdfast instance in ${join(elsewhere, 'data')}.`)
    expect(holdfast('status', '--data-dir', 'there').stderr).toContain('holdfast setup --data-dir')
  })
})

describe.skipIf(findChromium() === undefined || !existsSync('/usr/bin/script'))('the first run through npx', () => {
  // Only with a terminal does the server print the link with its token.
  it.each(['24', '22'])(
    'gives a person and their first agent a memory on Node %s, without anything else installed',
    async (version) => {
      const node = nodeOf(version)
      const [empty, home] = [join(folder, `walk-${version}`), join(folder, `home-${version}`)]
      for (const path of [empty, home]) mkdirSync(path)
      const path = [dirname(node), dirname(programNamed('npx')), '/usr/bin', '/bin'].join(delimiter)
      const env = { ...reachingNpm, PATH: path, HOME: home, HOLDFAST_PORT: '0' }
      const server = spawn(
        '/usr/bin/script',
        ['-qefc', `npx --yes --package=${tarball('holdfast')} -- holdfast`, '/dev/null'],
        {
          cwd: empty,
          env,
          stdio: ['pipe', 'pipe', 'inherit'],
        },
      )
      try {
        const link = await printedLink(server)
        expect(existsSync(join(empty, 'data/holdfast.db'))).toBe(true)
        const bridge = join(install('mcp', [tarball('holdfast-mcp')]), 'node_modules/@holdfast/mcp/dist/mcp.js')
        await walkFirstRun(link, async (key) => {
          const { origin } = new URL(link)
          const agent = await connectMcp(node, [bridge], { HOLDFAST_URL: origin, HOLDFAST_KEY: key })
          return {
            call: () => agent.say('session_start', {}),
            remember: (content) => remember(origin, key, content),
            rememberAsTool: async (content) => {
              await agent.say('write_memory', { content })
              await agent.close()
            },
          }
        })
      } finally {
        const hasEnded = once(server, 'exit')
        server.stdin.write('\u0003')
        await hasEnded
      }
    },
    600_000,
  )
})

it('the package @holdfast/mcp answers over stdio, and needs no other package', () => {
  const place = install('mcp', [tarball('holdfast-mcp')])
  expect(readdirSync(join(place, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@holdfast'])
  const licenses = readFileSync(join(place, 'node_modules/@holdfast/mcp/THIRD-PARTY-LICENSES.txt'), 'utf8')
  expect([/^zod /m.test(licenses), /^fastify /m.test(licenses)]).toEqual([true, false])
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const { stdout } = spawnSync(join(place, 'node_modules/.bin/holdfast-mcp'), {
    input: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`,
    env: { PATH: dirname(process.execPath), HOLDFAST_KEY: 'svc_none' },
    encoding: 'utf8',
  })
  expect(JSON.parse(stdout)).toMatchObject({ result: { serverInfo: { name: 'holdfast' } } })
}, 120_000)

function printedLink(server: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((found, fail) => {
    server.stdout?.on('data', (chunk) => {
      output += String(chunk)
      const link = /http:\S+\/setup#token=hfs_\w+/.exec(output)?.[0]
      if (link !== undefined && output.includes('Stop with Ctrl-C')) found(link)
    })
    server.once('exit', () => fail(new Error(`There was no link: ${output}`)))
  })
}

/** Where npm downloads from, and the certificates that it accepts. Without its cache: nothing is there on a new machine. */
const reachingNpm = {
  npm_config_userconfig: join(homedir(), '.npmrc'),
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(?:NODE_EXTRA_CA_CERTS|https?_proxy)$/i.test(name)),
  ),
}

function programNamed(name: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((path) => join(path, name)).find((path) => existsSync(path)) ?? name
}

function nodeOf(version: string): string {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath
  const place = install(`node-${version}`, [`node-${process.platform}-${process.arch}@${version}`])
  return join(place, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
}
