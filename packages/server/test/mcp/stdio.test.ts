import { serveBridge } from '@holdfast/mcp/stdio'
import { readSwitches } from '@holdfast/mcp/switches'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useTestApp } from '../app.ts'
import { makeUserWithAgent, makeVault } from '../factories.ts'
import { findProgram } from '../program.ts'
import { connectStdio } from './connect.ts'

/** The bridge as hosts start it: a separate process, which outlives its server. */

const noServer = 'http://127.0.0.1:9'
const key = `svc_${'0'.repeat(49)}`

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-mcp-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe('holdfast mcp', () => {
  const test = useTestApp()
  let address: Promise<string> | undefined
  const listen = () => (address ??= test().app.listen())

  it('starts without a server, lists its tools, and says for each call that memory is unavailable', async () => {
    const { client, fail } = await connectStdio({ url: noServer, key })
    expect((await client.listTools()).tools).toHaveLength(15)
    expect((await client.listResources()).resources.map(({ name }) => name)).toEqual(['inbox'])
    expect(await fail('search_memories', { query: 'anything' })).toBe(
      'MEMORY_UNAVAILABLE: the server cannot be reached. Continue without memory and tell the user once; do not retry in a loop.',
    )
  })

  it('pauses before it calls a server again that failed twice', async () => {
    let asked = 0
    const silent = createServer((_request, response) => {
      asked++
      response.destroy()
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const { fail } = await connectStdio({ url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`, key })
    for (let call = 0; call < 5; call++) expect(await fail('list_tasks')).toMatch(/^MEMORY_UNAVAILABLE/)
    // Two calls, each with a retry.
    expect(asked).toBe(4)
  })

  it('says that the key is missing if none is set', async () => {
    const { fail } = await connectStdio({ url: await listen() })
    expect(await fail('session_start')).toMatch(/^UNAUTHENTICATED: .*HOLDFAST_KEY/)
  })

  it('makes all its calls in one run', async () => {
    const user = await makeUserWithAgent(test())
    const { say } = await connectStdio({ url: await listen(), key: user.key, name: 'desk' })
    const run = /run: (\S+)/.exec(await say('session_start', { mode: 'none' }))?.[1]
    await say('write_memory', { content: 'First.' })
    await say('list_tasks')
    const { body } = await test().call('list-active-agents', {}, { key: user.key })
    expect(body.agents).toMatchObject([{ agentId: 'Test agent', agentRunId: run, toolCalls: expect.any(Number) }])
  })

  it('uses the vault of the project that it is started in', async () => {
    const user = await makeUserWithAgent(test())
    await makeVault(test(), user, 'App')
    const folder = await makeFolder()
    const inside = join(folder, 'packages', 'web')
    await mkdir(inside, { recursive: true })
    await writeFile(join(folder, '.holdfast.json'), '{ "vault": "app" }')
    const { say } = await connectStdio({ url: await listen(), key: user.key, cwd: inside })
    expect(await say('write_memory', { content: 'Of the app.' })).toBe(
      (await say('write_memory', { content: 'Of the app.' })).replace(
        /already stored.*: (m:\S+)\. .*/,
        'stored: $1 (fact)',
      ),
    )
    expect(await say('search_memories', { query: 'app' })).toMatch(/^vault: App\n/)
    const other = await connectStdio({ url: await listen(), key: user.key, cwd: inside, args: ['--vault', 'Main'] })
    expect(await other.say('search_memories', { query: 'app' })).toMatch(/^vault: Main\nfound: 0 memories/)
  })

  it('sends its key to no server that a project names, unless the user names it too', async () => {
    const user = await makeUserWithAgent(test())
    const folder = await makeFolder()
    await writeFile(join(folder, '.holdfast.json'), JSON.stringify({ url: await listen() }))
    await expect(connectStdio({ url: '', key: user.key, cwd: folder })).rejects.toThrow(/closed/i)
    const said = await connectStdio({ url: await listen(), key: user.key, cwd: folder })
    expect(await said.say('list_tasks')).toContain('vault: Main')
    await writeFile(join(folder, '.holdfast.json'), JSON.stringify({ url: 'http://localhost:8420' }))
    const usual = await connectStdio({ url: '', key: user.key, cwd: folder })
    // There is no server of this test.
    expect(await usual.fail('list_tasks')).toMatch(/^(MEMORY_UNAVAILABLE|UNAUTHENTICATED)/)
  })

  it('answers the calls that it has received before it ends with its input', async () => {
    const user = await makeUserWithAgent(test())
    const env = { HOLDFAST_URL: await listen(), HOLDFAST_KEY: user.key }
    const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'script', version: '1' } }
    const call = (content: string) => ({ name: 'write_memory', arguments: { content } })
    const messages = [
      { id: 1, method: 'initialize', params: info },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: call('First.') },
      { id: 3, method: 'tools/call', params: call('Second.') },
    ]
    const child = spawn(process.execPath, [findProgram(), 'mcp'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
    child.stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''))
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
    const answers = said.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { id: number }]))
    expect(answers.toSorted((a, b) => a.id - b.id)).toMatchObject([
      { id: 1, result: {} },
      { id: 2, result: { content: [{ text: expect.stringContaining('stored') }] } },
      { id: 3, result: { content: [{ text: expect.stringContaining('stored') }] } },
    ])
    expect(code).toBe(0)
  })

  it('closes its input if its answers can no longer be read', async () => {
    const input = new PassThrough()
    const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error('closed')) })
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`)
    const switches = readSwitches(new URLSearchParams(), () => undefined)
    await serveBridge({ url: noServer, key, switches, version: '1', input, output })
    expect(input.destroyed).toBe(true)
  })

  it('offers the tools that flags and the environment choose', async () => {
    const user = await makeUserWithAgent(test())
    const url = await listen()
    const chosen = await connectStdio({
      url,
      key: user.key,
      env: { HOLDFAST_TOOLS: 'documents,tasks' },
      args: ['--readonly'],
    })
    expect((await chosen.client.listTools()).tools.map(({ name }) => name)).toEqual(['read_document', 'list_tasks'])
    const flagged = await connectStdio({
      url,
      key: user.key,
      env: { HOLDFAST_TOOLS: 'nonsense' },
      args: ['--tools', 'hooks'],
    })
    expect((await flagged.client.listTools()).tools.map(({ name }) => name)).toEqual(['ingest_turn', 'session_track'])
  })
})
