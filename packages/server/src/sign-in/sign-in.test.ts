import { sql } from 'kysely'
import { BlockList } from 'node:net'
import { expect, it } from 'vitest'
import { startDashboardApp, ownerEmail, ownerPassword, type DashboardApp, textOf } from '../../test/dashboard-app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { newSecret } from '../crypto/secrets.ts'

const right = { email: ownerEmail, password: ownerPassword }
const wrong = { email: ownerEmail, password: 'another sentence' }
const hour = 3_600_000

const logIn = ({ send }: DashboardApp, body: object) => send('POST', '/api/auth/login', { body })

eachDialect('sign-in', (dialect) => {
  const start = () => startDashboardApp(dialect)

  it('sets a cookie that scripts and other sites cannot use, and returns the user', async () => {
    const service = await start()
    const { userId } = await service.setUp()
    const signedIn = await logIn(service, { ...right, email: ownerEmail.toUpperCase() })
    expect(signedIn).toMatchObject({ status: 200, body: { user: { userId, email: ownerEmail, isOwner: true } } })
    const { cookie, headers } = signedIn
    expect(cookie).toMatch(/^holdfast=hfc_\w{49}$/)
    expect(String(headers['set-cookie'])).toMatch(/; HttpOnly/)
    expect(String(headers['set-cookie'])).toMatch(/; SameSite=Strict/)
    expect(JSON.stringify(signedIn.body)).not.toContain('hfc_')
    expect(await service.send('GET', '/api/auth/session', { cookie })).toMatchObject({
      status: 200,
      body: {
        user: { userId },
        session: { createdAt: '2026-11-21T09:00:00.000Z', expiresAt: '2026-11-28T09:00:00.000Z' },
      },
    })
  })

  it('is separate for each port of a host name', async () => {
    const service = await start()
    await service.setUp()
    const headers = { host: 'localhost:8420' }
    const signedIn = await service.send('POST', '/api/auth/login', { headers, body: right })
    const { cookie, body } = signedIn
    expect(cookie).toMatch(/^holdfast-8420=hfc_\w{49}$/)
    const sessionKey = textOf(body['sessionKey'])
    const statusAt = async (host: string, sent: string | undefined) =>
      (await service.send('GET', '/api/auth/session', { headers: { host }, cookie: sent, sessionKey })).status
    expect(await statusAt('localhost:8420', `holdfast-8430=hfc_other; ${cookie}`)).toBe(200)
    expect(await statusAt('localhost:8430', cookie)).toBe(401)
  })

  it('takes both halves of a session: the cookie reaches every server on the same host name', async () => {
    const service = await start()
    await service.setUp()
    const { cookie, body } = await logIn(service, right)
    const other = await logIn(service, right)
    const sessionKey = textOf(body['sessionKey'])
    expect(sessionKey).toMatch(/^hfk_\w{49}$/)
    const statusWith = async (request: object) => (await service.send('GET', '/api/auth/session', request)).status
    expect(await statusWith({ cookie, sessionKey })).toBe(200)
    for (const key of ['', newSecret('hfk_'), textOf(other.body['sessionKey']), cookie?.split('=')[1]])
      expect(await statusWith({ cookie, sessionKey: key })).toBe(401)
    expect(await statusWith({ headers: { 'x-session-key': sessionKey } })).toBe(401)
    expect(await statusWith({ bearer: sessionKey })).toBe(401)
    // A cookie that another server has planted: its sender doesn't know the key in this browser.
    expect(await statusWith({ cookie: other.cookie, sessionKey })).toBe(401)
  })

  it('rejects white space around an email address, which would be stored unchanged', async () => {
    const service = await start()
    for (const email of [` ${ownerEmail}`, `${ownerEmail}\n`]) {
      expect(await logIn(service, { ...right, email })).toMatchObject({
        status: 400,
        body: { fields: { email: expect.stringContaining('email') } },
      })
      const added = await service.operator('POST', '/api/operator/users', { email, password: ownerPassword })
      expect(added.status).toBe(400)
    }
  })

  it('returns the same error for a wrong password and an unknown email', async () => {
    const service = await start()
    await service.setUp()
    const refused = await logIn(service, wrong)
    expect(refused).toMatchObject({ status: 401, body: { error: 'Invalid email or password' }, cookie: undefined })
    const unknown = await logIn(service, { ...right, email: 'nobody@example.org' })
    expect([unknown.status, unknown.body]).toEqual([refused.status, refused.body])
  })

  it('ends only its own session at sign-out', async () => {
    const service = await start()
    await service.setUp()
    const [{ cookie: first }, { cookie: second }] = [await logIn(service, right), await logIn(service, right)]
    const headers = { 'x-requested-with': 'holdfast' }
    const ended = await service.send('POST', '/api/auth/logout', { cookie: first, headers })
    expect(ended).toMatchObject({ status: 200, body: { ended: true }, cookie: 'holdfast=' })
    expect((await service.send('GET', '/api/auth/session', { cookie: first })).status).toBe(401)
    expect((await service.send('GET', '/api/auth/session', { cookie: second })).status).toBe(200)
  })

  it('keeps a dashboard token at sign-out', async () => {
    const { send, setUp } = await start()
    const { dashboardToken: bearer } = await setUp()
    expect(await send('POST', '/api/auth/logout', { bearer })).toMatchObject({ status: 200, body: { ended: false } })
    expect((await send('GET', '/api/auth/session', { bearer })).status).toBe(200)
  })

  it('ends a session after 12 hours without use', async () => {
    const service = await start()
    await service.setUp()
    const { cookie } = await logIn(service, right)
    const isOpen = async () => (await service.send('GET', '/api/auth/session', { cookie })).status === 200
    service.clock.now += 12 * hour - 1
    expect(await isOpen()).toBe(true)
    await service.app.services.lastUsed.flush()
    service.clock.now += 12 * hour - 1
    expect(await isOpen()).toBe(true)
    await service.app.services.lastUsed.flush()
    service.clock.now += 12 * hour
    expect(await isOpen()).toBe(false)
  })

  it('ends a session after seven days, however much it was used', async () => {
    const service = await start()
    await service.setUp()
    const { cookie } = await logIn(service, right)
    const isOpen = async () => (await service.send('GET', '/api/auth/session', { cookie })).status === 200
    for (let hours = 0; hours < 7 * 24 - 6; hours += 6) {
      service.clock.now += 6 * hour
      expect(await isOpen()).toBe(true)
      await service.app.services.lastUsed.flush()
    }
    service.clock.now += 6 * hour
    expect(await isOpen()).toBe(false)
  })

  it('deletes expired sessions and tokens at the next sign-in, and keeps others', async () => {
    const service = await start()
    const { dashboardToken } = await service.setUp()
    await logIn(service, right)
    service.clock.now += 13 * hour
    await logIn(service, right)
    const rows = await service.app.services.db.read.selectFrom('dashboardCredentials').select('kind').execute()
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['session', 'token']))
    expect(rows).toHaveLength(2)
    expect((await service.send('GET', '/api/auth/session', { bearer: dashboardToken })).status).toBe(200)
  })

  it('throttles guesses, even of the right password, and says how long to wait', async () => {
    const service = await start()
    await service.setUp()
    const statuses: number[] = []
    for (let tries = 0; tries < 5; tries++) statuses.push((await logIn(service, wrong)).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401])
    const early = await logIn(service, right)
    expect(early).toMatchObject({ status: 429, body: { error: 'Too many requests', retryAfter: 1 } })
    expect(early.headers['retry-after']).toBe('1')
    service.clock.now += 1_000
    expect((await logIn(service, right)).status).toBe(200)
  })

  it('does not count an attempt that failed before it was checked', async () => {
    const service = await start()
    await service.setUp()
    const { db } = service.app.services
    await db.write(async (tx) => void (await sql`alter table "users" rename to "away"`.execute(tx)))
    const statuses: number[] = []
    for (let tries = 0; tries < 6; tries++) statuses.push((await logIn(service, right)).status)
    expect(statuses).toEqual([500, 500, 500, 500, 500, 500])
    await db.write(async (tx) => void (await sql`alter table "away" rename to "users"`.execute(tx)))
    expect((await logIn(service, right)).status).toBe(200)
  })
})

// Once: the count of attempts isn't stored, and each attempt takes the time of a password's hash.
it('logging in throttles each client behind a trusted proxy, and believes no other X-Forwarded-For', async () => {
  for (const [proxy, isTrusted] of [
    ['127.0.0.0/8', true],
    ['192.0.2.0/24', false],
  ] as const) {
    const network = new BlockList()
    network.addSubnet(proxy.split('/')[0] ?? '', Number(proxy.split('/')[1]))
    const service = await startDashboardApp(undefined, { trustedProxies: [network] })
    await service.setUp()
    const from = (address: string, email: string) =>
      service.send('POST', '/api/auth/login', {
        body: { ...wrong, email },
        headers: { 'x-forwarded-for': `198.51.100.1, ${address}` },
      })
    for (let tries = 0; tries < 50; tries++) await from('203.0.113.5', `a${tries}@example.org`)
    expect((await from('203.0.113.5', 'b@example.org')).status).toBe(429)
    expect((await from('203.0.113.6', 'c@example.org')).status).toBe(isTrusted ? 401 : 429)
  }
})

eachDialect('access to the dashboard', (dialect) => {
  const start = () => startDashboardApp(dialect)

  it('requires two things of a cookie that a foreign page cannot send', async () => {
    const service = await start()
    await service.setUp()
    const { cookie } = await logIn(service, right)
    const own = { 'x-requested-with': 'holdfast' }
    const cases: [name: string, headers: Record<string, string>, status: number][] = [
      ['neither header', {}, 403],
      ['an origin alone', { origin: 'http://localhost' }, 403],
      ['a foreign origin', { ...own, origin: 'https://evil.example' }, 403],
      ['the same name with another port', { ...own, origin: 'http://localhost:8080' }, 403],
      ['an opaque origin', { ...own, origin: 'null' }, 403],
      ['the header alone, as programs send it', own, 201],
      ['header and own origin, as browsers send it', { ...own, origin: 'http://localhost' }, 201],
    ]
    for (const [name, headers, status] of cases) {
      const answer = await service.send('POST', '/api/vaults', { cookie, headers, body: { name } })
      expect([name, answer.status]).toEqual([name, status])
    }
    expect((await service.send('GET', '/api/vaults', { cookie })).body.total).toBe(3)
  })

  it('requires neither for a token: no browser sends it by itself', async () => {
    const { send, setUp } = await start()
    const { dashboardToken: bearer } = await setUp()
    const made = await send('POST', '/api/vaults', {
      bearer,
      headers: { origin: 'https://elsewhere.example' },
      body: { name: 'Work' },
    })
    expect(made.status).toBe(201)
  })

  it('rejects agent keys, as agents’ routes reject cookies and tokens', async () => {
    const service = await start()
    const { agentKey, dashboardToken } = await service.setUp()
    const { cookie } = await logIn(service, right)
    const session = { status: 401, body: { error: 'Invalid or missing dashboard session' } }
    for (const path of ['/api/auth/session', '/api/integrations', '/api/keys', '/api/vaults']) {
      expect(await service.send('GET', path, { bearer: agentKey })).toMatchObject(session)
      expect(await service.send('GET', path)).toMatchObject(session)
      expect(await service.send('GET', path, { cookie: 'holdfast=hfc_x' })).toMatchObject(session)
    }
    const key = { status: 401, body: { error: 'Invalid or missing agent key' } }
    const headers = { 'x-requested-with': 'holdfast' }
    expect(await service.send('GET', '/api/agent/info', { cookie, headers })).toMatchObject(key)
    expect(await service.send('GET', '/api/agent/info', { bearer: dashboardToken })).toMatchObject(key)
    const asBearer = cookie?.replace('holdfast=', '') ?? ''
    expect(await service.send('GET', '/api/vaults', { bearer: asBearer })).toMatchObject(session)
    expect(await service.send('GET', '/api/vaults', { cookie: `holdfast=${dashboardToken}` })).toMatchObject(session)
  })

  it('lets the operator act for the owner, or for a named user', async () => {
    const { operator, send, setUp, app } = await start()
    const bearer = app.operatorToken.token
    expect(await send('GET', '/api/vaults', { bearer })).toMatchObject({ status: 403 })
    const { vaultId } = await setUp()
    const grace = await operator('POST', '/api/operator/users', { email: 'grace@example.org', password: ownerPassword })
    expect((await send('GET', '/api/vaults', { bearer })).body).toMatchObject({ vaults: [{ vaultId }] })
    const headers = { 'x-holdfast-user': textOf(grace.body.userId) }
    const hers = await send('GET', '/api/vaults', { bearer, headers })
    expect(hers.body).toMatchObject({ total: 1, vaults: [{ vaultId: grace.body.vaultId }] })
  })
})

it('behind TLS, the cookie is Secure and bound to its host, and each answer keeps browsers on TLS for a year', async () => {
  const service = await startDashboardApp(undefined, { publicUrl: 'https://memory.example.org' })
  await service.setUp()
  const { headers } = await logIn(service, right)
  expect(String(headers['set-cookie'])).toMatch(
    /^__Host-holdfast=hfc_\w{49}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  )
  const { server } = service.app
  const browser = { accept: 'text/html' }
  for (const url of ['/', '/login', '/docs', '/assets/none.js', '/api/auth/session', '/nothing', '/api/%zz'])
    expect((await server.inject({ method: 'GET', url, headers: browser })).headers, url).toMatchObject({
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    })
})
