import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { closed } from './closed.ts'
import { useTestApp, type TestApp } from './app.ts'
import { makeUser, makeUserWithAgent } from './factories.ts'

/** Behavior that only a real connection shows: repeated headers, truncated bodies, and answers without an operation. */

const test = useTestApp()
let port = 0
let key = ''
beforeAll(async () => {
  port = Number(new URL(await test().app.listen()).port)
  key = (await makeUserWithAgent(test())).key
})

/** Sends these bytes on a separate connection and returns everything received. */
async function exchange(...parts: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk.toString()))
  socket.on('error', () => {})
  for (const part of parts) socket.write(part)
  await closed(socket)
  return answer
}

const request = (lines: string[], body = '') =>
  [...lines, 'Host: localhost', 'Connection: close', `Content-Length: ${Buffer.byteLength(body)}`, '', body].join(
    '\r\n',
  )

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

describe('a real connection', () => {
  const info = (...headers: string[]) => exchange(request(['GET /api/agent/info HTTP/1.1', ...headers]))

  it('accepts one Authorization header and rejects two, in either order and spelling', async () => {
    expect(statusOf(await info(`Authorization: Bearer ${key}`))).toBe(200)
    for (const other of [`Authorization: Bearer ${key}`, 'authorization: Basic eA==', 'AUTHORIZATION: '])
      for (const headers of [
        [`Authorization: Bearer ${key}`, other],
        [other, `Authorization: Bearer ${key}`],
      ]) {
        const answer = await info(...headers)
        expect(statusOf(answer)).toBe(401)
        expect(answer).toContain('{"error":"Invalid or missing agent key"}')
      }
  })

  it('is refused under a host name that is not ours, whatever it asks for, because another page may have chosen it', async () => {
    const get = (path: string, host: string) =>
      exchange([`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Accept: text/html', 'Connection: close', '', ''].join('\r\n'))
    for (const path of [
      '/',
      '/memories',
      '/docs',
      '/llms.txt',
      '/openapi.json',
      '/api/setup',
      '/api/auth/session',
      '/mcp',
      '/x',
    ])
      expect(statusOf(await get(path, 'evil.example:8420')), path).toBe(403)
    for (const host of ['localhost:8420', '127.0.0.1', '[::1]:8420', '192.168.0.7'])
      expect(statusOf(await get('/api/setup', host)), host).toBe(200)
    for (const path of ['/healthz', '/readyz']) expect(statusOf(await get(path, 'any.example'))).toBe(200)
  })

  it('rejects two Host headers, because a proxy and the server may not use the same one', async () => {
    for (const host of ['localhost', 'evil.example']) {
      const answer = await info(`Authorization: Bearer ${key}`, `host: ${host}`)
      expect(statusOf(answer)).toBe(400)
      expect(answer).toContain('Host header')
    }
  })

  it('rejects a streamed body once it is too large, without reading the rest', async () => {
    const head = ['POST /api/agent/list-vaults HTTP/1.1', `Authorization: Bearer ${key}`, 'Host: localhost']
    const chunked = [
      ...head,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      'Connection: close',
      '',
      '',
    ]
    const mebibyte = `100000\r\n${'x'.repeat(0x100000)}\r\n`
    expect(statusOf(await exchange(chunked.join('\r\n'), mebibyte, mebibyte))).toBe(413)
  })

  it.each<[string, number, string[]]>([
    ['is not HTTP', 400, ['HELO example.org', '', '']],
    [
      'gives its length twice',
      400,
      ['POST / HTTP/1.1', 'Host: a', 'Content-Length: 3', 'Transfer-Encoding: chunked', '', ''],
    ],
    ['has endless headers', 431, ['GET / HTTP/1.1', 'Host: a', `X-Long: ${'x'.repeat(20_000)}`, '', '']],
  ])('returns the usual error for a request that %s', async (_, status, lines) => {
    const answer = await exchange(lines.join('\r\n'))
    expect(statusOf(answer)).toBe(status)
    expect(answer).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/)
    expect(answer).toMatch(/\r\n\r\n\{"error":"Validation failed: [^"]+","fields":\{.*\}\}$/)
  })

  it('does not wait for the body of an unknown caller', async () => {
    const head = ['POST /api/agent/write-memory HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
    const socket = connect(port, '127.0.0.1')
    socket.write([...head, 'Content-Length: 1000000', '', '{'].join('\r\n'))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(statusOf(answer.toString())).toBe(401)
    socket.destroy()
  })

  it('does not return a request to its sender (TRACE)', async () => {
    const answer = await exchange(request(['TRACE /api/agent/info HTTP/1.1', 'X-Secret: planted']))
    expect(statusOf(answer)).toBe(405)
    expect(answer).not.toContain('planted')
  })

  it('answers a malformed request line or header with an error and continues', async () => {
    for (const broken of [
      'nonsense\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    ])
      expect(statusOf(await exchange(broken))).toBeGreaterThanOrEqual(400)
    expect(statusOf(await info(`Authorization: Bearer ${key}`))).toBe(200)
  })
})

describe('a server that was blocked', () => {
  const blockLoop = (ms: number) => {
    const end = performance.now() + ms
    while (performance.now() < end);
  }

  it('rejects no request after one pause, however long', async () => {
    blockLoop(2_700)
    for (let call = 0; call < 10; call++) {
      await setTimeout(100)
      const { status } = await fetch(`http://127.0.0.1:${port}/api/agent/info`, {
        headers: { Authorization: `Bearer ${key}` },
      })
      expect(status).toBe(200)
    }
  })
})

describe('an unknown route', () => {
  it.each([
    ['POST', '/api/agent/write-memory/'],
    ['POST', '/api/agent/WRITE-MEMORY'],
    ['POST', '/api/agent/no-such-operation'],
    ['GET', '/../package.json'],
    ['GET', '/%2e%2e/package.json'],
  ] as const)('%s %s is not found, in the common error format', async (method, url) => {
    const response = await test().app.server.inject({ method, url, headers: { authorization: `Bearer ${key}` } })
    expect([response.statusCode, response.json()]).toEqual([404, { error: 'Route not found' }])
    expect(response.headers).toMatchObject({
      'x-request-id': expect.any(String),
      'x-service-version': expect.any(String),
      'cache-control': 'no-store',
    })
  })

  it.each([
    ['GET', '/api/agent/write-memory?vaultId=1', 'POST'],
    ['DELETE', '/api/agent/archive-memory', 'POST'],
    ['POST', '/api/agent/info', 'GET'],
    ['PUT', '/api/webhooks', 'GET, POST, PATCH, DELETE'],
  ] as const)('%s %s has the wrong method, and the answer says the right one', async (method, url, allowed) => {
    const { statusCode, headers, body } = await test().app.server.inject({ method, url })
    expect([statusCode, headers['allow']]).toEqual([405, allowed])
    expect(JSON.parse(body)).toEqual({ error: `Method not allowed; use ${allowed.replaceAll(', ', ' or ')}` })
  })

  it('reports a malformed URL as such', async () => {
    const response = await test().app.server.inject({ method: 'GET', url: '/api/agent/%zz' })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ error: expect.stringMatching(/^Validation failed/), fields: {} })
    expect(response.headers).toMatchObject({ 'x-request-id': expect.any(String), 'cache-control': 'no-store' })
  })
})

describe('metrics', () => {
  const metricsToken = 'scrape-with-this-token'
  const other = useTestApp({ config: { metricsToken } })
  const ask = (app: TestApp, headers = {}, remoteAddress = '192.0.2.7', url = '/metrics') =>
    app.app.server.inject({ method: 'GET', url, remoteAddress, headers })
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  it('are hidden from other machines, except for the operator', async () => {
    const refused = await ask(test(), bearer(key))
    expect([refused.statusCode, refused.json()]).toEqual([404, { error: 'Route not found' }])
    expect((await ask(test(), { authorization: `bearer ${test().app.operatorToken.token}` })).statusCode).toBe(200)
  })

  it('are open to the token for scraping, under any host name', async () => {
    expect((await ask(other(), bearer(metricsToken))).statusCode).toBe(200)
    expect((await ask(other(), { ...bearer(metricsToken), host: 'holdfast.monitoring.example' })).statusCode).toBe(200)
    expect((await ask(other(), bearer(other().app.operatorToken.token))).statusCode).toBe(200)
    for (const wrong of [metricsToken.slice(0, -1), `${metricsToken}x`, metricsToken.toUpperCase(), 'undefined', ''])
      expect((await ask(other(), bearer(wrong))).statusCode).toBe(404)
  })

  it('are hidden from pages whose host name points at this machine', async () => {
    const asked = await ask(test(), { host: 'rebound.example' }, '127.0.0.1')
    expect(asked.statusCode).toBe(404)
  })

  it('need the token on this machine as well, if there is one', async () => {
    const local = { host: 'localhost' }
    expect((await ask(test(), local, '127.0.0.1')).statusCode).toBe(200)
    expect((await ask(other(), local, '127.0.0.1')).statusCode).toBe(404)
    expect((await ask(other(), { ...local, ...bearer(metricsToken) }, '127.0.0.1')).statusCode).toBe(200)
  })

  it('are all that the token opens', async () => {
    const answers = await Promise.all(
      ['/api/agent/info', '/api/vaults', '/api/users'].map((url) => ask(other(), bearer(metricsToken), undefined, url)),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401])
  })

  it('never put the token into the log', async () => {
    await ask(other(), bearer(metricsToken))
    await ask(other(), bearer(metricsToken), undefined, '/api/agent/info')
    expect(other().log()).toContain('requests refused')
    expect(other().log()).not.toContain(metricsToken)
  })
})

describe('an invalid run id', () => {
  const headers = { 'x-agent-run-id': 'x'.repeat(1000) }

  it('is reported to an agent, after its key was checked', async () => {
    expect((await test().call('info', {}, { headers })).status).toBe(401)
    const { status, body } = await test().call('info', {}, { key, headers })
    const problem = 'this header must have at most 200 characters'
    expect([status, body]).toEqual([
      400,
      { error: `Validation failed: X-Agent-Run-Id: ${problem}`, fields: { 'X-Agent-Run-Id': problem } },
    ])
  })

  it('is reported before the body arrives', async () => {
    const lines = [
      'POST /api/agent/write-memory HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      `Authorization: Bearer ${key}`,
      `X-Agent-Run-Id: ${headers['x-agent-run-id']}`,
      'Content-Type: application/json',
      'Content-Length: 1000',
    ]
    const answer = await exchange([...lines, '', ''].join('\r\n'))
    expect(statusOf(answer)).toBe(400)
    expect(answer).toContain('X-Agent-Run-Id')
  })

  it('is ignored by the dashboard', async () => {
    const { dashboardToken } = await makeUser(test())
    expect((await test().call('list-vaults', {}, { key: dashboardToken, headers })).status).toBe(200)
  })
})

describe('every answer', () => {
  it('has its own id, which no caller chooses', async () => {
    const ask = () => test().call('info', {}, { key, headers: { 'x-request-id': 'mine', 'request-id': 'mine' } })
    const ids = [(await ask()).headers['x-request-id'], (await ask()).headers['x-request-id']]
    expect(new Set(ids).size).toBe(2)
    expect(ids).not.toContain('mine')
  })

  it('prevents browsers from guessing types, framing and caching', async () => {
    const { headers } = await test().call('info', {}, { key })
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
    for (const rule of ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"])
      expect(String(headers['content-security-policy']).split('; ')).toContain(rule)
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('with an error can be found in the log by its id, without what was sent', async () => {
    const { headers } = await test().call('info', {}, { key })
    const line = test()
      .log()
      .split('\n')
      .find((candidate) => candidate.includes(String(headers['x-request-id'])))
    expect(JSON.parse(line ?? '{}')).toMatchObject({ event: 'request', operation: 'info', status: 200 })
    expect(test().log()).not.toContain(key)
  })
})
