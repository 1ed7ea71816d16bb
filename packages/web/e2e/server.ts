import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..', '..')
const main = join(root, 'packages/server/src/main.ts')

export const person = { email: 'ada@example.org', password: 'a long and private sentence' }

/** A server process in a new folder, started like a person would start it. */
export interface RunningServer {
  url: string
  /** The one-time token that the server prints for the setup. */
  setupToken(): string
  /** The token for anyone who can read the data folder. */
  operatorToken(): string
  stop(): Promise<void>
}

/**
 * `program`: the command line, for `node` to run.
 * `webhookAllow`: addresses that webhooks may be sent to, in addition to the public internet.
 * `modelUrl`: a language model.
 */
export async function startServer({ program = main, webhookAllow = '', modelUrl = '' } = {}): Promise<RunningServer> {
  const home = mkdtempSync(join(tmpdir(), 'holdfast-web-'))
  const dataDir = join(home, 'data')
  const server = spawn(process.execPath, [program, 'serve'], {
    cwd: home,
    env: {
      PATH: process.env['PATH'],
      HOLDFAST_PORT: '0',
      // For tests of what browsers do at an address that isn't local.
      HOLDFAST_ALLOWED_HOSTS: 'holdfast.lan',
      HOLDFAST_DATA_DIR: dataDir,
      HOLDFAST_KEY_DIR: join(home, 'keys'),
      HOLDFAST_WEBHOOK_ALLOW: webhookAllow,
      ...(modelUrl !== '' && { HOLDFAST_EXTRACTION_URL: modelUrl, HOLDFAST_EXTRACTION_MODEL: 'small' }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((done) => server.once('exit', () => done()))
  const url = await new Promise<string>((found, fail) => {
    let output = ''
    server.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const address = /http:\/\/[\d.]+:\d+/.exec(output)?.[0]
      if (address !== undefined) found(address)
    })
    server.once('exit', () => fail(new Error('The server exited before it was ready')))
  })
  return {
    url,
    operatorToken: () => (JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8')) as { token: string }).token,
    setupToken: () => readFileSync(join(dataDir, 'setup-token'), 'utf8').trim(),
    async stop() {
      server.kill('SIGTERM')
      await ended
      rmSync(home, { recursive: true })
    },
  }
}

export interface Owner {
  vaultId: string
  integrationId: string
  agentKey: string
  dashboardToken: string
}

/** Sets what the owner's first agent may do to what someone else wrote. */
export async function allowChanges(
  server: RunningServer,
  { integrationId: id, dashboardToken }: Owner,
  writePolicy: { persons: string; agents: string },
): Promise<void> {
  await send(server, 'PATCH', '/api/integrations', { body: { id, writePolicy }, key: dashboardToken })
}

/** Creates the owner through the API, for tests that start after the setup. Their agent may change everything. */
export async function setUp(server: RunningServer): Promise<Owner> {
  const owner: unknown = await send(server, 'POST', '/api/setup', {
    body: { token: server.setupToken(), ...person, label: 'Scout' },
  })
  await allowChanges(server, owner as Owner, { persons: 'yes', agents: 'yes' })
  return owner as Owner
}

/** Calls the API with an agent key or a dashboard token. */
export const ask = (server: RunningServer, key: string, path: string, body: object) =>
  send(server, 'POST', path, { body, key })

async function send(
  server: RunningServer,
  method: 'POST' | 'PATCH',
  path: string,
  { body, key }: { body: object; key?: string },
): Promise<Record<string, unknown>> {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...(key !== undefined && { Authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}
