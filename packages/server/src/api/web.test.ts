import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { addAssets, answerPage } from './web.ts'

const page = '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>'
const script = 'console.log(1)'

/** A server with only a built dashboard of three files. */
function makeServer({ isBuilt = true } = {}) {
  const parent = mkdtempSync(join(tmpdir(), 'holdfast-web-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  writeFileSync(join(parent, 'secret.js'), 'secret')
  const folder = join(parent, 'dist')
  if (isBuilt) {
    mkdirSync(join(folder, 'assets'), { recursive: true })
    writeFileSync(join(folder, 'index.html'), page)
    writeFileSync(join(folder, 'assets', 'main-Ab3_-9.js'), script)
    writeFileSync(join(folder, 'assets', 'icon-1.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    writeFileSync(join(folder, 'assets', 'main-Ab3_-9.js.gz'), gzipSync(script))
    writeFileSync(join(folder, 'assets', 'main-Ab3_-9.js.br'), brotliCompressSync(script))
  }
  const server = fastify()
  onTestFinished(() => server.close())
  addAssets(server, folder)
  server.setNotFoundHandler(
    async (request, reply) => (await answerPage(folder, request, reply)) ?? reply.status(404).send({ error: 'none' }),
  )
  return server
}

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('the page of the dashboard', () => {
  it('is returned at each of its URLs, with a policy and a new nonce each time', async () => {
    const server = makeServer()
    const nonces = new Set<string>()
    for (const url of ['/', '/login', '/memories/1?tab=links', '/no/such/page', '/apis']) {
      const { statusCode, headers, body } = await server.inject({ method: 'GET', url, headers: browser })
      expect([url, statusCode, headers['content-type']]).toEqual([url, 200, 'text/html; charset=utf-8'])
      const policy = String(headers['content-security-policy'])
      const nonce = /style-src 'self' 'nonce-([\w-]{24})'/.exec(policy)?.[1] ?? ''
      expect(body).toBe(page.replaceAll('__CSP_NONCE__', nonce))
      nonces.add(nonce)
      for (const rule of ["default-src 'none'", "script-src 'self';", "base-uri 'none'", "frame-ancestors 'none'"])
        expect(policy).toContain(rule)
      expect(policy).not.toMatch(/unsafe|\*|http/)
      expect(headers.vary).toBe('Accept')
    }
    expect(nonces.size).toBe(5)
  })

  it('is only for browsers that ask for a page, not for other methods, other types or data', async () => {
    const server = makeServer()
    const others = [
      { method: 'POST', url: '/login', headers: browser },
      { method: 'GET', url: '/login', headers: { accept: 'application/json' } },
      { method: 'GET', url: '/login' },
      ...['/api', '/api/nothing', '/mcp/nothing', '/docs/nothing', '/oauth/token', '/assets', '/assets/none.js'].map(
        (url) => ({
          method: 'GET' as const,
          url,
          headers: browser,
        }),
      ),
    ] as const
    for (const other of others) {
      const { statusCode, body } = await server.inject(other)
      expect([other.url, statusCode, body]).toEqual([other.url, 404, '{"error":"none"}'])
    }
  })

  it('says how to build the dashboard if it has not been built', async () => {
    const server = makeServer({ isBuilt: false })
    const { statusCode, headers, body } = await server.inject({ method: 'GET', url: '/', headers: browser })
    expect([statusCode, headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
    expect(body).toContain('npm run build -w @holdfast/web')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
  })
})

describe('the files of the dashboard', () => {
  it('are cached permanently, and compressed for clients that accept it', async () => {
    const server = makeServer()
    const url = '/assets/main-Ab3_-9.js'
    const plain = await server.inject({ method: 'GET', url })
    expect(plain.body).toBe(script)
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    const zipped = await server.inject({ method: 'GET', url, headers: { 'accept-encoding': 'gzip, deflate' } })
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(zipped.rawPayload).toEqual(gzipSync(script))
  })

  it.each([
    ['gzip, deflate, br', 'br'],
    ['GZIP, Br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0.8, br;q=0.2', 'gzip'],
    ['gzip ; q=0.000,br; Q=0.0', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['identity, gzip;q=0', undefined],
    ['br;q=x', undefined],
    ['x-br, gzipped', undefined],
    ['', undefined],
  ])('are encoded as "Accept-Encoding: %s" allows: %s', async (accepted, encoding) => {
    const headers = { 'accept-encoding': accepted }
    const response = await makeServer().inject({ method: 'GET', url: '/assets/main-Ab3_-9.js', headers })
    expect([response.statusCode, response.headers['content-encoding']]).toEqual([200, encoding])
  })

  it('name their type, with the encoding of texts', async () => {
    const { headers } = await makeServer().inject({ method: 'GET', url: '/assets/icon-1.svg' })
    expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8')
  })

  it('include only files of the build', async () => {
    const server = makeServer()
    const names = ['../secret.js', '..%2fsecret.js', '%2e%2e/secret.js', '..\\secret.js', 'main-Ab3_-9.js/', '.js', '']
    for (const name of [...names, '../../secret.js', 'main-Ab3_-9.js%00.svg', 'main-Ab3_-9.js.gz', 'index.html']) {
      const { statusCode, body } = await server.inject({ method: 'GET', url: `/assets/${name}` })
      expect([name, statusCode]).toEqual([name, 404])
      expect(body).not.toContain('secret')
    }
  })
})

describe('next to the dashboard', () => {
  const test = useTestApp()

  it('existing routes still work, also for a browser', async () => {
    const { server } = test().app
    const get = (url: string) => server.inject({ method: 'GET', url, headers: browser })
    expect((await get('/docs/reference')).body).toContain('<h1')
    expect((await get('/llms.txt')).headers['content-type']).toMatch('text/plain')
    expect((await get('/openapi.json')).json()).toHaveProperty('paths')
    expect((await get('/healthz')).statusCode).toBe(200)
    const missing = await get('/api/agent/nothing')
    expect([missing.statusCode, missing.json()]).toEqual([404, { error: 'Route not found' }])
    expect(missing.headers['content-security-policy']).toMatch(/^default-src 'none'; base-uri 'none'/)
  })

  it('there is a first page in plain text for clients that don’t want HTML', async () => {
    const { server } = test().app
    const { headers } = await server.inject({ method: 'GET', url: '/' })
    expect([headers['content-type'], headers.vary]).toEqual(['text/plain; charset=utf-8', 'Accept'])
  })
})
