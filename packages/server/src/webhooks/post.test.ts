import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startReceiver, startSocketReceiver } from '../../test/webhook-receiver.ts'
import { parseAllowList } from './address.ts'
import { createPost, createReadDocument } from './post.ts'
import { createVetUrl } from './vet-url.ts'

const run = promisify(execFile)

const vetterFor = (resolve: (host: string) => Promise<string[]>, allow: string) =>
  createVetUrl({ allowed: parseAllowList(allow).targets, resolve, ownPort: 0 })

const local = createPost(vetterFor(async () => ['127.0.0.1'], '127.0.0.1'))
const body = '{"event":"message.created"}'
const request = { headers: { 'X-Service-Event': 'message.created' }, body, signal: new AbortController().signal }

describe('a receiver that answers', () => {
  it('gets the headers, the exact body and its host name, on a separate connection', async () => {
    const { port, received } = await startReceiver()
    const outcome = await local(`http://hooks.example:${port}/a?b=c`, request)
    expect(outcome).toEqual({ status: 204, retryAfter: undefined, problem: undefined })
    expect(received).toMatchObject([
      {
        body,
        headers: {
          host: `hooks.example:${port}`,
          connection: 'close',
          'content-length': '27',
          'x-service-event': 'message.created',
        },
      },
    ])
    expect(Object.keys(received[0]?.headers ?? {}).toSorted()).toEqual([
      'connection',
      'content-length',
      'host',
      'x-service-event',
    ])
  })

  it.each([200, 201, 202, 204, 299])('counts as delivered with %i', async (status) => {
    const { url } = await startReceiver((response) => response.writeHead(status).end())
    expect(await local(url, request)).toMatchObject({ status, problem: undefined })
  })

  it.each([400, 401, 404, 410, 429, 500, 502, 503])('counts as failed with %i', async (status) => {
    const { url } = await startReceiver((response) => response.writeHead(status, { 'Retry-After': '7' }).end('secret'))
    expect(await local(url, request)).toEqual({ status, retryAfter: '7', problem: `HTTP ${status}` })
  })

  it.each([300, 301, 302, 303, 307, 308])('causes no other request with the redirect %i', async (status) => {
    const other = await startReceiver()
    const { url } = await startReceiver((response) => response.writeHead(status, { Location: other.url }).end())
    expect(await local(url, request)).toMatchObject({ problem: `HTTP ${status} (redirects are not followed)` })
    expect(other.received).toEqual([])
  })

  it('counts as delivered even if the connection breaks during its answer', async () => {
    const { url } = await startReceiver((response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('x')
      setTimeout(() => response.destroy(), 20)
    })
    expect(await local(url, request)).toMatchObject({ status: 200, problem: undefined })
  })

  it('is cut off after four kilobytes', async () => {
    let sent = 0
    const { url } = await startReceiver(async (response) => {
      response.writeHead(200)
      while (sent < 10_000_000 && !response.destroyed) {
        response.write(Buffer.alloc(65_536))
        sent += 65_536
        await sleep(1)
      }
      response.end()
    })
    expect(await local(url, request)).toMatchObject({ status: 200 })
    await sleep(200)
    // What fits into the buffers of two sockets, not ten megabytes.
    expect(sent).toBeLessThan(8_000_000)
  })

  it('is not waited for once its status is known', async () => {
    const { url } = await startReceiver((response) => void response.writeHead(200).write('x'))
    const startedAt = Date.now()
    expect(await local(url, request)).toMatchObject({ status: 200, problem: undefined })
    expect(Date.now() - startedAt).toBeLessThan(2_000)
  })
})

describe('a proxy set in the environment', () => {
  it('is ignored', async () => {
    const receiver = await startReceiver()
    const proxy = await startReceiver()
    const script = `
      import { get } from 'node:http'
      import { createPost } from ${JSON.stringify(join(import.meta.dirname, 'post.ts'))}
      const url = new URL(${JSON.stringify(receiver.url)})
      const vetted = { isAllowed: true, url, host: '127.0.0.1', port: Number(url.port), addresses: ['127.0.0.1'] }
      const post = createPost(async () => vetted)
      await post(url.href, { headers: {}, body: '{}', signal: new AbortController().signal })
      get(url, (response) => response.resume())`
    await run(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: new URL(proxy.url).origin },
    })
    // The other request shows that the proxy would have been used.
    expect([receiver.received.length, proxy.received.length]).toEqual([1, 1])
  })
})

describe('a receiver that fails', () => {
  it('refuses the connection', async () => {
    const { url, port } = await startReceiver()
    // A port without a listener.
    const gone = await new Promise<number>((resolve) => {
      const server = createTlsServer().listen(0, '127.0.0.1', () => {
        const { port: free } = server.address() as AddressInfo
        server.close(() => resolve(free))
      })
    })
    expect(await local(url.replace(String(port), String(gone)), request)).toEqual({
      status: undefined,
      retryAfter: undefined,
      problem: 'connection refused (ECONNREFUSED)',
    })
  })

  it.each<[string, string, RegExp]>([
    ['closes without a response', '', /^connection/],
    ['does not speak HTTP', 'hello\r\n\r\n', /^the answer is not HTTP \(HPE_\w+\)$/],
    ['disconnects within its headers', 'HTTP/1.1 200 OK\r\nContent-', /^connection reset/],
    [
      'sends its length twice',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
      /^the answer is not HTTP/,
    ],
    ['changes the protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', /./],
  ])('%s', async (_, text, problem) => {
    const { url } = await startSocketReceiver((socket) => void socket.once('data', () => socket.end(text)))
    const outcome = await local(url, request)
    expect(outcome.problem).toMatch(problem)
    expect(outcome.problem).not.toMatch(/127\.0|localhost|hello/)
  })

  it('sends garbage in chunks, after a status that counts', async () => {
    const text = 'HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'
    const { url } = await startSocketReceiver((socket) => void socket.once('data', () => socket.end(text)))
    expect(await local(url, request)).toMatchObject({ status: 500, problem: 'HTTP 500' })
  })

  it('resets the connection', async () => {
    const { url } = await startSocketReceiver((socket) => void socket.once('data', () => socket.resetAndDestroy()))
    expect(await local(url, request)).toMatchObject({ problem: 'connection reset (ECONNRESET)' })
  })

  it(
    'says nothing for ten seconds, or responds too slowly, while another responds at the last moment',
    { timeout: 20_000 },
    async () => {
      const silent = await startSocketReceiver(() => {})
      const dripping = await startSocketReceiver((socket) => {
        const text = `HTTP/1.1 200 OK\r\nX-Slow: ${'x'.repeat(1_000)}\r\n\r\n`
        let at = 0
        const timer = setInterval(() => void socket.write(text[at++] ?? ''), 200)
        socket.once('close', () => clearInterval(timer))
      })
      const late = await startReceiver((response) => void setTimeout(() => response.writeHead(200).end(), 8_500))
      const startedAt = Date.now()
      const outcomes = await Promise.all([silent, dripping, late].map(({ url }) => local(url, request)))
      expect(outcomes).toMatchObject([{ problem: 'timed out' }, { problem: 'timed out' }, { status: 200 }])
      expect(Date.now() - startedAt).toBeLessThan(11_000)
    },
  )

  it('is given up when the server stops', async () => {
    const { url } = await startSocketReceiver(() => {})
    const stopping = new AbortController()
    setTimeout(() => stopping.abort(), 50)
    expect((await local(url, { ...request, signal: stopping.signal })).problem).toBeDefined()
  })

  it('is given up while its name is still looked up', async () => {
    let given: AbortSignal | undefined
    const silent = createVetUrl({
      allowed: [],
      resolve: (_, signal) => {
        given = signal
        return new Promise(() => {})
      },
      ownPort: 0,
    })
    const stopping = new AbortController()
    setTimeout(() => stopping.abort(), 50)
    const outcome = await createPost(silent)('https://silent.example/', { ...request, signal: stopping.signal })
    expect([outcome.problem, given?.aborted]).toEqual(['timed out', true])
  })
})

describe('a name that resolves to another address later', () => {
  it('is connected to at the vetted address, whatever it resolves to later', async () => {
    const canary = await startSocketReceiver((socket) => socket.end())
    let asked = 0
    // Public when it is vetted; a second look-up would lead to this machine.
    const rebinding = async () => (asked++ === 0 ? ['192.0.2.1'] : ['127.0.0.1'])
    const post = createPost(vetterFor(rebinding, '192.0.2.0/24'))
    const signal = AbortSignal.timeout(500)
    const outcome = await post(`http://rebinding.example:${canary.port}/`, { ...request, signal })
    expect(outcome.problem).toBeDefined()
    expect([asked, canary.connections()]).toEqual([1, 0])
  })

  it('is vetted again for each request', async () => {
    const { port, received } = await startReceiver()
    let addresses = ['127.0.0.1']
    const post = createPost(vetterFor(async () => addresses, '127.0.0.1'))
    expect((await post(`http://moving.example:${port}/`, request)).status).toBe(204)
    addresses = ['127.0.0.1', '10.0.0.1']
    expect(await post(`http://moving.example:${port}/`, request)).toMatchObject({ problem: 'address not allowed' })
    expect(received).toHaveLength(1)
  })
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe('TLS', () => {
  it.skipIf(!hasOpenssl)('requires a certificate that this machine trusts, for the name in the URL', async () => {
    const { key, cert } = makeCertificate('hooks.example')
    const names: string[] = []
    const server = createTlsServer({ key, cert }, (_, response) => response.writeHead(204).end())
    server.on('tlsClientError', () => {})
    server.on('secureConnection', (socket) => names.push(String(socket.servername)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const post = (host: string) => local(`https://${host}:${port}/`, request)
    expect(await post('hooks.example')).toMatchObject({ problem: expect.stringMatching(/^TLS connection refused/) })

    const trusted = getCACertificates('default')
    setDefaultCACertificates([...trusted, cert])
    onTestFinished(() => setDefaultCACertificates(trusted))
    expect(await post('hooks.example')).toMatchObject({ status: 204, problem: undefined })
    expect(await post('hooks.example.')).toMatchObject({ status: 204 })
    for (const other of ['other.example', '127.0.0.1'])
      expect(await post(other)).toMatchObject({ problem: expect.stringMatching(/^TLS connection refused/) })
    expect(names).toContain('hooks.example')
    expect(names).not.toContain('hooks.example.')
  })

  it('fails if the server has none', async () => {
    const { port } = await startReceiver()
    expect((await local(`https://hooks.example:${port}/`, request)).problem).toMatch(/^(TLS|connection)/)
  })
})

/** Signed by itself, valid for a day. */
function makeCertificate(name: string): { key: string; cert: string } {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-tls-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const files = ['-keyout', join(dir, 'key.pem'), '-out', join(dir, 'cert.pem')]
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...files, ...subject], {
    stdio: 'ignore',
  })
  const read = (file: string) => readFileSync(join(dir, file), 'utf8')
  return { key: read('key.pem'), cert: read('cert.pem') }
}

describe('a document that a program names', () => {
  const read = createReadDocument(vetterFor(async () => ['127.0.0.1'], '127.0.0.1'))

  it('is read with GET, without any header that could identify someone', async () => {
    const { url, received } = await startReceiver((response) => response.end('{"client_name":"Ada"}'))
    expect(await read(url)).toBe('{"client_name":"Ada"}')
    expect(received).toMatchObject([{ body: '', headers: { accept: 'application/json' } }])
    expect(Object.keys(received[0]?.headers ?? {}).toSorted()).toEqual(['accept', 'connection', 'host'])
  })

  it('is not read if it is too long, is elsewhere, or there is none', async () => {
    const giant = await startReceiver((response) => response.end('x'.repeat(16 * 1024 + 1)))
    expect(await read(giant.url)).toBeUndefined()
    const other = await startReceiver((response) => response.end('{}'))
    const moved = await startReceiver((response) => response.writeHead(302, { Location: other.url }).end('{}'))
    expect(await read(moved.url)).toBeUndefined()
    expect(other.received).toEqual([])
    const missing = await startReceiver((response) => response.writeHead(404).end('{}'))
    expect(await read(missing.url)).toBeUndefined()
  })

  it('is not read from a private address', async () => {
    const { port, received } = await startReceiver((response) => response.end('{}'))
    const strict = createReadDocument(vetterFor(async () => ['127.0.0.1'], ''))
    expect(await strict(`https://claude.example:${port}/client`)).toBeUndefined()
    expect(await strict('https://169.254.169.254/latest')).toBeUndefined()
    expect(received).toEqual([])
  })
})
