import { chmodSync, globSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findProgram } from '../../test/program.ts'
import { readConfig } from '../config.ts'
import { describeStart } from './serve.ts'
import { makeMachine } from './testing/run-command.ts'
import { makePlace, serve, setUp } from './testing/run-holdfast.ts'

const config = readConfig({ HOME: '/home/ada', HOLDFAST_PUBLIC_URL: 'https://memory.example/' })

const start = {
  url: 'http://127.0.0.1:8420',
  config,
  rootKeyOrigin: '/keys/1.key',
  setupToken: { token: 'hfs_token', file: '/data/setup-token' },
}

describe('the startup message', () => {
  it('contains the setup link with its token on a terminal', () => {
    const text = describeStart({ ...start, isTerminal: true })
    expect(text).toContain('  https://memory.example/setup#token=hfs_token\n')
    expect(text).toContain('  Dashboard     https://memory.example/\n')
  })

  it('contains no token if it may end up in a log, but says where it is', () => {
    const text = describeStart({ ...start, isTerminal: false })
    expect(text).not.toContain('hfs_')
    expect(text).toMatch(/https:\/\/memory\.example\/setup\n[^]*\/data\/setup-token\n/)
  })

  it('doesn’t mention the setup if there is an owner', () => {
    expect(describeStart({ ...start, setupToken: undefined, isTerminal: true })).not.toMatch(/setup|owner/)
  })
})

describe.skipIf(process.platform === 'win32')('a server', { timeout: 120_000 }, () => {
  it('lets others read none of its files, and says if they can list its folder', async () => {
    const place = await makePlace()
    mkdirSync(place.dataDir, { recursive: true })
    chmodSync(place.dataDir, 0o755)
    await setUp(place)
    // As an earlier version left it.
    for (const name of ['holdfast.db', 'holdfast.lock']) chmodSync(join(place.dataDir, name), 0o644)
    const server = await serve(place)
    const modes = readdirSync(place.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => [name, statSync(join(parentPath, name)).mode & 0o777] as const)
    expect(Object.fromEntries(modes)).toMatchObject({ 'holdfast.db': 0o600, 'server.json': 0o600 })
    expect(modes.filter(([, mode]) => (mode & 0o077) !== 0)).toEqual([])
    expect(server.output()).toContain('Others can list this folder: chmod 700')
    expect(server.output()).toContain('other users of this machine can list the data folder')
  })

  it('does not open the inspector of Node at a signal', async () => {
    const server = await serve(await makePlace())
    server.child.kill('SIGUSR1')
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    server.child.kill('SIGTERM')
    await server.finished
    expect(server.output()).not.toContain('Debugger listening')
  })

  it('does not start without the packages that OpenTelemetry needs, and says what to install', async () => {
    const { folder, run } = await makeMachine({ HOLDFAST_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
    const { code, stdout, stderr } = await run(['serve'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/its package @opentelemetry\/\S+ is not installed/)
    expect(stderr).toContain('npm install @opentelemetry/api @opentelemetry/sdk-node @opentelemetry/resources')
    expect(readdirSync(folder)).toEqual([])
  })
})

// In a checkout, Node also finds the packages of tests and tools.
it('requires only packages that npm installs with the server', () => {
  const folder = dirname(findProgram())
  const files = globSync('**/*.js', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))
  expect(files.length).toBeGreaterThan(50)
  const loaded = files.flatMap((code) =>
    [...code.matchAll(/(?:__require|\bimport)\(`([^`.][^`]*)`\)|\bfrom ?"([^".][^"]*)"(?=[;\n])/g)].map(
      ([, one, other]) => one ?? other ?? '',
    ),
  )
  const packages = new Set(loaded.filter((name) => !isBuiltin(name)))
  // The driver of PostgreSQL loads pg-native only for those who ask it to.
  expect([...packages].toSorted()).toEqual(['@node-rs/argon2', 'better-sqlite3', 'pg-native'])
})
