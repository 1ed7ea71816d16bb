import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { asSealed } from '../crypto/cell.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeIntegration, makeUser, type TestUser } from '../../test/factories.ts'
import {
  allowed,
  askFor,
  decide,
  exchange,
  issuer,
  mcpStatus,
  newProof,
  post,
  redirectUri,
  refresh,
  register,
  registered,
  resource,
  send,
} from '../../test/oauth-client.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

eachDialect('a program that connects with OAuth', (dialect) => {
  const clock = { at: Date.parse('2026-11-21T09:00:00.000Z') }
  const test = useTestApp({ dialect, now: () => clock.at })
  const start = async () => {
    const user = await makeUser(test())
    const integrationId = await makeIntegration(test(), user, { label: 'Claude on the web' })
    return { user, integrationId, ...(await allowed(test(), user, integrationId)) }
  }
  const keyOf = async ({ user, keyId }: { user: TestUser; keyId: string }) =>
    (await test().call('list-keys', { id: keyId }, { key: user.dashboardToken })).body['key']

  it('gets tokens for its code, and calls as the agent that the person chose', async () => {
    const made = await start()
    const { status, body, headers } = await exchange(test(), made)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', expires_in: 3600, scope: 'memory' },
    })
    expect(headers['cache-control']).toBe('no-store')
    expect(await mcpStatus(test(), body['access_token'])).toBe(200)
    expect(await keyOf(made)).toMatchObject({
      integrationId: made.integrationId,
      state: 'valid',
      client: { name: 'Claude', redirectHost: 'claude.example' },
      lastUsedAt: new Date(clock.at).toISOString(),
      expiresAt: new Date(clock.at + 90 * dayMs).toISOString(),
    })
    const info = await test().call('info', {}, { key: String(body['access_token']), audience: 'agent' })
    expect(info.status).toBe(401)
  })

  it('gets nothing for a code that is used twice, and loses what it got for it', async () => {
    const made = await start()
    const { body } = await exchange(test(), made)
    expect(await exchange(test(), made)).toMatchObject(invalidGrant)
    expect(await mcpStatus(test(), body['access_token'])).toBe(401)
    expect(await refresh(test(), made, body['refresh_token'])).toMatchObject(invalidGrant)
    expect(await keyOf(made)).toMatchObject({ state: 'revoked' })
  })

  it.each([
    ['a verifier of someone else', { code_verifier: newProof().codeVerifier }],
    ['another redirect address', { redirect_uri: 'https://claude.example/other' }],
    ['another resource', { resource: 'https://elsewhere.example/mcp' }],
    ['another program', { client_id: '0198c5f0-0000-7000-8000-000000000001' }],
  ])('gets nothing for a code with %s, and uses it up by trying', async (_what, over) => {
    const made = await start()
    expect(await exchange(test(), made, over)).toMatchObject(invalidGrant)
    expect(await exchange(test(), made)).toMatchObject(invalidGrant)
  })

  it('gets nothing for a code after a minute, and the list forgets it', async () => {
    const made = await start()
    clock.at += minuteMs
    expect(await exchange(test(), made)).toMatchObject(invalidGrant)
    const other = await makeUser(test())
    const late = await allowed(test(), other, await makeIntegration(test(), other))
    clock.at += minuteMs
    const next = await allowed(test(), other, await makeIntegration(test(), other))
    const { body } = await test().call('list-keys', {}, { key: other.dashboardToken })
    expect((body['keys'] as { id: string }[]).map(({ id }) => id)).toEqual([next.keyId])
    expect(await exchange(test(), late)).toMatchObject(invalidGrant)
  })

  it('replaces both tokens with each refresh, and keeps the connection for 90 days from then', async () => {
    const made = await start()
    const first = (await exchange(test(), made)).body
    clock.at += 60 * minuteMs
    expect(await mcpStatus(test(), first['access_token'])).toBe(401)
    const second = await refresh(test(), made, first['refresh_token'])
    expect(second.status).toBe(200)
    expect(second.body['refresh_token']).not.toBe(first['refresh_token'])
    expect(await mcpStatus(test(), second.body['access_token'])).toBe(200)
    expect(await keyOf(made)).toMatchObject({ expiresAt: new Date(clock.at + 90 * dayMs).toISOString() })
    clock.at += 90 * dayMs
    expect(await refresh(test(), made, second.body['refresh_token'])).toMatchObject(invalidGrant)
  })

  it('loses its connection if a refresh token comes a second time, however old it is', async () => {
    const made = await start()
    const first = (await exchange(test(), made)).body['refresh_token']
    const second = (await refresh(test(), made, first)).body['refresh_token']
    const third = (await refresh(test(), made, second)).body
    expect(await mcpStatus(test(), third['access_token'])).toBe(200)
    expect(await refresh(test(), made, first)).toMatchObject(invalidGrant)
    expect(await mcpStatus(test(), third['access_token'])).toBe(401)
    expect(await refresh(test(), made, third['refresh_token'])).toMatchObject(invalidGrant)
  })

  it('gets one answer at most if the same refresh token comes many times at once', async () => {
    const made = await start()
    const { body } = await exchange(test(), made)
    const answers = await Promise.all([1, 2, 3, 4].map(() => refresh(test(), made, body['refresh_token'])))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(await keyOf(made)).toMatchObject({ state: 'revoked' })
  })

  it('cannot refresh with a token of another program, or for another resource', async () => {
    const made = await start()
    const { body } = await exchange(test(), made)
    const token = body['refresh_token']
    expect(await refresh(test(), { clientId: await registered(test()) }, token)).toMatchObject(invalidGrant)
    expect(await refresh(test(), made, token, { resource: 'https://elsewhere.example/' })).toMatchObject(invalidGrant)
    expect((await refresh(test(), made, token)).status).toBe(200)
  })

  it.each(['access_token', 'refresh_token'])('ends its connection with its %s', async (kind) => {
    const made = await start()
    const { body } = await exchange(test(), made)
    expect((await post(test(), '/oauth/revoke', { token: String(body[kind]) })).status).toBe(200)
    expect(await mcpStatus(test(), body['access_token'])).toBe(401)
    expect(await refresh(test(), made, body['refresh_token'])).toMatchObject(invalidGrant)
    expect((await post(test(), '/oauth/revoke', { token: 'unknown' })).status).toBe(200)
  })

  it('is cut off at once when a person pauses or deletes its agent, or revokes its key', async () => {
    const made = await start()
    const mine = { key: made.user.dashboardToken }
    const { body } = await exchange(test(), made)
    await test().call('update-integration', { id: made.integrationId, isActive: false }, mine)
    expect(await mcpStatus(test(), body['access_token'])).toBe(403)
    expect(await refresh(test(), made, body['refresh_token'])).toMatchObject(invalidGrant)
    await test().call('update-integration', { id: made.integrationId, isActive: true }, mine)
    const next = (await refresh(test(), made, body['refresh_token'])).body
    expect(await mcpStatus(test(), next['access_token'])).toBe(200)
    await test().call('revoke-key', { id: made.keyId }, mine)
    expect(await mcpStatus(test(), next['access_token'])).toBe(401)
    expect(await refresh(test(), made, next['refresh_token'])).toMatchObject(invalidGrant)
    const again = await allowed(test(), made.user, made.integrationId)
    const tokens = (await exchange(test(), again)).body
    await test().call('delete-integration', { id: made.integrationId }, mine)
    expect(await mcpStatus(test(), tokens['access_token'])).toBe(401)
    expect(await refresh(test(), again, tokens['refresh_token'])).toMatchObject(invalidGrant)
    const left = test().app.services.db.read.selectFrom('oauthGrants').selectAll()
    expect(await left.where('integrationId', '=', made.integrationId).execute()).toEqual([])
  })

  it('can be seen and revoked if its stored request and label are damaged, and gets no more tokens', async () => {
    const made = await start()
    const { body } = await exchange(test(), made)
    const { db } = test().app.services
    const damaged = asSealed(Buffer.from('damaged'))
    await db.write(async (tx) => {
      await tx.updateTable('oauthGrants').set({ request: damaged }).where('id', '=', made.keyId).execute()
      await tx.updateTable('agentKeys').set({ label: damaged }).where('id', '=', made.keyId).execute()
    })
    expect(await refresh(test(), made, body['refresh_token'])).toMatchObject(invalidGrant)
    const name = `Damaged ${made.keyId.slice(-12)}`
    expect(await keyOf(made)).toMatchObject({ label: name, state: 'valid', client: { name, redirectHost: '' } })
    expect((await post(test(), '/oauth/revoke', { token: String(body['refresh_token']) })).status).toBe(200)
    expect(await mcpStatus(test(), body['access_token'])).toBe(401)
  })

  it('leaves no code, token, name or address in the database or the log', async () => {
    const user = await makeUser(test())
    const made = await allowed(test(), user, await makeIntegration(test(), user))
    const { body } = await exchange(test(), made)
    const { body: later } = await refresh(test(), made, body['refresh_token'])
    const { read } = test().app.services.db
    const rows = await Promise.all(
      (['agentKeys', 'oauthClients', 'oauthGrants'] as const).map((table) =>
        read.selectFrom(table).selectAll().execute(),
      ),
    )
    const text =
      test().log() +
      rows
        .flat()
        .map((row) => Object.values(row).map(printValue).join(' '))
        .join('\n')
    expect(text).toContain(made.keyId)
    const secrets = [body, later].flatMap((tokens) => [tokens['access_token'], tokens['refresh_token']])
    for (const secret of [made.code, ...secrets, 'claude.example', 'Claude"'])
      expect(text).not.toContain(String(secret))
  })

  it('is forgotten after a day if no person allows it anything', async () => {
    const user = await makeUser(test())
    const clientId = await registered(test())
    clock.at += dayMs
    const { status, body } = await askFor(test(), user, query(clientId))
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { fields: { clientId: expect.stringContaining('not registered here') } },
    })
    await registered(test())
    const left = await test().app.services.db.read.selectFrom('oauthClients').select('id').execute()
    expect(left.map(({ id }) => id)).not.toContain(clientId)
  })

  it('is told to try again while the store takes no writes', async () => {
    const { db } = test().app.services
    const { write } = db
    const code = dialect.name === 'sqlite' ? 'SQLITE_FULL' : 'ECONNREFUSED'
    db.write = () => Promise.reject(Object.assign(new Error('planted'), { code }))
    const { status, body, headers } = await register(test())
    db.write = write
    expect([status, body['error'], headers['retry-after']]).toEqual([503, 'temporarily_unavailable', '5'])
  })

  it('makes room for the next one if a thousand have registered, the oldest first', async () => {
    clock.at += 2 * dayMs
    const made = await start()
    const first = await registered(test())
    clock.at += minuteMs
    const second = await registered(test())
    const { db } = test().app.services
    const row = await db.read.selectFrom('oauthClients').selectAll().where('id', '=', second).executeTakeFirstOrThrow()
    const others = Array.from({ length: 998 }, (_, count) => ({ ...row, id: `flood ${count}` }))
    await db.write(async (tx) => {
      for (let at = 0; at < others.length; at += 100)
        await tx
          .insertInto('oauthClients')
          .values(others.slice(at, at + 100))
          .execute()
    })
    const last = await registered(test())
    const left = await db.read.selectFrom('oauthClients').select(['id', 'expiresAt']).execute()
    const ids = left.map(({ id }) => id)
    expect(left.filter(({ expiresAt }) => expiresAt <= clock.at + dayMs)).toHaveLength(1000)
    expect(ids).not.toContain(first)
    for (const kept of [made.clientId, second, last]) expect(ids).toContain(kept)
    await db.write((tx) => tx.deleteFrom('oauthClients').where('createdAt', '=', row.createdAt).execute())
  })
})

const printValue = (value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)

const query = (clientId: string, over: Record<string, string> = {}) => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: redirectUri,
  code_challenge: newProof().codeChallenge,
  code_challenge_method: 'S256',
  state: '00012e5',
  resource,
  ...over,
})

describe('the page of decisions', () => {
  const test = useTestApp()

  it('is shown who asks, where the code would go, and the request unchanged', async () => {
    const user = await makeUser(test())
    const clientId = await registered(test(), { client_name: 'ChatGPT' })
    const asked = query(clientId)
    const { status, body } = await askFor(test(), user, asked)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        asker: { name: 'ChatGPT', documentHost: null, redirectHost: 'claude.example', isOnThisMachine: false },
        request: { clientId, redirectUri, codeChallenge: asked.code_challenge, state: '00012e5', resource },
        backTo: `${redirectUri}?error=access_denied&state=00012e5&iss=http%3A%2F%2Flocalhost`,
      },
    })
  })

  it('is a page of this server that no other page can frame, and that needs a session', async () => {
    const page = await test().app.server.inject({
      method: 'GET',
      url: '/authorize?request=q_',
      headers: { host: 'localhost', accept: 'text/html' },
    })
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(page.headers['x-frame-options']).toBe('DENY')
    expect((await send(test(), 'GET', '/oauth/request?request=q_')).status).toBe(401)
  })

  it.each([
    ['an unknown program', { client_id: '0198c5f0-0000-7000-8000-000000000001' }],
    ['a redirect address that is not registered', { redirect_uri: 'https://evil.example/callback' }],
    ['a redirect address that only begins like the registered one', { redirect_uri: `${redirectUri}/../evil` }],
    ['a redirect address with another query', { redirect_uri: `${redirectUri}?next=https://evil.example` }],
    ['a redirect address with a user name', { redirect_uri: 'https://claude.example@evil.example/callback' }],
  ])('learns no address to go to for %s', async (_what, over) => {
    const user = await makeUser(test())
    const { status, body } = await askFor(test(), user, query(await registered(test()), over))
    expect(status).toBe(400)
    expect(JSON.stringify(body)).not.toContain('evil.example')
    expect(body).not.toHaveProperty('backTo')
  })

  it.each([
    ['without PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['with PKCE of the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
    ['for a token in the address', { response_type: 'token' }, 'unsupported_response_type'],
    ['for another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
  ])('cannot allow a request %s, and the person decides whether to return', async (_what, over, error) => {
    const user = await makeUser(test())
    const { status, body } = await askFor(test(), user, query(await registered(test()), over))
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('request')
    expect(String(body['backTo'])).toContain(`${redirectUri}?error=${error}&state=00012e5&iss=`)
  })

  it('is refused a parameter that is given twice', async () => {
    const user = await makeUser(test())
    const asked = new URLSearchParams(query(await registered(test())))
    asked.append('redirect_uri', 'https://evil.example/')
    const url = `/oauth/request?request=q_${Buffer.from(asked.toString()).toString('base64url')}`
    const headers = { host: 'localhost', authorization: `Bearer ${user.dashboardToken}` }
    expect((await test().app.server.inject({ method: 'GET', url, headers })).statusCode).toBe(400)
  })
})

describe('the decision of a person', () => {
  const test = useTestApp()
  const ask = async () => ({
    clientId: await registered(test()),
    redirectUri,
    codeChallenge: newProof().codeChallenge,
  })

  it('is returned to the program with its state and the name of this server, and without a secret', async () => {
    const user = await makeUser(test())
    const integrationId = await makeIntegration(test(), user)
    const { body } = await decide(test(), user, integrationId, { ...(await ask()), state: 'a&b=c#d' })
    const to = new URL(String(body['redirectTo']))
    expect(to.origin + to.pathname).toBe(redirectUri)
    expect(Object.fromEntries(to.searchParams)).toEqual({ code: expect.any(String), state: 'a&b=c#d', iss: issuer })
    expect(body).not.toHaveProperty('agentKey')
  })

  it('is about their own agents only', async () => {
    const [user, other] = [await makeUser(test()), await makeUser(test())]
    const integrationId = await makeIntegration(test(), other)
    expect((await decide(test(), user, integrationId, await ask())).status).toBe(404)
  })

  it('is checked again: what the page was shown does not count', async () => {
    const user = await makeUser(test())
    const integrationId = await makeIntegration(test(), user)
    const request = await ask()
    for (const wrong of [
      { redirectUri: 'https://evil.example/' },
      { codeChallenge: 'abc' },
      { resource: 'https://elsewhere.example/mcp' },
      { clientId: '0198c5f0-0000-7000-8000-000000000001' },
    ])
      expect((await decide(test(), user, integrationId, { ...request, ...wrong })).status).toBe(400)
    expect((await test().call('list-keys', {}, { key: user.dashboardToken })).body['total']).toBe(0)
  })

  it('cannot be made by an agent', async () => {
    const user = await makeUser(test())
    const made = await allowed(test(), user, await makeIntegration(test(), user))
    const token = String((await exchange(test(), made)).body['access_token'])
    const { status } = await test().call('create-key', {}, { key: token, audience: 'person' })
    expect(status).toBe(401)
  })
})

describe('registration', () => {
  const clock = { at: Date.parse('2026-11-21T09:00:00.000Z') }
  const test = useTestApp({ now: () => clock.at })
  const later = () => (clock.at += 3_600_000)

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'cursor://anysphere.cursor-mcp/callback',
    'http://claude.example/callback',
    'http://127.0.0.1.evil.example/',
    'https://claude.example/#here',
    'https://user:pass@claude.example/',
    '//claude.example/',
    ' https://claude.example/',
    'https://claude.example\\@evil.example/',
    'https://claude.example/\r\nSet-Cookie: a=b',
    `https://claude.example/${'x'.repeat(2000)}`,
  ])('refuses the redirect address %j', async (uri) => {
    later()
    const { status, body } = await register(test(), { redirect_uris: [redirectUri, uri] })
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } })
  })

  it('lets programs on this machine choose their port, and nothing else', async () => {
    later()
    const user = await makeUser(test())
    const clientId = await registered(test(), { redirect_uris: ['http://127.0.0.1/callback', 'http://localhost:1/cb'] })
    const statusOf = async (redirect_uri: string) =>
      (await askFor(test(), user, query(clientId, { redirect_uri }))).status
    expect(await statusOf('http://127.0.0.1:51234/callback')).toBe(200)
    expect(await statusOf('http://localhost:51234/cb')).toBe(200)
    expect(await statusOf('http://127.0.0.1:51234/other')).toBe(400)
    expect(await statusOf('http://localhost:51234/callback')).toBe(400)
    expect(await statusOf('https://127.0.0.1:51234/callback')).toBe(400)
    expect(await statusOf('http://127.0.0.1:51234@evil.example/callback')).toBe(400)
    expect(await statusOf('http://127.0.0.1:5@evil.example:1/callback')).toBe(400)
  })

  it.each(['user', 'The Person', 'U\u0455er', 'a\u202Eb', '', 'x'.repeat(201)])(
    'refuses the name %j, which could be taken for another or hides what it is',
    async (client_name) => {
      later()
      expect(await register(test(), { client_name })).toMatchObject({
        status: 400,
        body: { error: 'invalid_client_metadata' },
      })
    },
  )

  it('needs no name, gives no secret, and ignores what it does not use', async () => {
    later()
    const { status, body } = await register(test(), {
      client_name: undefined,
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'everything',
      logo_uri: 'javascript:alert(1)',
    })
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { client_name: 'claude.example', token_endpoint_auth_method: 'none', scope: 'memory' },
    })
    expect(body).not.toHaveProperty('client_secret')
    expect(body).not.toHaveProperty('logo_uri')
  })

  it('refuses giant metadata', async () => {
    later()
    expect((await register(test(), { logo_uri: 'x'.repeat(20_000) })).status).toBe(413)
    expect((await register(test(), { redirect_uris: Array.from({ length: 21 }, () => redirectUri) })).status).toBe(400)
    expect((await register(test(), { redirect_uris: [] })).status).toBe(400)
    expect((await post(test(), '/oauth/token', { grant_type: 'x'.repeat(20_000) })).status).toBe(413)
  })

  it('slows down one address after twenty in an hour', async () => {
    later()
    for (let count = 0; count < 20; count++) expect((await register(test())).status).toBe(201)
    expect((await register(test())).status).toBe(429)
    later()
    expect((await register(test())).status).toBe(201)
  })
})
