import { auth, UnauthorizedError, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type {
  OAuthClientInformationMixed,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client'
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { makeIntegration, makeUser, type TestUser } from '../factories.ts'

/** Whole connections by programs that others wrote. Only the person's click is ours. */

const run = promisify(execFile)

const makeFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-oauth-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function start() {
  const test = await startTestApp()
  const user = await makeUser(test)
  return { test, user, integrationId: await makeIntegration(test, user), url: await test.app.listen() }
}

interface Deciding {
  test: TestApp
  user: TestUser
  integrationId: string
}

/** What the page does: reads the request from its address, sends the decision, and returns where the browser goes. */
async function allow({ test, user, integrationId }: Deciding, authorizationUrl: string): Promise<URL> {
  const page = await fetch(authorizationUrl, { redirect: 'manual' })
  const { origin } = new URL(authorizationUrl)
  const packed = new URL(page.headers.get('location') ?? '', origin).searchParams.get('request') ?? ''
  const headers = { Authorization: `Bearer ${user.dashboardToken}`, 'Content-Type': 'application/json' }
  const asked = (await (await fetch(`${origin}/oauth/request?request=${packed}`, { headers })).json()) as {
    request: object
  }
  const body = JSON.stringify({ integrationId, authorization: asked.request })
  const decided = await fetch(`${origin}/api/keys`, { method: 'POST', headers, body })
  const { redirectTo } = (await decided.json()) as { redirectTo: string }
  expect(test.log()).not.toContain(new URL(redirectTo).searchParams.get('code'))
  return new URL(redirectTo)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

it('the MCP SDK for TypeScript connects, calls and refreshes', { timeout: 120_000 }, async () => {
  const started = await start()
  const kept: {
    client?: OAuthClientInformationMixed
    tokens?: OAuthTokens
    verifier?: string
    to?: URL
    discovery?: OAuthDiscoveryState
  } = {}
  const provider: OAuthClientProvider = {
    redirectUrl: 'http://127.0.0.1:7777/callback',
    clientMetadata: { client_name: 'SDK', redirect_uris: ['http://127.0.0.1:7777/callback'] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (to) => void (kept.to = to),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (state) => void (kept.discovery = state),
    discoveryState: () => kept.discovery,
  }
  const address = new URL(`${started.url}/mcp`)
  const first = new StreamableHTTPClientTransport(address, { authProvider: provider })
  await expect(new Client({ name: 'sdk', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError)
  const answer = await allow(started, String(kept.to))
  await first.finishAuth(answer.searchParams)
  const client = new Client({ name: 'sdk', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(address, { authProvider: provider }))
  expect((await client.listTools()).tools.length).toBeGreaterThan(5)
  const former = kept.tokens
  expect(await auth(provider, { serverUrl: address })).toBe('AUTHORIZED')
  expect(kept.tokens?.access_token).not.toBe(former?.access_token)
  expect((await client.listTools()).tools.length).toBeGreaterThan(5)
  await client.close()
})

it('the conformance suite finds nothing wrong with the authorization server', { timeout: 120_000 }, async () => {
  const started = await start()
  const port = await freePort()
  const registered = await fetch(`${started.url}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'Harness', redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
  })
  const { client_id: clientId } = (await registered.json()) as { client_id: string }
  const folder = await makeFolder()
  const harness = join(import.meta.dirname, '../../../../node_modules/@modelcontextprotocol/conformance/dist/index.js')
  const options = ['--url', started.url, '--client-id', clientId, '--resource', `${started.url}/mcp`]
  const child = spawn(process.execPath, [harness, 'authorization', ...options, '--port', String(port), '-o', folder])
  let output = ''
  let isAnswered = false
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    const asked = /^(http\S+\/oauth\/authorize\?\S+)$/m.exec(output)?.[1]
    if (asked === undefined || isAnswered) return
    isAnswered = true
    void allow(started, asked).then((to) => fetch(to))
  })
  await new Promise((resolve) => child.on('close', resolve))
  const checks = await Promise.all(
    (await readdir(folder)).map(
      async (name) =>
        JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as { id: string; status: string }[],
    ),
  )
  expect(checks.flat().length, output).toBeGreaterThan(1)
  expect(
    checks.flat().filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO'),
    output,
  ).toEqual([])
})

it('the MCP SDK for Python connects and calls', { timeout: 300_000 }, async ({ skip }) => {
  const python = await run('python3', ['-c', 'import sys; assert sys.version_info >= (3, 10)']).catch(() => undefined)
  if (python === undefined) return skip('needs Python 3.10 or newer')
  const started = await start()
  const folder = await makeFolder()
  const installed = await run('python3', ['-m', 'pip', 'install', '-q', '--target', folder, 'mcp==1.23.3']).catch(
    () => undefined,
  )
  if (installed === undefined) return skip('the package mcp could not be installed')
  const child = spawn('python3', [join(import.meta.dirname, 'oauth_client.py'), `${started.url}/mcp`], {
    env: { PATH: process.env['PATH'], PYTHONPATH: folder },
  })
  let [output, problems] = ['', '']
  let isAnswered = false
  child.stderr.on('data', (chunk: Buffer) => (problems += chunk.toString()))
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    const asked = /^open (\S+)$/m.exec(output)?.[1]
    if (asked === undefined || isAnswered) return
    isAnswered = true
    void allow(started, asked).then((to) => child.stdin.write(`${to.href}\n`))
  })
  await new Promise((resolve) => child.on('close', resolve))
  expect(output, problems).toMatch(/^tools .*write_memory/m)
})
