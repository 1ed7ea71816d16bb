import { expect, it } from 'vitest'
import { ownerEmail, ownerPassword, startDashboardApp, textOf, type DashboardApp } from '../../test/dashboard-app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { newSecret } from '../crypto/secrets.ts'
import type { JsonValue } from '../core/json.ts'

const own = { 'x-requested-with': 'holdfast' }
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const newPassword = 'mussels under a dry bridge'

async function signIn({ send }: DashboardApp, password = ownerPassword, userAgent = firefox): Promise<string> {
  const body = { email: ownerEmail, password }
  const answer = await send('POST', '/api/auth/login', { body, headers: { 'user-agent': userAgent } })
  expect(answer.status).toBe(200)
  return answer.cookie ?? ''
}

const isOpen = async ({ send }: DashboardApp, cookie: string) =>
  (await send('GET', '/api/auth/session', { cookie })).status === 200

async function sessionsOf({ send }: DashboardApp, cookie: string): Promise<Record<string, JsonValue>[]> {
  const { body } = await send('GET', '/api/auth/sessions', { cookie })
  return body['sessions'] as Record<string, JsonValue>[]
}

eachDialect('the sessions of a person', (dialect) => {
  const start = async () => {
    const service = await startDashboardApp(dialect)
    const { dashboardToken } = await service.setUp()
    return { service, dashboardToken }
  }

  it('are listed with browser and origin, last used first, with tokens', async () => {
    const { service } = await start()
    const first = await signIn(service)
    service.clock.now += 60_000
    await signIn(service, ownerPassword, 'curl/8.14.1')
    service.clock.now += 60_000
    const sessions = await sessionsOf(service, first)
    expect(sessions).toMatchObject([
      {
        kind: 'session',
        isCurrent: true,
        name: null,
        browser: 'Firefox on Linux',
        origin: 'machine',
        createdAt: '2026-11-21T09:00:00.000Z',
        lastUsedAt: '2026-11-21T09:02:00.000Z',
        expiresAt: '2026-11-28T09:00:00.000Z',
      },
      { kind: 'session', isCurrent: false, browser: 'Unknown program', lastUsedAt: '2026-11-21T09:01:00.000Z' },
      { kind: 'token', isCurrent: false, browser: null, origin: null, expiresAt: '2036-11-18T09:00:00.000Z' },
    ])
    const { body } = await service.send('GET', '/api/auth/sessions?limit=1&offset=1', { cookie: first })
    expect(body).toMatchObject({
      total: 3,
      limit: 1,
      offset: 1,
      hasMore: true,
      sessions: [{ browser: 'Unknown program' }],
    })
  })

  it('are listed by kind, each with its own pages', async () => {
    const { service } = await start()
    const cookie = await signIn(service)
    service.clock.now += 60_000
    await signIn(service, ownerPassword, 'curl/8.14.1')
    const list = async (query: string) => (await service.send('GET', `/api/auth/sessions?${query}`, { cookie })).body
    expect(await list('kind=session&limit=1&offset=1')).toMatchObject({
      total: 2,
      hasMore: false,
      sessions: [{ kind: 'session' }],
    })
    expect(await list('kind=token&limit=1')).toMatchObject({ total: 1, hasMore: false, sessions: [{ kind: 'token' }] })
    expect((await service.send('GET', '/api/auth/sessions?kind=key', { cookie })).status).toBe(400)
  })

  it('are not listed once they have expired', async () => {
    const { service, dashboardToken } = await start()
    await signIn(service)
    service.clock.now += 12 * 3_600_000
    const { body } = await service.send('GET', '/api/auth/sessions', { bearer: dashboardToken })
    expect(body).toMatchObject({ total: 1, sessions: [{ kind: 'token', isCurrent: true }] })
  })

  it('don’t reveal their origin or name in the database', async () => {
    const { service } = await start()
    const cookie = await signIn(service)
    const body = { password: ownerPassword, name: 'Deploy script' }
    await service.send('POST', '/api/auth/tokens', { cookie, headers: own, body })
    const rows = await service.app.services.db.read.selectFrom('dashboardCredentials').selectAll().execute()
    expect(rows).toHaveLength(3)
    for (const row of rows)
      expect(Buffer.from(row.client ?? []).toString('latin1')).not.toMatch(/Firefox|machine|Deploy/)
  })

  it('can be ended one by one, and so can tokens', async () => {
    const { service, dashboardToken } = await start()
    const [first, second] = [await signIn(service), await signIn(service)]
    const end = (id: JsonValue | undefined) =>
      service.send('POST', '/api/auth/sessions/end', { cookie: first, headers: own, body: { id: textOf(id) } })
    const sessions = await sessionsOf(service, first)
    const other = sessions.find(({ kind, isCurrent }) => kind === 'session' && isCurrent === false)
    const token = sessions.find(({ kind }) => kind === 'token')
    expect(await end(other?.['id'])).toMatchObject({ status: 200, body: { endedSessions: 1, revokedTokens: 0 } })
    expect([await isOpen(service, first), await isOpen(service, second)]).toEqual([true, false])
    expect(await end(other?.['id'])).toMatchObject({ status: 404, body: { error: 'Session not found' } })
    expect((await end(token?.['id'])).body).toEqual({ endedSessions: 0, revokedTokens: 1 })
    expect((await service.send('GET', '/api/vaults', { bearer: dashboardToken })).status).toBe(401)
  })

  it('cannot be seen or ended by another user', async () => {
    const { service } = await start()
    const account = { email: 'grace@example.org', password: ownerPassword }
    const grace = textOf((await service.operator('POST', '/api/operator/users', account)).body['dashboardToken'])
    const cookie = await signIn(service)
    const [mine] = await sessionsOf(service, cookie)
    const end = (body: object) => service.send('POST', '/api/auth/sessions/end', { bearer: grace, body })
    const ended = await end({ id: textOf(mine?.['id']) })
    expect(ended).toMatchObject({ status: 404, body: { error: 'Session not found' } })
    expect(await end({})).toMatchObject({ status: 400, body: { error: expect.stringContaining('give an id') } })
    expect((await end({ sessions: true })).body).toEqual({
      endedSessions: 0,
      revokedTokens: 0,
    })
    expect((await service.send('GET', '/api/auth/sessions', { bearer: grace })).body['total']).toBe(1)
    expect(await isOpen(service, cookie)).toBe(true)
  })

  it('all end except the current one when the user signs out everywhere else', async () => {
    const { service, dashboardToken } = await start()
    const cookies = [await signIn(service), await signIn(service), await signIn(service)]
    const ended = await service.send('POST', '/api/auth/sessions/end', {
      cookie: cookies[1],
      headers: own,
      body: { sessions: true },
    })
    expect(ended).toMatchObject({ status: 200, body: { endedSessions: 2 } })
    expect(await Promise.all(cookies.map((cookie) => isOpen(service, cookie)))).toEqual([false, true, false])
    expect((await service.send('GET', '/api/vaults', { bearer: dashboardToken })).status).toBe(200)
  })

  it('all end with all tokens except the one in use, if the user asks for that', async () => {
    const { service, dashboardToken } = await start()
    const cookie = await signIn(service)
    const created = await service.send('POST', '/api/auth/tokens', {
      bearer: dashboardToken,
      body: { password: ownerPassword },
    })
    const ended = await service.send('POST', '/api/auth/sessions/end', {
      bearer: dashboardToken,
      body: { sessions: true, tokens: true },
    })
    expect(ended).toMatchObject({ status: 200, body: { endedSessions: 1, revokedTokens: 1 } })
    expect(await isOpen(service, cookie)).toBe(false)
    const statusOf = async (bearer: string) => (await service.send('GET', '/api/vaults', { bearer })).status
    expect(await statusOf(textOf(created.body['dashboardToken']))).toBe(401)
    expect(await statusOf(dashboardToken)).toBe(200)
  })

  it('include tokens for programs, which take the password to create', async () => {
    const { service } = await start()
    const cookie = await signIn(service)
    const make = (password: string) =>
      service.send('POST', '/api/auth/tokens', { cookie, headers: own, body: { password } })
    expect(await make('another')).toMatchObject({ status: 400, body: { fields: { password: expect.any(String) } } })
    const { status, body } = await make(ownerPassword)
    expect(status).toBe(201)
    expect((await service.send('GET', '/api/vaults', { bearer: textOf(body['dashboardToken']) })).status).toBe(200)
  })
})

eachDialect('a dashboard token', (dialect) => {
  const dayMs = 86_400_000

  async function start() {
    const service = await startDashboardApp(dialect)
    await service.setUp()
    const cookie = await signIn(service)
    const create = (given: object) =>
      service.send('POST', '/api/auth/tokens', { cookie, headers: own, body: { password: ownerPassword, ...given } })
    const statusOf = async (bearer: string) => (await service.send('GET', '/api/vaults', { bearer })).status
    return { service, create, statusOf }
  }

  it('expires after 90 days unless asked otherwise, and is then refused like an unknown one', async () => {
    const { service, create, statusOf } = await start()
    const { status, body } = await create({})
    expect([status, body['expiresAt']]).toEqual([201, '2027-02-19T09:00:00.000Z'])
    const bearer = textOf(body['dashboardToken'])
    service.clock.now += 90 * dayMs - 1
    expect(await statusOf(bearer)).toBe(200)
    service.clock.now += 1
    const unknown = await service.send('GET', '/api/vaults', { bearer: newSecret('hfd_') })
    const expired = await service.send('GET', '/api/vaults', { bearer })
    expect([expired.status, expired.body]).toEqual([401, unknown.body])
    const cookie = await signIn(service)
    const sessions = await sessionsOf(service, cookie)
    expect(sessions.filter(({ kind }) => kind === 'token')).toHaveLength(1)
  })

  it('is listed with its name', async () => {
    const { service, create } = await start()
    await create({ name: ' Deploy script ' })
    service.clock.now += 1
    await create({})
    for (const name of ['', ' \n', '\u200b', 'a\nb', '\u202epircs']) expect((await create({ name })).status).toBe(400)
    const tokens = (await sessionsOf(service, await signIn(service))).filter(({ kind }) => kind === 'token')
    expect(tokens.map(({ name, browser }) => [name, browser])).toEqual([
      [null, null],
      ['Deploy script', null],
      [null, null],
    ])
  })

  it('is valid for a year at most', async () => {
    const { create } = await start()
    expect((await create({ expiresInDays: 365 })).body).toMatchObject({ expiresAt: '2027-11-21T09:00:00.000Z' })
    for (const expiresInDays of [0, 366, 1.5])
      expect(await create({ expiresInDays })).toMatchObject({
        status: 400,
        body: { fields: { expiresInDays: expect.any(String) } },
      })
  })

  it('that comes with a new account is valid for an hour, because the person who created the account has it too', async () => {
    const { service, statusOf } = await start()
    const account = { email: 'grace@example.org', password: ownerPassword }
    const { body } = await service.operator('POST', '/api/operator/users', account)
    service.clock.now += 3_599_999
    expect(await statusOf(textOf(body['dashboardToken']))).toBe(200)
    service.clock.now += 1
    expect(await statusOf(textOf(body['dashboardToken']))).toBe(401)
  })
})

eachDialect('the password of a person', (dialect) => {
  it('is changed with the old one, which ends the other sessions', async () => {
    const service = await startDashboardApp(dialect)
    await service.setUp()
    const [first, second] = [await signIn(service), await signIn(service)]
    const change = (password: string, to: string) =>
      service.send('PATCH', '/api/auth/sign-in', { cookie: first, headers: own, body: { password, newPassword: to } })
    expect(await change('another', newPassword)).toMatchObject({
      status: 400,
      body: { fields: { password: 'is not your password' } },
    })
    for (const weak of ['short', 'Password123', ownerEmail])
      expect(await change(ownerPassword, weak)).toMatchObject({
        status: 400,
        body: { fields: { newPassword: expect.any(String) } },
      })
    expect(await change(ownerPassword, newPassword)).toMatchObject({
      status: 200,
      body: { user: { email: ownerEmail }, endedSessions: 1 },
    })
    expect([await isOpen(service, first), await isOpen(service, second)]).toEqual([true, false])
    const old = { email: ownerEmail, password: ownerPassword }
    expect((await service.send('POST', '/api/auth/login', { body: old })).status).toBe(401)
    await signIn(service, newPassword)
  })

  it('cannot be guessed from an unattended page: each wrong try makes the next one wait', async () => {
    const service = await startDashboardApp(dialect)
    await service.setUp()
    const cookie = await signIn(service)
    const statuses: number[] = []
    for (let tries = 0; tries < 6; tries++) {
      const body = { password: `wrong ${tries}`, newPassword }
      statuses.push((await service.send('PATCH', '/api/auth/sign-in', { cookie, headers: own, body })).status)
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
    expect(await isOpen(service, cookie)).toBe(true)
  })

  it('can be reset by the operator if the user has lost it', async () => {
    const service = await startDashboardApp(dialect)
    const { userId } = await service.setUp()
    const cookie = await signIn(service)
    const reset = (email: string, password = newPassword) =>
      service.operator('POST', '/api/operator/users/reset', { email, password })
    expect(await reset('nobody@example.org')).toMatchObject({ status: 404, body: { error: 'User not found' } })
    expect((await reset(ownerEmail, 'Password123')).status).toBe(400)
    expect((await service.operator('POST', '/api/operator/users/reset', { email: ownerEmail })).status).toBe(400)
    expect(await reset(ownerEmail)).toMatchObject({ status: 200, body: { userId, endedSessions: 1 } })
    expect(await isOpen(service, cookie)).toBe(false)
    await signIn(service, newPassword)
  })

  it('can be reset together with all sessions and tokens, for an account in the wrong hands', async () => {
    const service = await startDashboardApp(dialect)
    const { dashboardToken: bearer } = await service.setUp()
    const given = { email: ownerEmail, password: newPassword }
    const reset = (more: object) => service.operator('POST', '/api/operator/users/reset', { ...given, ...more })
    expect((await reset({})).body).toMatchObject({ revokedTokens: 0 })
    expect((await service.send('GET', '/api/vaults', { bearer })).status).toBe(200)
    expect((await reset({ tokens: true })).body).toMatchObject({ revokedTokens: 1 })
    expect((await service.send('GET', '/api/vaults', { bearer })).status).toBe(401)
  })
})
