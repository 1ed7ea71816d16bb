import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import type { Raw } from '../../test/oauth-client.ts'
import type { Config } from '../config.ts'

type Get = (method: 'GET' | 'POST', url: string) => Promise<Raw>

async function withApp(config: Partial<Config>, host: string, work: (get: Get) => Promise<void>): Promise<void> {
  const { app } = await startTestApp({ config })
  await work(async (method, url) => {
    const answer = await app.server.inject({ method, url, headers: { host } })
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>(), headers: answer.headers }
  })
}

describe('the metadata', () => {
  it('leads from the 401 of the MCP server to the authorization server', async () => {
    await withApp({}, 'localhost:8420', async (get) => {
      const refused = await get('POST', '/mcp')
      const [, url = ''] = /resource_metadata="([^"]+)"/.exec(String(refused.headers['www-authenticate'])) ?? []
      expect(refused.status).toBe(401)
      expect(url).toBe('http://localhost:8420/.well-known/oauth-protected-resource/mcp')
      const found = await get('GET', new URL(url).pathname)
      expect(found.body).toMatchObject({
        resource: 'http://localhost:8420/mcp',
        authorization_servers: ['http://localhost:8420'],
        scopes_supported: ['memory'],
      })
      expect((await get('GET', '/.well-known/oauth-protected-resource')).body).toEqual(found.body)
      expect((await get('GET', '/.well-known/oauth-authorization-server')).body).toMatchObject({
        issuer: 'http://localhost:8420',
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        authorization_response_iss_parameter_supported: true,
      })
    })
  })

  it('names the public URL, whatever the Host header says', async () => {
    await withApp({ publicUrl: 'https://memory.example/' }, 'localhost', async (get) => {
      expect((await get('GET', '/.well-known/oauth-authorization-server')).body['issuer']).toBe(
        'https://memory.example',
      )
    })
  })

  it.each([
    [{ publicUrl: 'http://memory.example' }, 'memory.example'],
    [{}, '192.0.2.1:8420'],
  ])('is missing where codes could be read on their way: %j at %s', async (config, host) => {
    await withApp(config, host, async (get) => {
      for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource/mcp'])
        expect((await get('GET', path)).status).toBe(404)
      expect((await get('POST', '/oauth/register')).status).toBe(404)
      expect((await get('POST', '/oauth/token')).status).toBe(404)
      expect((await get('POST', '/mcp')).headers['www-authenticate']).toBe('Bearer')
    })
  })
})
