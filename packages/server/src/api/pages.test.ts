import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { sha256 } from '../crypto/hash.ts'
import { routes } from './registry.ts'

const test = useTestApp()
const get = (url: string) => test().app.server.inject({ method: 'GET', url })

describe('the reference page', () => {
  it('has a section for every operation, and no broken links', async () => {
    const { statusCode, headers, body } = await get('/docs/reference')
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const found = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    const ids = new Set(found)
    expect(found).toHaveLength(ids.size)
    for (const { name } of routes) expect(ids).toContain(name)
    for (const [, target] of body.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
  })

  it('makes no requests: it has no script, no external address, and a policy that allows only its own style', async () => {
    const { headers, body } = await get('/docs/reference')
    expect(body).not.toMatch(/<script|<img|<link|\bsrc=|\bhref="(?![#/])|url\(/)
    const style = /<style>([^]*?)<\/style>/.exec(body)?.[1] ?? ''
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain(`style-src 'sha256-${sha256(style).toString('base64')}'`)
    expect(policy).toMatch(/^default-src 'none';/)
  })

  it('says where the guides are, because it takes their place until they are built', async () => {
    const { body } = await get('/docs/reference')
    expect(body).toContain(
      'Guides are at <a href="/docs/">/docs</a>. In a checkout they are the folder <code>docs</code>',
    )
  })

  it('shows contracts as text', async () => {
    const { body } = await get('/docs/reference')
    expect(body).toContain('{ &quot;error&quot;: string')
  })
})

describe('llms.txt', () => {
  it('names every operation for agents and says how to call one', async () => {
    const { headers, body } = await get('/llms.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(body).toMatch(/^# Holdfast .*\n\n> /)
    expect(body).toContain('Authorization: Bearer')
    for (const {
      name,
      for: { agent },
    } of routes)
      expect(body.includes(`(/docs/reference#${name})`)).toBe(agent !== undefined)
  })
})

it('the first page links to both, to the documentation and to the OpenAPI document', async () => {
  const { body } = await get('/')
  for (const path of ['/docs/reference', '/llms.txt', '/openapi.json']) {
    expect(body).toContain(path)
    expect((await get(path)).statusCode).toBe(200)
  }
  expect(body).toMatch(/\/docs$/m)
})
