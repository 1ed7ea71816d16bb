import { describe, expect, it } from 'vitest'
import { callAgent, eachService, newAgent, newVault, send, succeed } from './service.ts'

/** Keys, scopes, vaults and errors, as the API defines them. */

const noAccess = { error: expect.stringMatching(/^SCOPE_DENIED: .*no access to the requested vault/) }

eachService('access', (service) => {
  const dashboard = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    send(service(), { key: service().dashboardToken, method, path, body })

  describe('a key', () => {
    it('returns its owner and permissions through info', async () => {
      const [vaultId, other] = [await newVault(service()), await newVault(service())]
      const { key, integrationId } = await newAgent(service(), {
        preset: 'read_write',
        label: 'Writer',
        restrictToVault: true,
        vaults: [{ vaultId }, { vaultId: other, preset: 'read_only' }],
        primaryVaultId: vaultId,
      })
      expect((await callAgent(service(), 'info', {}, { key })).body).toMatchObject({
        userId: expect.any(String),
        integrationId,
        label: 'Writer',
        scopes: ['read', 'write', 'search'],
        vaultId,
        allowedVaultIds: expect.arrayContaining([vaultId, other]),
        restrictToVault: true,
        vaultScopePresets: expect.objectContaining({ [other]: 'read_only' }),
      })
    })

    it.each([
      ['read_only', ['read', 'search']],
      ['read_write', ['read', 'write', 'search']],
      ['admin', ['read', 'write', 'search', 'admin']],
    ] as const)('with the preset %s has the scopes %j', async (preset, scopes) => {
      const { key } = await newAgent(service(), { preset })
      expect((await callAgent(service(), 'info', {}, { key })).body['scopes']).toEqual(scopes)
    })

    it('gets and loses scopes immediately when its integration’s preset changes', async () => {
      const { key, integrationId } = await newAgent(service(), { preset: 'read_only' })
      const vaultId = await newVault(service())
      const write = async () => (await callAgent(service(), 'write-memory', { vaultId, content: 'x' }, { key })).status
      expect(await write()).toBe(403)
      await dashboard('PATCH', '/api/integrations', { id: integrationId, preset: 'read_write' })
      expect(await write()).toBe(201)
    })

    it('that was revoked is treated like an unknown one', async () => {
      const { key, keyId } = await newAgent(service(), { preset: 'admin' })
      expect((await callAgent(service(), 'info', {}, { key })).status).toBe(200)
      await dashboard('DELETE', `/api/keys?id=${keyId}`)
      const { status, body } = await callAgent(service(), 'info', {}, { key })
      expect([status, body]).toEqual([401, { error: 'Invalid or missing agent key' }])
    })

    it('that has expired is too', async () => {
      const { integrationId } = await newAgent(service(), { preset: 'admin' })
      const expiresAt = new Date(Date.now() + 1500).toISOString()
      const { body } = await dashboard('POST', '/api/keys', { integrationId, expiresAt })
      const key = String(body['agentKey'])
      expect(key).toMatch(/^svc_/)
      expect((await callAgent(service(), 'info', {}, { key })).status).toBe(200)
      await expect
        .poll(async () => (await callAgent(service(), 'info', {}, { key })).status, { interval: 200 })
        .toBe(401)
    })

    it('of an inactive integration gets an error that says so', async () => {
      const { key, integrationId } = await newAgent(service(), { preset: 'admin' })
      await dashboard('PATCH', '/api/integrations', { id: integrationId, isActive: false })
      const { status, body } = await callAgent(service(), 'info', {}, { key })
      expect([status, body]).toEqual([403, { error: 'Integration is inactive' }])
    })

    it('is read only from the header', async () => {
      const { key } = service()
      for (const path of [`/api/agent/info?key=${key}`, `/api/agent/info?access_token=${key}`])
        expect((await send(service(), { method: 'GET', path })).status).toBe(401)
      expect((await send(service(), { method: 'POST', path: '/api/agent/list-vaults', body: { key } })).status).toBe(
        401,
      )
    })
  })

  describe('the vault of a call', () => {
    it('can be any vault of the user for an unrestricted key, by default the primary one', async () => {
      const [primaryVaultId, other] = [await newVault(service()), await newVault(service())]
      const { key } = await newAgent(service(), { preset: 'read_write', primaryVaultId })
      const write = (body: object) => succeed(service(), 'write-memory', { content: 'x', ...body }, key)
      expect(await write({})).toMatchObject({ vaultId: primaryVaultId })
      expect(await write({ vaultId: other })).toMatchObject({ vaultId: other })
      expect((await callAgent(service(), 'write-memory', { content: 'x', vaultId: crypto.randomUUID() })).status).toBe(
        404,
      )
    })

    it('is one of the allowed vaults for a restricted key: the primary one, else the first', async () => {
      const [first, second, foreign] = [await newVault(service()), await newVault(service()), await newVault(service())]
      const vaults = [{ vaultId: first }, { vaultId: second }]
      const of = async (more: object) =>
        (await newAgent(service(), { preset: 'read_write', restrictToVault: true, vaults, ...more })).key
      const key = await of({ primaryVaultId: second })
      const write = (body: object, by = key) =>
        callAgent(service(), 'write-memory', { content: 'x', ...body }, { key: by })
      expect((await write({})).body['vaultId']).toBe(second)
      expect((await write({ vaultId: first })).body['vaultId']).toBe(first)
      for (const vaultId of [foreign, crypto.randomUUID()]) {
        const { status, body } = await write({ vaultId })
        expect([status, body]).toEqual([403, noAccess])
      }
      expect([first, second]).toContain((await write({}, await of({}))).body['vaultId'])
    })

    it('can have its own preset instead of the integration’s, allowing less or more', async () => {
      const [less, more] = [await newVault(service()), await newVault(service())]
      const readWrite = await newAgent(service(), {
        preset: 'read_write',
        vaults: [{ vaultId: less, preset: 'read_only' }],
      })
      const readOnly = await newAgent(service(), {
        preset: 'read_only',
        vaults: [{ vaultId: more, preset: 'read_write' }],
      })
      const write = (vaultId: string, key: string) =>
        callAgent(service(), 'write-memory', { vaultId, content: 'x' }, { key })
      expect((await write(less, readWrite.key)).body['error']).toMatch(/^SCOPE_DENIED: .*write/)
      expect((await write(more, readWrite.key)).status).toBe(201)
      expect((await write(more, readOnly.key)).status).toBe(201)
      expect((await write(less, readOnly.key)).status).toBe(403)
    })

    it('cannot be created by a restricted key, which could not use it', async () => {
      const vaultId = await newVault(service())
      const { key } = await newAgent(service(), { preset: 'admin', restrictToVault: true, vaults: [{ vaultId }] })
      const { status, body } = await callAgent(service(), 'create-vault', { name: 'Mine' }, { key })
      expect([status, body['error']]).toEqual([403, expect.stringMatching(/^SCOPE_DENIED: /)])
      const { vaults, total } = await succeed(service(), 'list-vaults', {}, key)
      expect([total, vaults]).toEqual([1, [expect.objectContaining({ vaultId, noteCount: 0, memoryCount: 0 })]])
    })
  })

  describe('a request', () => {
    it('returns every invalid field, and the first one in its message', async () => {
      const { status, body } = await callAgent(service(), 'write-memory', {
        content: '',
        importance: 9,
        memoryType: 'rumour',
      })
      expect(status).toBe(400)
      expect(Object.keys(body['fields'] as object).toSorted()).toEqual(['content', 'importance', 'memoryType'])
      expect(body['error']).toMatch(/^Validation failed: content: /)
      expect((body['fields'] as Record<string, string>)['memoryType']).toContain('correction')
    })

    it('can contain unknown fields, null for optional fields, and `id` for its own id field', async () => {
      const vaultId = await newVault(service())
      const { memoryId } = await succeed(service(), 'write-memory', {
        vaultId,
        content: 'x',
        summary: null,
        colour: 'red',
      })
      const { memories } = await succeed(service(), 'read-memories', { vaultId, ids: [memoryId] })
      expect(memories).toMatchObject([{ memoryId, id: memoryId, summary: null }])
      expect(await succeed(service(), 'archive-memory', { vaultId, id: memoryId })).toMatchObject({ memoryId })
    })

    it('is rejected with a lone surrogate, another type, or too much data', async () => {
      const raw = (body: string, headers = {}) =>
        send(service(), { key: service().key, method: 'POST', path: '/api/agent/write-memory', body, headers })
      expect((await raw('{"content":"\\ud800"}')).status).toBe(400)
      expect((await raw('{"content":"x"}', { 'Content-Type': 'text/plain' })).status).toBe(415)
      expect((await raw(`{"content":"x","zzz":"${'x'.repeat(5_000_000)}"}`)).status).toBe(413)
      expect((await raw('{"content":')).body).toMatchObject({ fields: {} })
    })

    it('to an unknown route gets a 404 in the common error format', async () => {
      const { status, body } = await send(service(), {
        key: service().key,
        method: 'POST',
        path: '/api/agent/forget-everything',
        body: {},
      })
      expect([status, body]).toEqual([404, { error: expect.any(String) }])
    })

    it('of one person finds nothing in vaults that the key cannot see', async () => {
      const [hidden, own] = [await newVault(service()), await newVault(service())]
      const { memoryId } = await succeed(service(), 'write-memory', { vaultId: hidden, content: 'Hidden.' })
      const { key } = await newAgent(service(), { preset: 'admin', restrictToVault: true, vaults: [{ vaultId: own }] })
      expect(await succeed(service(), 'read-memories', { memoryIds: [memoryId] }, key)).toMatchObject({
        memories: [],
        notFound: [memoryId],
      })
      const { status, body } = await callAgent(service(), 'archive-memory', { memoryId }, { key })
      expect([status, body]).toEqual([404, { error: 'Memory not found' }])
    })
  })
})
