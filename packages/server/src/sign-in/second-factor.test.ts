import { Secret, TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import {
  ascending,
  ownerEmail,
  ownerPassword,
  startDashboardApp,
  textOf,
  type DashboardApp,
} from '../../test/dashboard-app.ts'
import { eachDialect } from '../../test/dialects.ts'

const right = { email: ownerEmail, password: ownerPassword }
const own = { 'x-requested-with': 'holdfast' }
const codeNeeded = { status: 400, body: { fields: { totp: expect.stringMatching(/^needed/) as string } } }
const codeWrong = { status: 400, body: { fields: { totp: expect.stringMatching(/^is wrong/) as string } } }
const stepMs = 30_000

const logIn = ({ send }: DashboardApp, totp?: string) =>
  send('POST', '/api/auth/login', { body: { ...right, ...(totp !== undefined && { totp }) } })

/** What an authenticator app shows that many steps from now. */
function codeAt({ clock }: DashboardApp, secret: string, steps = 0): string {
  const timestamp = clock.now + steps * stepMs
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

async function begin(service: DashboardApp) {
  await service.setUp()
  const cookie = (await logIn(service)).cookie ?? ''
  const post = (path: string, body: object) =>
    service.send('POST', `/api/auth/totp${path}`, { cookie, headers: own, body })
  return { cookie, post }
}

/** A user with a second factor, whose confirming code is a step old. */
async function secured(service: DashboardApp) {
  const { cookie, post } = await begin(service)
  const secret = textOf((await post('', { password: ownerPassword })).body['secret'])
  const { body } = await post('/confirm', { code: codeAt(service, secret) })
  service.clock.now += stepMs
  return { cookie, post, secret, recoveryCodes: body['recoveryCodes'] as string[] }
}

eachDialect('a second factor', (dialect) => {
  const start = () => startDashboardApp(dialect)

  it('is set up with the password, and required only after a code has confirmed it', async () => {
    const service = await start()
    const { cookie, post } = await begin(service)
    const other = (await logIn(service)).cookie ?? ''
    expect(await post('', { password: 'another' })).toMatchObject({
      status: 400,
      body: { fields: { password: 'is not your password' } },
    })
    const { status, body } = await post('', { password: ownerPassword })
    const secret = textOf(body['secret'])
    expect(status).toBe(201)
    expect(new URL(textOf(body['uri'])).searchParams.get('secret')).toBe(secret)
    expect((await logIn(service)).status).toBe(200)
    expect(await service.send('GET', '/api/auth/totp', { cookie })).toMatchObject({ body: { totp: null } })
    const wrong = codeAt(service, secret, 5)
    expect(await post('/confirm', { code: wrong })).toMatchObject({
      status: 400,
      body: { fields: { code: expect.any(String) } },
    })
    const code = codeAt(service, secret)
    const confirmed = await post('/confirm', { code: `${code.slice(0, 3)} ${code.slice(3)}` })
    expect(confirmed).toMatchObject({ status: 200, body: { endedSessions: 2 } })
    expect(new Set(confirmed.body['recoveryCodes'] as string[]).size).toBe(10)
    expect((await service.send('GET', '/api/auth/session', { cookie: other })).status).toBe(401)
    expect(await service.send('GET', '/api/auth/totp', { cookie })).toMatchObject({
      body: { totp: { confirmedAt: '2026-11-21T09:00:00.000Z', recoveryCodesLeft: 10 } },
    })
    expect(await logIn(service)).toMatchObject({ ...codeNeeded, cookie: undefined })
  })

  it('prevents sign-in with only the password, with a wrong code, or with a used code', async () => {
    const service = await start()
    const { secret } = await secured(service)
    expect(await logIn(service, codeAt(service, secret, -1))).toMatchObject(codeWrong)
    expect(await logIn(service, codeAt(service, secret, 3))).toMatchObject(codeWrong)
    const code = codeAt(service, secret)
    expect((await logIn(service, code)).cookie).toMatch(/^holdfast=hfc_/)
    expect(await logIn(service, code)).toMatchObject(codeWrong)
    service.clock.now += stepMs
    expect((await logIn(service, codeAt(service, secret))).status).toBe(200)
  })

  it('accepts a code of the step before or after, because clocks differ, and none older than the last', async () => {
    const service = await start()
    const { secret } = await secured(service)
    service.clock.now += 2 * stepMs
    expect((await logIn(service, codeAt(service, secret, 1))).status).toBe(200)
    for (const steps of [1, 0, -1])
      expect(await logIn(service, codeAt(service, secret, steps))).toMatchObject(codeWrong)
    service.clock.now += 3 * stepMs
    expect((await logIn(service, codeAt(service, secret, -1))).status).toBe(200)
  })

  it('is only revealed to callers who know the password', async () => {
    const service = await start()
    const { secret } = await secured(service)
    const body = { email: ownerEmail, password: 'another', totp: codeAt(service, secret) }
    expect(await service.send('POST', '/api/auth/login', { body })).toMatchObject({
      status: 401,
      body: { error: 'Invalid email or password' },
    })
    expect((await logIn(service, codeAt(service, secret))).status).toBe(200)
  })

  it('accepts only one of two equal concurrent codes', async () => {
    const service = await start()
    const { secret, recoveryCodes } = await secured(service)
    const code = codeAt(service, secret)
    const both = await Promise.all([logIn(service, code), logIn(service, code)])
    expect(both.map(({ status }) => status).toSorted(ascending)).toEqual([200, 400])
    const spare = await Promise.all([logIn(service, recoveryCodes[0]), logIn(service, recoveryCodes[0])])
    expect(spare.map(({ status }) => status).toSorted(ascending)).toEqual([200, 400])
  })

  it('can be replaced by a recovery code, which works once, however it is typed', async () => {
    const service = await start()
    const { cookie, recoveryCodes } = await secured(service)
    const [first = '', second = ''] = recoveryCodes
    expect((await logIn(service, first)).status).toBe(200)
    expect(await logIn(service, first)).toMatchObject(codeWrong)
    expect((await logIn(service, second.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    expect(await service.send('GET', '/api/auth/totp', { cookie })).toMatchObject({
      body: { totp: { recoveryCodesLeft: 8 } },
    })
  })

  it('is throttled like a password, and the password alone does not reset the count', async () => {
    const service = await start()
    await secured(service)
    const statuses: number[] = []
    for (let tries = 0; tries < 5; tries++) {
      statuses.push((await logIn(service)).status, (await logIn(service, '000000')).status)
    }
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 400))
    expect((await logIn(service, '000001')).status).toBe(429)
    expect((await logIn(service)).status).toBe(429)
    service.clock.now += 1_000
    expect((await logIn(service)).status).toBe(400)
    expect((await logIn(service, '000001')).status).toBe(400)
    service.clock.now += 1_000
    expect((await logIn(service, '000002')).status).toBe(429)
  })

  it('waits longer after each of many wrong codes, across days and restarts; recovery codes never wait', async () => {
    const service = await start()
    const { secret, recoveryCodes, cookie } = await secured(service)
    const minuteMs = 60_000
    const guess = async () => {
      // Longer than the throttle of passwords remembers.
      service.clock.now += 16 * minuteMs
      return logIn(service, codeAt(service, secret, 9))
    }
    for (let tries = 0; tries < 14; tries++) expect(await guess()).toMatchObject(codeWrong)
    // 16 minutes have passed, of 16.
    expect(await guess()).toMatchObject(codeWrong)
    expect(await guess()).toMatchObject({ status: 429, body: { retryAfter: 16 * 60 } })
    expect(await logIn(service, codeAt(service, secret))).toMatchObject({ status: 429 })
    expect((await logIn(service, recoveryCodes[0])).status).toBe(200)
    expect((await logIn(service, codeAt(service, secret))).status).toBe(200)
    expect(await service.send('GET', '/api/auth/totp', { cookie })).toMatchObject({
      body: { totp: { wrongCodes: { count: 15 } } },
    })
  })

  it('is throttled equally for a caller with a session and the password', async () => {
    const service = await start()
    const { cookie, post } = await secured(service)
    const statuses: number[] = []
    for (let tries = 0; tries < 5; tries++) {
      const body = { password: ownerPassword }
      statuses.push((await service.send('POST', '/api/auth/tokens', { cookie, headers: own, body })).status)
      statuses.push((await post('/delete', { password: ownerPassword, code: '000000' })).status)
    }
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 400))
    expect((await post('/delete', { password: ownerPassword, code: '000001' })).status).toBe(429)
  })

  it.each([
    ['create a token', 'POST /api/auth/tokens', {}, 201],
    ['change the email address', 'PATCH /api/auth/sign-in', { email: 'countess@example.org' }, 200],
    ['change the password', 'PATCH /api/auth/sign-in', { newPassword: 'mussels under a dry bridge' }, 200],
  ])('is needed to %s, together with the password', async (_what, address, more, done) => {
    const [method, path] = address.split(' ') as ['POST' | 'PATCH', string]
    const service = await start()
    const { cookie, secret } = await secured(service)
    const send = (given: object) =>
      service.send(method, path, { cookie, headers: own, body: { password: ownerPassword, ...more, ...given } })
    expect(await send({})).toMatchObject({ status: 400, body: { fields: { code: expect.stringMatching(/^needed/) } } })
    expect(await send({ code: codeAt(service, secret, 5) })).toMatchObject({
      status: 400,
      body: { fields: { code: expect.stringMatching(/^is wrong/) } },
    })
    const code = codeAt(service, secret)
    expect((await send({ code, password: 'another' })).body).toMatchObject({ fields: { password: expect.any(String) } })
    expect((await send({ code })).status).toBe(done)
    expect((await logIn(service, code)).status).toBeGreaterThanOrEqual(400)
  })

  it('is needed, with the password, for agents’ access that outlives the session', async () => {
    const service = await start()
    const { cookie, recoveryCodes } = await secured(service)
    const send = (method: 'POST' | 'PATCH', path: string, body: object) =>
      service.send(method, path, { cookie, headers: own, body })
    const create = (fields: object) =>
      send('POST', '/api/integrations', { label: 'Desk', preset: 'read_write', ...fields })
    const made = await create({})
    const { id, primaryVaultId: vaultId } = made.body['integration'] as { id: string; primaryVaultId: string }
    const inDays = (days: number) => new Date(service.clock.now + days * 86_400_000).toISOString()
    const needed = expect.stringMatching(/^needed: .*second factor/) as string
    const lasting = [
      () => create({ preset: 'admin' }),
      () => create({ vaults: [{ vaultId, preset: 'admin' }] }),
      () => send('POST', '/api/keys', { integrationId: id }),
      () => send('POST', '/api/keys', { integrationId: id, expiresAt: inDays(92) }),
      () => create({ writePolicy: { persons: 'yes', agents: 'yes' } }),
      () => send('PATCH', '/api/integrations', { id, preset: 'admin' }),
      () => send('PATCH', '/api/integrations', { id, writePolicy: { persons: 'yes', agents: 'yes' } }),
      () => send('PATCH', '/api/integrations', { id, vaults: [{ vaultId, preset: 'admin' }] }),
    ]
    for (const attempt of lasting)
      expect(await attempt()).toMatchObject({ status: 400, body: { fields: { password: needed, code: needed } } })
    expect((await send('POST', '/api/keys', { integrationId: id, expiresAt: inDays(90) })).status).toBe(201)
    expect((await send('PATCH', '/api/integrations', { id, label: 'Shelf', preset: 'read_only' })).status).toBe(200)

    const proof = () => ({ password: ownerPassword, code: recoveryCodes.pop() })
    const policy = (persons: string, agents: string) => ({ id, writePolicy: { persons, agents } })
    expect((await send('PATCH', '/api/integrations', policy('no', 'ask'))).status).toBe(200)
    expect((await send('PATCH', '/api/integrations', policy('ask', 'ask'))).status).toBe(400)
    expect((await send('PATCH', '/api/integrations', policy('no', 'yes'))).status).toBe(400)
    expect((await send('PATCH', '/api/integrations', { ...policy('yes', 'no'), ...proof() })).status).toBe(200)
    // A new key for it is lasting access, too.
    expect((await send('POST', '/api/keys', { integrationId: id, expiresAt: inDays(90) })).status).toBe(400)
    expect((await send('PATCH', '/api/integrations', policy('ask', 'no'))).status).toBe(200)
    expect((await send('POST', '/api/keys', { integrationId: id, expiresAt: inDays(90) })).status).toBe(201)
    expect((await send('PATCH', '/api/integrations', { id, isActive: false })).status).toBe(200)
    expect((await send('PATCH', '/api/integrations', { ...policy('ask', 'yes'), isActive: true })).status).toBe(400)
    expect((await send('PATCH', '/api/integrations', { id, isActive: true })).status).toBe(200)
    expect(await create({ preset: 'admin', password: ownerPassword })).toMatchObject({
      status: 400,
      body: { fields: { code: needed } },
    })
    expect(await create({ preset: 'admin', ...proof(), password: 'another' })).toMatchObject({
      body: { fields: { password: 'is not your password' } },
    })
    const spent = proof()
    expect((await create({ preset: 'admin', ...spent })).status).toBe(201)
    expect((await create({ preset: 'admin', ...spent })).status).toBe(400)
    expect((await send('PATCH', '/api/integrations', { id, preset: 'admin', ...proof() })).status).toBe(200)
    // The same for an admin, even if the key expires soon.
    expect((await send('POST', '/api/keys', { integrationId: id, expiresAt: inDays(1) })).status).toBe(400)
    expect((await send('POST', '/api/keys', { integrationId: id, ...proof() })).status).toBe(201)
    // Someone may have paused it because its key leaked.
    expect((await send('PATCH', '/api/integrations', { id, isActive: false })).status).toBe(200)
    expect((await send('PATCH', '/api/integrations', { id, label: 'Shelf' })).status).toBe(200)
    expect((await send('PATCH', '/api/integrations', { id, isActive: true })).status).toBe(400)
    expect((await send('PATCH', '/api/integrations', { id, isActive: true, ...proof() })).status).toBe(200)
  })

  it('is not asked for by the operator, who gives agents access from the command line', async () => {
    const service = await start()
    await secured(service)
    const { users } = (await service.operator('GET', '/api/operator/users')).body as { users?: { userId: string }[] }
    const send = (path: string, body: object) =>
      service.send('POST', path, {
        bearer: service.app.operatorToken.token,
        headers: { 'x-holdfast-user': users?.[0]?.userId ?? '' },
        body,
      })
    const { status, body } = await send('/api/integrations', { label: 'Desk', preset: 'admin' })
    expect(status).toBe(201)
    const { id } = body['integration'] as { id: string }
    expect((await send('/api/keys', { integrationId: id })).status).toBe(201)
  })

  it('is not used up by a new password that is too weak', async () => {
    const service = await start()
    const { cookie, secret } = await secured(service)
    const change = (newPassword: string) => {
      const body = { password: ownerPassword, newPassword, code: codeAt(service, secret) }
      return service.send('PATCH', '/api/auth/sign-in', { cookie, headers: own, body })
    }
    expect(await change('Password123')).toMatchObject({
      status: 400,
      body: { fields: { newPassword: expect.any(String) } },
    })
    expect((await change('mussels under a dry bridge')).status).toBe(200)
  })

  it('is throttled during confirmation too', async () => {
    const service = await start()
    const { post } = await begin(service)
    await post('', { password: ownerPassword })
    const statuses: number[] = []
    for (let tries = 0; tries < 6; tries++) statuses.push((await post('/confirm', { code: `00000${tries}` })).status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  })

  it('is removed with password and code, and ends the other sessions', async () => {
    const service = await start()
    const { cookie, post, secret, recoveryCodes } = await secured(service)
    const other = (await logIn(service, recoveryCodes[0])).cookie
    const code = codeAt(service, secret)
    expect(await post('', { password: ownerPassword })).toMatchObject({ status: 403 })
    expect((await post('/delete', { password: 'another', code })).body).toMatchObject({
      fields: { password: expect.any(String) },
    })
    expect((await post('/delete', { password: ownerPassword, code: '000000' })).body).toMatchObject({
      fields: { code: expect.any(String) },
    })
    expect(await post('/delete', { password: ownerPassword, code })).toMatchObject({
      status: 200,
      body: { deleted: true, endedSessions: 1 },
    })
    expect((await service.send('GET', '/api/auth/session', { cookie: other })).status).toBe(401)
    expect((await service.send('GET', '/api/auth/session', { cookie })).status).toBe(200)
    expect((await logIn(service)).status).toBe(200)
    expect(await post('/delete', { password: ownerPassword, code: recoveryCodes[1] })).toMatchObject({ status: 403 })
    const { db } = service.app.services
    expect(await db.read.selectFrom('recoveryCodes').selectAll().execute()).toEqual([])
  })

  it('gets new recovery codes with password and code; the former ones stop working', async () => {
    const service = await start()
    const { post, secret, recoveryCodes } = await secured(service)
    const given = { password: ownerPassword, code: codeAt(service, secret) }
    expect((await post('/recovery-codes', { ...given, code: '000000' })).status).toBe(400)
    const { body } = await post('/recovery-codes', given)
    const renewed = body['recoveryCodes'] as string[]
    expect(await logIn(service, recoveryCodes[0])).toMatchObject(codeWrong)
    expect((await logIn(service, renewed[0])).status).toBe(200)
  })

  it('is confirmed within 15 minutes, once, and only with the latest secret', async () => {
    const service = await start()
    const { post } = await begin(service)
    const first = textOf((await post('', { password: ownerPassword })).body['secret'])
    const second = textOf((await post('', { password: ownerPassword, startOver: true })).body['secret'])
    expect((await post('/confirm', { code: codeAt(service, first) })).status).toBe(400)
    service.clock.now += 15 * 60_000
    expect((await post('/confirm', { code: codeAt(service, second) })).status).toBe(403)
    const third = textOf((await post('', { password: ownerPassword })).body['secret'])
    const code = codeAt(service, third)
    const both = await Promise.all([post('/confirm', { code }), post('/confirm', { code })])
    expect(both.map(({ status }) => status).toSorted(ascending)).toEqual([200, 403])
  })

  it('is set up once by two calls, concurrent or not, and keeps the secret that was shown', async () => {
    const service = await start()
    const { post } = await begin(service)
    const both = await Promise.all([post('', { password: ownerPassword }), post('', { password: ownerPassword })])
    expect(both.map(({ status }) => status).toSorted(ascending)).toEqual([201, 409])
    const secret = textOf(both.find(({ status }) => status === 201)?.body['secret'])
    const later = await post('', { password: ownerPassword })
    expect(later).toMatchObject({ status: 409, body: { error: expect.stringMatching(/Finish it there/) as string } })
    expect((await post('/confirm', { code: codeAt(service, secret) })).status).toBe(200)
    expect((await post('', { password: ownerPassword, startOver: true })).status).toBe(403)
  })

  it('can be started over even if it was started by a server whose clock is ahead', async () => {
    const service = await start()
    const { post } = await begin(service)
    service.clock.now += 60_000
    expect((await post('', { password: ownerPassword })).status).toBe(201)
    service.clock.now -= 60_000
    expect((await post('', { password: ownerPassword })).status).toBe(409)
    expect((await post('', { password: ownerPassword, startOver: true })).status).toBe(201)
  })

  it('is encrypted: neither its secret nor its codes are in plain text in the database', async () => {
    const service = await start()
    const { secret, recoveryCodes } = await secured(service)
    const { db } = service.app.services
    const factors = await db.read.selectFrom('secondFactors').selectAll().execute()
    const codes = await db.read.selectFrom('recoveryCodes').selectAll().execute()
    expect([factors.length, codes.length]).toEqual([1, 10])
    const bytes = [...factors.map((row) => row.secret), ...codes.map(({ codeHash }) => codeHash)]
    const stored = bytes.map((cell) => Buffer.from(cell).toString('latin1')).join('\n')
    const raw = Buffer.from(Secret.fromBase32(secret).buffer).toString('latin1')
    const plain = recoveryCodes.map((code) => code.replaceAll('-', ''))
    for (const text of [secret, raw, ...recoveryCodes, ...plain]) expect(stored).not.toContain(text)
  })

  it('can be removed by the operator if it was lost', async () => {
    const service = await start()
    const { cookie } = await secured(service)
    const reset = (email: string) => service.operator('POST', '/api/operator/users/reset', { email, factors: true })
    expect((await reset('nobody@example.org')).status).toBe(404)
    expect(await reset(ownerEmail)).toMatchObject({ status: 200, body: { removedFactor: true, endedSessions: 1 } })
    expect((await service.send('GET', '/api/auth/session', { cookie })).status).toBe(401)
    expect((await logIn(service)).status).toBe(200)
    expect(await reset(ownerEmail)).toMatchObject({ body: { removedFactor: false } })
  })

  it('is not required for tokens, which are for programs', async () => {
    const service = await start()
    const { dashboardToken: bearer } = await service.setUp()
    const cookie = (await logIn(service)).cookie ?? ''
    const post = (path: string, body: object) =>
      service.send('POST', `/api/auth/totp${path}`, { cookie, headers: own, body })
    const secret = textOf((await post('', { password: ownerPassword })).body['secret'])
    await post('/confirm', { code: codeAt(service, secret) })
    expect((await service.send('GET', '/api/vaults', { bearer })).status).toBe(200)
  })
})
