import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { addDocsSite } from './docs-site.ts'

/** A server with only a site of four files, one of them compressed as in the package. */
function makeServer({ isBuilt = true } = {}) {
  const parent = mkdtempSync(join(tmpdir(), 'holdfast-docs-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  writeFileSync(join(parent, 'secret.html'), 'planted')
  const folder = join(parent, 'site')
  if (isBuilt) {
    for (const name of ['assets', 'use']) mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, 'index.html'), '<h1>Start</h1>')
    writeFileSync(join(folder, 'use/index.html'), '<h1>Use it</h1>')
    writeFileSync(join(folder, 'assets/app.Ab3_-9.js.gz'), gzipSync('run()'))
    writeFileSync(join(folder, '.hidden.html'), 'planted')
  }
  const server = fastify()
  onTestFinished(() => server.close())
  addDocsSite(server, folder)
  const get = (url: string, headers = {}) => server.inject({ method: 'GET', url, headers })
  return get
}

it('shows the first page of each folder, under a policy that lets nothing in a page run', async () => {
  const get = makeServer()
  const moved = await get('/docs')
  expect([moved.statusCode, moved.headers.location]).toEqual([308, 'docs/'])
  expect((await get('/docs/use/')).body).toBe('<h1>Use it</h1>')
  const { statusCode, headers, body } = await get('/docs/')
  expect([statusCode, body]).toEqual([200, '<h1>Start</h1>'])
  expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
  const policy = String(headers['content-security-policy'])
  for (const rule of ["default-src 'none'", "script-src 'self';", "style-src 'self';", "frame-ancestors 'none'"])
    expect(policy).toContain(rule)
  expect(policy).not.toMatch(/unsafe|\*|http|sha256/)
})

it.each([
  ['gzip', 'gzip'],
  ['br, gzip;q=0.5', 'gzip'],
  ['gzip;q=0', undefined],
  [undefined, undefined],
])('sends what the package has compressed to a client that accepts "%s"', async (accepted, encoding) => {
  const { headers, rawPayload } = await makeServer()(
    '/docs/assets/app.Ab3_-9.js',
    accepted === undefined ? {} : { 'accept-encoding': accepted },
  )
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  })
  expect(headers['content-encoding']).toBe(encoding)
  expect(rawPayload).toEqual(encoding === undefined ? Buffer.from('run()') : gzipSync('run()'))
})

it('sends only files of the site', async () => {
  const get = makeServer()
  for (const path of ['../secret.html', '..%2fsecret.html', '%2e%2e/secret.html', '..\\secret.html', '.hidden.html']) {
    const { statusCode, body } = await get(`/docs/${path}`)
    expect([path, statusCode]).toEqual([path, 404])
    expect(body).not.toContain('planted')
  }
  const tooLong = [`${'x'.repeat(300)}.html`, `${'x/'.repeat(3000)}x.html`]
  for (const path of ['none.html', 'use', 'assets/app.Ab3_-9.js.gz', 'index.html%00.js', '/', ...tooLong])
    expect([path, (await get(`/docs/${path}`)).statusCode]).toEqual([path, 404])
})

it('leads to the reference until the site is built', async () => {
  const get = makeServer({ isBuilt: false })
  for (const [url, target] of [
    ['/docs', 'docs/reference'],
    ['/docs/', 'reference'],
    ['/docs/self-hosting.html', 'reference'],
  ] as const) {
    const { statusCode, headers } = await get(url)
    expect([statusCode, headers.location]).toEqual([302, target])
  }
  expect((await get('/docs/use/')).statusCode).toBe(404)
})
