import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { startTestApp, useTestApp } from '../app.ts'
import { makeAgent, makeUser, makeUserWithAgent } from '../factories.ts'
import { json, send } from './raw-request.ts'

/** Which requests are accepted, and which are rejected before the service is called. */

describe('the MCP endpoint', () => {
  const test = useTestApp()

  it('accepts a valid key, and tells other callers what is missing, with one text for every cause', async () => {
    const user = await makeUser(test())
    const key = await makeAgent(test(), user)
    expect((await send(test(), { key })).status).toBe(200)
    const refused = [
      undefined,
      'svc_nothing',
      user.dashboardToken,
      await makeAgent(test(), user, { key: { isRevoked: true } }),
      await makeAgent(test(), user, { key: { expiresAt: 1 } }),
    ]
    const answers = await Promise.all(refused.map((wrong) => send(test(), wrong === undefined ? {} : { key: wrong })))
    for (const { status, headers, text } of answers) {
      expect(status).toBe(401)
      expect(headers['www-authenticate']).toMatch(/^Bearer (error="invalid_token", )?resource_metadata="/)
      expect(JSON.parse(text)).toMatchObject({
        jsonrpc: '2.0',
        id: null,
        error: { message: expect.stringMatching(/^Invalid or missing agent key/) },
      })
    }
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  it('reads the key only from the one header', async () => {
    const { key } = await makeUserWithAgent(test())
    expect((await send(test(), { path: `/mcp?key=${key}&token=${key}` })).status).toBe(401)
    expect((await send(test(), { headers: { 'x-api-key': key, cookie: `holdfast=${key}` } })).status).toBe(401)
  })

  it('rejects a paused integration, and rejects a caller before reading its body', async () => {
    const off = await makeUserWithAgent(test(), { isActive: false })
    expect(await send(test(), { key: off.key })).toMatchObject({
      status: 403,
      text: expect.stringContaining('inactive'),
    })
    expect((await send(test(), { raw: 'not json' })).status).toBe(401)
  })

  it('takes null for no arguments, and answers other values like wrong arguments', async () => {
    const { key } = await makeUserWithAgent(test())
    const call = async (args: unknown) => {
      const params = { name: 'list_vaults', arguments: args }
      const { text } = await send(test(), { key, body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } })
      const { result } = JSON.parse(text.replace(/^[^{]*/, '')) as {
        result: { isError?: boolean; content: { text: string }[] }
      }
      return { isError: result.isError ?? false, text: result.content[0]?.text }
    }
    expect(await call(null)).toMatchObject({ isError: false, text: expect.stringContaining('name: Main') })
    for (const wrong of ['query', 7, ['query']])
      expect(await call(wrong)).toEqual({
        isError: true,
        text: expect.stringMatching(/^VALIDATION: .*a value that is not an object/),
      })
  })

  it('reports an invalid body in the format of the protocol', async () => {
    const { key } = await makeUserWithAgent(test())
    const broken = await send(test(), { key, raw: '{"jsonrpc":' })
    expect([broken.status, JSON.parse(broken.text)]).toMatchObject([400, { jsonrpc: '2.0', error: { code: -32_700 } }])
    const deep = await send(test(), { key, raw: '['.repeat(200_000) + ']'.repeat(200_000) })
    expect([deep.status, deep.text.length < 500]).toEqual([400, true])
    expect((await send(test(), { key, headers: { 'content-type': 'text/plain' } })).status).toBe(415)
    expect((await send(test(), { key, raw: `"${'x'.repeat(10 * 1024 * 1024)}"` })).status).toBe(413)
  })

  it('is not slowed by endless names and arguments', async () => {
    const { key } = await makeUserWithAgent(test())
    const call = (args: Record<string, unknown>, name = 'write_memory') => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    })
    const unknown = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`memorytype${at.toString(36)}`, 1]))
    const parsing = performance.now()
    JSON.parse(JSON.stringify(call(unknown)))
    const parsedMs = performance.now() - parsing
    const begin = performance.now()
    const answer = await send(test(), { key, body: call(unknown), headers: { 'mcp-protocol-version': '2025-06-18' } })
    // A few times as long as reading them; looking for the nearest name of each took a hundred times as long.
    expect(performance.now() - begin).toBeLessThan(5 * parsedMs + 300)
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('arguments: must be at most 1000') })
    const fewer = Object.fromEntries(Object.entries(unknown).slice(0, 1_000))
    const told = await send(test(), { key, body: call(fewer), headers: { 'mcp-protocol-version': '2025-06-18' } })
    expect(told.text.match(/no such argument/g)).toHaveLength(10)
    const long = 'x'.repeat(1_000_000)
    for (const [args, name] of [
      [{ [long]: 1 }, 'write_memory'],
      [{ vault: long }, 'list_tasks'],
      [{ content: 'x', memoryType: long }, 'write_memory'],
      [{ ids: Array.from({ length: 50 }, () => long) }, 'read_items'],
      [{}, long],
    ] as const) {
      const { text } = await send(test(), {
        key,
        body: call(args, name),
        headers: { 'mcp-protocol-version': '2025-06-18' },
      })
      expect(text.length, name.slice(0, 20)).toBeLessThan(17_000)
    }
  })

  it('is not slowed by what surrounds the arguments', async () => {
    const { key } = await makeUserWithAgent(test())
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`a${at.toString(36)}`, 1]))
    const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
    const message = (method: string, params: object, more: object = {}) => ({
      jsonrpc: '2.0',
      id: 1,
      method,
      params,
      ...more,
    })
    const bodies = [
      message('initialize', { ...initialize, capabilities: { experimental: many } }),
      message('initialize', {
        ...initialize,
        clientInfo: { name: 'x', version: '1', icons: Object.keys(many).map(() => ({})) },
      }),
      message('initialize', { ...initialize, arguments: { experimental: many } }),
      message('tools/call', { name: 'list_tasks', arguments: {}, _meta: many }),
      message('tools/call', { name: 'list_tasks', arguments: {}, ...many }),
      message('tools/call', { name: 'context_checkpoint', arguments: { sessionSummary: 'x', memories: [many] } }),
      message('ping', {}, many),
      { jsonrpc: '2.0', method: 'notifications/progress', params: many },
      { jsonrpc: '2.0', id: 1, result: many },
      { jsonrpc: '2.0', id: 1, error: many },
      message('resources/read', { uri: `holdfast://note/${'a'.repeat(8_000_000)}` }),
      'x'.repeat(8_000_000),
    ]
    for (const body of bodies) {
      const { status, text } = await send(test(), { key, body })
      // The protocol's own checks took seconds for each of these, and reported each part.
      expect([status, text.length < 500], JSON.stringify(body).slice(0, 80)).toEqual([400, true])
    }
  })

  it('repeats only the start of an unknown URI', async () => {
    const { key } = await makeUserWithAgent(test())
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: `holdfast://note/${'a'.repeat(50_000)}` },
    }
    const { text } = await send(test(), { key, body, headers: { 'mcp-protocol-version': '2025-06-18' } })
    expect(text).toContain('holdfast://note/aaa')
    expect(text.length).toBeLessThan(2_000)
  })

  it('explains itself to a browser, and rejects streams of the old kind', async () => {
    const help = await send(test(), { method: 'GET', headers: { accept: 'text/html', host: 'localhost:8420' } })
    expect(help.status).toBe(200)
    expect(help.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(help.text).toContain('http://localhost:8420/mcp')
    const { key } = await makeUserWithAgent(test())
    for (const method of ['GET', 'DELETE'] as const) expect((await send(test(), { key, method })).status).toBe(405)
    expect((await send(test(), { method: 'GET' })).status).toBe(401)
    const path = '/.well-known/oauth-authorization-server/mcp'
    expect(await send(test(), { method: 'GET', path })).toMatchObject({
      status: 404,
      text: '{"error":"Route not found"}',
    })
  })

  it('rejects pages from elsewhere, and host names that others could have pointed at this machine', async () => {
    const { key } = await makeUserWithAgent(test())
    const statusOf = async (headers: Record<string, string>) => (await send(test(), { key, headers })).status
    for (const host of [
      'localhost:8420',
      '127.0.0.1',
      '[::1]:8420',
      '192.168.1.9:8420',
      'holdfast:8420',
      'app.localhost',
    ])
      expect(await statusOf({ host }), host).toBe(200)
    for (const host of ['evil.example', 'localhost.evil.example:8420', '127.0.0.1.nip.io', 'a b'])
      expect(await statusOf({ host }), host).toBe(403)
    expect(await statusOf({ origin: 'http://localhost:3000' })).toBe(200)
    for (const origin of ['https://evil.example', 'null', 'file://', 'http://localhost.evil.example'])
      expect(await statusOf({ origin }), origin).toBe(403)
  })

  it('accepts the name that the operator has configured', async () => {
    const named = await startTestApp({ config: { publicUrl: 'https://memory.example.org/' } })
    const { key } = await makeUserWithAgent(named)
    const own = { host: 'memory.example.org', origin: 'https://memory.example.org' }
    expect((await send(named, { key, headers: own })).status).toBe(200)
    expect((await send(named, { key, headers: { ...own, host: 'other.example.org' } })).status).toBe(403)
    const help = await send(named, { method: 'GET', headers: { accept: '*/*' } })
    expect(help.text).toContain('https://memory.example.org/mcp')
  })

  it('reports an invalid switch', async () => {
    const { key } = await makeUserWithAgent(test())
    expect(await send(test(), { key, path: '/mcp?tools=cor' })).toMatchObject({
      status: 400,
      text: expect.stringMatching(/"code":-32600,.*Did you mean core\? Toolsets: core, full/),
    })
    expect((await send(test(), { key, path: '/mcp?readonly=2' })).status).toBe(400)
    const write = { name: 'write_memory', arguments: { content: 'x' } }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: write }
    const headers = { 'x-readonly': '1', 'mcp-protocol-version': '2025-06-18' }
    expect((await send(test(), { key, path: '/mcp?readonly=0', body, headers })).text).toContain('READ_ONLY')
  })
})

it('a server that stops does not wait for open streams', async () => {
  const test = await startTestApp()
  const { key } = await makeUserWithAgent(test)
  const url = new URL(`${await test.app.listen()}/mcp`)
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { notifications: { resourcesListChanged: true }, _meta: meta }
  const body = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }
  const headers = {
    ...json,
    authorization: `Bearer ${key}`,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  }
  const opened = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (answer) => {
      answer.resume()
      answer.once('data', () => resolve(answer.statusCode))
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
  expect(opened).toBe(200)
  const begin = performance.now()
  await test.app.stop()
  expect(performance.now() - begin).toBeLessThan(5_000)
})
