// Real server processes for tests that kill, stop and starve them. Each has its own folders and port. Leftovers are removed after the
// test that started them.

import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { findRunningServer } from '../../src/auth/operator-token.ts'
import type { FreshStore } from '../dialects.ts'
import { findProgram } from '../program.ts'

const startTimeoutMs = 30_000

/** The folders of a server: what remains when its process dies. */
export interface Site {
  store: FreshStore
  dataDir: string
  keyDir: string
  env: Record<string, string>
  /** The program of another version. Default: this one. */
  program?: string
  /** How many files the process may have open. Default: as many as the tests. Not on Windows. */
  maxFiles?: number
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface ServerProcess {
  pid: number
  /** Settles once the process is gone and all its output has been read. */
  exited: Promise<Exit>
  /** Everything that it printed, on both streams. */
  output(): string
  kill(signal: NodeJS.Signals): Promise<Exit>
}

export interface RunningServer extends ServerProcess {
  url: string
}

export interface Account {
  userId: string
  vaultId: string
  integrationId: string
  agentKey: string
  dashboardToken: string
}

export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-crash-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** `keyDir` is given if a second server shares the first one's root key. */
export const siteFor = (store: FreshStore, { keyDir = tempDir() } = {}): Site => ({
  store,
  dataDir: store.kind === 'sqlite' ? store.dir : tempDir(),
  keyDir,
  env: store.kind === 'sqlite' ? {} : { HOLDFAST_DATABASE_URL: store.url },
})

/** Runs the program with the site's settings, for commands that end by themselves. */
export async function runCommand(site: Site, args: string[], input = ''): Promise<Exit & { output: string }> {
  const { child, server } = launch(site, args)
  child.stdin?.end(input)
  return { ...(await server.exited), output: server.output() }
}

export async function setUp(site: Site, options: { email?: string; password?: string; flags?: string[] } = {}) {
  const { email = 'owner@example.org', password = 'a long and private sentence', flags = [] } = options
  const args = ['setup', '--email', email, '--password-stdin', '--json', ...flags]
  const { code, output } = await runCommand(site, args, `${password}\n`)
  if (code !== 0) throw new Error(`setup failed: ${output}`)
  return JSON.parse(output) as Account
}

export const spawnServer = (site: Site): ServerProcess => launch(site, ['serve']).server

/** Resolves once the server responds. Throws with its output if it does not start. */
export async function startServer(site: Site): Promise<RunningServer> {
  // What a killed server left behind names an address that now belongs to no process, or to another one.
  const stale = findRunningServer(site.dataDir)?.token
  const server = spawnServer(site)
  const giveUpAt = Date.now() + startTimeoutMs
  for (;;) {
    const isGone = await Promise.race([server.exited.then(() => true), sleep(10, false)])
    const running = findPublished(site.dataDir)
    if (running !== undefined && running.token !== stale) return { ...server, url: running.url }
    if (isGone || Date.now() > giveUpAt) throw new Error(`the server did not start: ${server.output()}`)
  }
}

// The file is read while it is being written.
function findPublished(dataDir: string) {
  try {
    return findRunningServer(dataDir)
  } catch {
    return undefined
  }
}

/** Tests call as fast as they can. */
const withoutRateLimits = Object.fromEntries(
  ['READ', 'WRITE', 'SEARCH', 'INGEST'].map((name) => [`HOLDFAST_RATE_LIMIT_${name}`, '0']),
)

function launch(site: Site, args: string[]): { child: ChildProcess; server: ServerProcess } {
  const command = [process.execPath, site.program ?? findProgram(), ...args]
  const limits = site.maxFiles === undefined ? [] : ['sh', '-c', `ulimit -n ${site.maxFiles} && exec "$@"`, 'sh']
  const [program = '', ...rest] = [...limits, ...command]
  const child = spawn(program, rest, {
    cwd: site.keyDir,
    env: {
      PATH: process.env['PATH'],
      // Makes each start a third faster.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      HOLDFAST_DATA_DIR: site.dataDir,
      HOLDFAST_KEY_DIR: site.keyDir,
      HOLDFAST_PORT: '0',
      ...withoutRateLimits,
      ...site.env,
    },
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const kill = (signal: NodeJS.Signals) => (child.kill(signal), exited)
  // Undefined only if the spawn failed; then `exited` rejects.
  const pid = child.pid ?? -1
  return { child, server: { pid, exited, output: () => Buffer.concat(chunks).toString(), kill } }
}
