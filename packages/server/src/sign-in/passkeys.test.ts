import { Secret, TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import {
  ascending,
  ownerEmail,
  ownerPassword,
  startDashboardApp,
  textOf,
  type DashboardApp,
  type TestResponse,
} from '../../test/dashboard-app.ts'
import { eachDialect } from '../../test/dialects.ts'
import {
  makePasskeyDevice,
  type CreationOptions,
  type PasskeyDevice,
  type RequestOptions,
} from '../../test/passkey-device.ts'
import type { JsonValue } from '../core/json.ts'

const own = { 'x-requested-with': 'holdfast' }
const minute = 60_000
const refused = { status: 401, body: { error: "This passkey isn't registered here" }, cookie: undefined }

/** The caller, by cookie or token. */
type Caller = { cookie: string | undefined; headers: Record<string, string> } | { bearer: string }

type Passkey = Record<string, JsonValue>

const passwordLogin = ({ send }: DashboardApp) =>
  send('POST', '/api/auth/login', { body: { email: ownerEmail, password: ownerPassword } })

async function begin(service: DashboardApp, who: Caller, given: object = {}): Promise<CreationOptions> {
  const body = { password: ownerPassword, ...given }
  const answer = await service.send('POST', '/api/auth/passkeys/begin', { ...who, body })
  expect(answer.status).toBe(200)
  return answer.body['options'] as unknown as CreationOptions
}

const add = ({ send }: DashboardApp, who: Caller, body: object) => send('POST', '/api/auth/passkeys', { ...who, body })

async function challengeOf({ send }: DashboardApp): Promise<RequestOptions> {
  return (await send('GET', '/api/auth/passkeys/challenge')).body['options'] as unknown as RequestOptions
}

const enter = ({ send }: DashboardApp, body: object) => send('POST', '/api/auth/passkeys/login', { body })

type Quirks = Parameters<PasskeyDevice['get']>[1]

const signIn = async (service: DashboardApp, device: PasskeyDevice, quirks?: Quirks): Promise<TestResponse> =>
  enter(service, device.get(await challengeOf(service), quirks))

const listOf = async ({ send }: DashboardApp, who: Caller): Promise<Passkey[]> =>
  (await send('GET', '/api/auth/passkeys', who)).body['passkeys'] as Passkey[]

const isOpen = async ({ send }: DashboardApp, cookie: string | undefined) =>
  (await send('GET', '/api/auth/session', { cookie })).status === 200

async function signedIn(service: DashboardApp): Promise<Caller & { cookie: string | undefined }> {
  await service.setUp()
  return { cookie: (await passwordLogin(service)).cookie, headers: own }
}

/** A user with one passkey. */
async function withPasskey(service: DashboardApp, counter = 0) {
  const who = await signedIn(service)
  const device = makePasskeyDevice()
  const made = device.create(await begin(service, who), { counter })
  const { body } = await add(service, who, { ...made, name: 'Laptop' })
  return { who, device, id: textOf((body['passkey'] as Passkey)['id']) }
}

async function makeGrace(service: DashboardApp): Promise<Caller> {
  const account = { email: 'grace@example.org', password: ownerPassword }
  return { bearer: textOf((await service.operator('POST', '/api/operator/users', account)).body['dashboardToken']) }
}

eachDialect('a passkey', (dialect) => {
  const start = () => startDashboardApp(dialect)

  it('is added with the password, and signs in without a name or a password', async () => {
    const service = await start()
    const who = await signedIn(service)
    const device = makePasskeyDevice()
    const made = device.create(await begin(service, who))
    expect(await add(service, who, { ...made, name: 'Laptop' })).toMatchObject({
      status: 201,
      body: { passkey: { name: 'Laptop', createdAt: '2026-11-21T09:00:00.000Z', lastUsedAt: null } },
    })
    service.clock.now += minute
    const answer = await signIn(service, device)
    expect(answer).toMatchObject({ status: 200, body: { user: { email: ownerEmail } } })
    expect(answer.cookie).toMatch(/^holdfast=hfc_\w{49}$/)
    expect(await isOpen(service, answer.cookie)).toBe(true)
    expect(await listOf(service, who)).toMatchObject([{ name: 'Laptop', lastUsedAt: '2026-11-21T09:01:00.000Z' }])
  })

  it('is named after the browser by default, and can be renamed', async () => {
    const service = await start()
    const who = await signedIn(service)
    const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' }
    const made = makePasskeyDevice().create(await begin(service, who))
    const named = { ...who, headers: { ...own, ...agent }, body: made }
    const { body } = await service.send('POST', '/api/auth/passkeys', named)
    const { id, name } = body['passkey'] as Passkey
    expect(name).toBe('Firefox on Linux')
    const rename = { ...who, body: { id, name: 'Desk' } }
    expect(await service.send('PATCH', '/api/auth/passkeys', rename)).toMatchObject({
      status: 200,
      body: { passkey: { id, name: 'Desk' } },
    })
    expect(await listOf(service, who)).toMatchObject([{ id, name: 'Desk' }])
  })

  it('can only be added with the password, and the code if there is a second factor, and replaces both at sign-in', async () => {
    const service = await start()
    const { who, device } = await withPasskey(service)
    const post = (path: string, body: object) => service.send('POST', `/api/auth${path}`, { ...who, body })
    expect(await post('/passkeys/begin', { password: 'another' })).toMatchObject({
      status: 400,
      body: { fields: { password: 'is not your password' } },
    })
    const secret = Secret.fromBase32(textOf((await post('/totp', { password: ownerPassword })).body['secret']))
    const codeNow = () => new TOTP({ secret }).generate({ timestamp: service.clock.now })
    await post('/totp/confirm', { code: codeNow() })
    service.clock.now += minute
    for (const code of [undefined, '000000'])
      expect(await post('/passkeys/begin', { password: ownerPassword, code })).toMatchObject({
        status: 400,
        body: { fields: { code: expect.any(String) } },
      })
    expect((await post('/passkeys/begin', { password: ownerPassword, code: codeNow() })).status).toBe(200)
    expect((await passwordLogin(service)).status).toBe(400)
    expect((await signIn(service, device)).status).toBe(200)
  })

  it('is accepted only at its own address, for its own site, and if the device has verified the user', async () => {
    const service = await start()
    const { who, device } = await withPasskey(service)
    const wrongs = [
      { origin: 'http://localhost:9000' },
      { origin: 'https://localhost' },
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { isVerified: false },
    ]
    for (const quirks of wrongs) {
      expect([quirks, await signIn(service, device, quirks)]).toMatchObject([quirks, refused])
      const made = makePasskeyDevice().create(await begin(service, who), quirks)
      expect([quirks, await add(service, who, made)]).toMatchObject([
        quirks,
        { status: 400, body: { fields: { attestationObject: expect.any(String) } } },
      ])
    }
    service.clock.now += minute
    expect((await signIn(service, device)).status).toBe(200)
  })

  it('can use each challenge only once', async () => {
    const service = await start()
    const { who, device } = await withPasskey(service)
    const answer = device.get(await challengeOf(service))
    expect((await enter(service, answer)).status).toBe(200)
    expect(await enter(service, answer)).toMatchObject(refused)
    const other = device.get(await challengeOf(service))
    const both = await Promise.all([enter(service, other), enter(service, other)])
    expect(both.map(({ status }) => status).toSorted(ascending)).toEqual([200, 401])
    const options = await begin(service, who)
    expect((await add(service, who, makePasskeyDevice().create(options))).status).toBe(201)
    expect(await add(service, who, makePasskeyDevice().create(options))).toMatchObject({
      status: 400,
      body: { fields: { clientDataJSON: expect.any(String) } },
    })
  })

  it('cannot use a challenge that is five minutes old, forged, or for another purpose', async () => {
    const service = await start()
    const { who, device } = await withPasskey(service)
    const [asked, begun] = [await challengeOf(service), await begin(service, who)]
    expect(await enter(service, device.get({ ...asked, challenge: begun.challenge }))).toMatchObject(refused)
    const foreign = Buffer.alloc(38, 7).toString('base64url')
    expect(await enter(service, device.get({ ...asked, challenge: foreign }))).toMatchObject(refused)
    const crossed = makePasskeyDevice().create({ ...begun, challenge: asked.challenge })
    expect((await add(service, who, crossed)).status).toBe(400)
    service.clock.now += 5 * minute
    expect(await enter(service, device.get(asked))).toMatchObject(refused)
    expect((await add(service, who, makePasskeyDevice().create(begun))).status).toBe(400)
    expect((await signIn(service, device)).status).toBe(200)
  })

  it('is added only in the session that has shown the password', async () => {
    const service = await start()
    const who = await signedIn(service)
    const other = { cookie: (await passwordLogin(service)).cookie, headers: own }
    const made = makePasskeyDevice().create(await begin(service, who))
    expect((await add(service, other, made)).status).toBe(400)
    expect((await add(service, await makeGrace(service), made)).status).toBe(400)
    expect((await add(service, who, made)).status).toBe(201)
  })

  it('cannot be used, seen, renamed or removed by another user', async () => {
    const service = await start()
    const { who, device, id } = await withPasskey(service)
    const grace = await makeGrace(service)
    const hers = makePasskeyDevice()
    await add(service, grace, hers.create(await begin(service, grace)))
    const asked = await challengeOf(service)
    const { userHandle } = hers.get(asked)
    expect(await enter(service, { ...device.get(asked), userHandle })).toMatchObject(refused)
    const swapped = { ...hers.get(asked), credentialId: device.credentialId, userHandle: device.get(asked).userHandle }
    expect(await enter(service, swapped)).toMatchObject(refused)
    // With the id that Ada's device uses, and another key.
    const taken = { ...device.create(await begin(service, grace)) }
    expect(await add(service, grace, taken)).toMatchObject({
      status: 400,
      body: { fields: { credentialId: expect.any(String) } },
    })
    const missing = { status: 404, body: { error: 'Passkey not found' } }
    const rename = { ...grace, body: { id, name: 'Mine' } }
    expect(await service.send('PATCH', '/api/auth/passkeys', rename)).toMatchObject(missing)
    const remove = { ...grace, body: { id, password: ownerPassword } }
    expect(await service.send('POST', '/api/auth/passkeys/delete', remove)).toMatchObject(missing)
    expect(await listOf(service, grace)).toHaveLength(1)
    expect(await listOf(service, who)).toMatchObject([{ id, name: 'Laptop' }])
  })

  it('is removed with the password, and ends the other sessions', async () => {
    const service = await start()
    const { who, device, id } = await withPasskey(service)
    const { cookie: other } = await signIn(service, device)
    const remove = (password: string) =>
      service.send('POST', '/api/auth/passkeys/delete', { ...who, body: { id, password } })
    expect(await remove('another')).toMatchObject({ status: 400, body: { fields: { password: expect.any(String) } } })
    const asked = await challengeOf(service)
    expect(await remove(ownerPassword)).toMatchObject({ status: 200, body: { id, deleted: true, endedSessions: 1 } })
    expect([await isOpen(service, who.cookie), await isOpen(service, other)]).toEqual([true, false])
    expect(await enter(service, device.get(asked))).toMatchObject(refused)
    expect(await enter(service, makePasskeyDevice().get(asked))).toMatchObject({ status: 400 })
    expect((await remove(ownerPassword)).status).toBe(404)
  })

  it('is rejected if its signature counter did not increase: then there is a copy of it', async () => {
    const service = await start()
    const { device } = await withPasskey(service, 5)
    for (const counter of [5, 4, 0]) expect(await signIn(service, device, { counter })).toMatchObject(refused)
    expect((await signIn(service, device, { counter: 6 })).status).toBe(200)
    const [one, two] = [await challengeOf(service), await challengeOf(service)]
    const both = await Promise.all([one, two].map((asked) => enter(service, device.get(asked, { counter: 9 }))))
    expect(both.map(({ status }) => status).toSorted(ascending)).toEqual([200, 401])
    expect(await signIn(service, device, { counter: 9 })).toMatchObject(refused)
    expect((await signIn(service, device, { counter: 10 })).status).toBe(200)
  })

  it('survives a change of password, and can be removed by the operator if it was lost', async () => {
    const service = await start()
    const { who, device } = await withPasskey(service)
    const newPassword = 'mussels under a dry bridge'
    const { cookie } = await signIn(service, device)
    await service.send('PATCH', '/api/auth/sign-in', { ...who, body: { password: ownerPassword, newPassword } })
    expect(await isOpen(service, cookie)).toBe(false)
    expect((await signIn(service, device)).status).toBe(200)
    await service.operator('POST', '/api/operator/users/reset', { email: ownerEmail, password: ownerPassword })
    expect((await signIn(service, device)).status).toBe(200)
    const reset = await service.operator('POST', '/api/operator/users/reset', { email: ownerEmail, factors: true })
    expect(reset).toMatchObject({ status: 200, body: { removedFactor: false, removedPasskeys: 1, endedSessions: 1 } })
    expect(await signIn(service, device)).toMatchObject(refused)
  })

  it('is refused as any other if its user is deleted while they sign in', async () => {
    const service = await start()
    const owner = await signedIn(service)
    const grace = await makeGrace(service)
    const device = makePasskeyDevice()
    await add(service, grace, { ...device.create(await begin(service, grace)), name: 'Laptop' })
    const answer = device.get(await challengeOf(service))
    const { db } = service.app.services
    const write = db.write
    db.write = async (work) => {
      db.write = write
      const { userId } = (await service.send('GET', '/api/auth/session', grace)).body['user'] as { userId: string }
      const body = { userId, email: 'grace@example.org', password: ownerPassword }
      expect((await service.send('POST', '/api/users/delete', { ...owner, body })).status).toBe(200)
      return write(work)
    }
    expect(await enter(service, answer)).toMatchObject(refused)
  })

  it('cannot be guessed: attempts are throttled like passwords', async () => {
    const service = await start()
    const { device } = await withPasskey(service)
    for (let tries = 0; tries < 5; tries++)
      expect(await signIn(service, device, { isVerified: false })).toMatchObject(refused)
    expect((await signIn(service, device)).status).toBe(429)
    service.clock.now += minute
    expect((await signIn(service, device)).status).toBe(200)
  })

  it('stores nothing for requests of strangers, and used challenges expire by themselves', async () => {
    const service = await start()
    const { device } = await withPasskey(service)
    const { db } = service.app.services
    const spent = async () => (await db.read.selectFrom('spentChallenges').selectAll().execute()).length
    expect(await spent()).toBe(1)
    for (let times = 0; times < 3; times++) await challengeOf(service)
    expect(await spent()).toBe(1)
    service.clock.now += 5 * minute
    expect((await signIn(service, device)).status).toBe(200)
    expect(await spent()).toBe(1)
  })

  it('is encrypted: neither its name, nor its id, nor its key is in plain text in the database', async () => {
    const service = await start()
    const { device } = await withPasskey(service)
    const [row] = await service.app.services.db.read.selectFrom('passkeys').selectAll().execute()
    const bytes = [row?.credentialTag, row?.credential, row?.name].map((cell) => Buffer.from(cell ?? []))
    const stored = Buffer.concat(bytes).toString('latin1')
    expect(stored.length).toBeGreaterThan(200)
    const raw = Buffer.from(device.credentialId, 'base64url').toString('latin1')
    const key = [device.publicKey.toString('latin1'), device.publicKey.toString('base64url')]
    for (const text of ['Laptop', 'internal', device.credentialId, raw, ...key]) expect(stored).not.toContain(text)
  })

  it('is logged in its owner’s activity', async () => {
    const service = await start()
    const { who, device, id } = await withPasskey(service)
    await signIn(service, device)
    await signIn(service, device, { isVerified: false })
    await service.send('POST', '/api/auth/passkeys/delete', { ...who, body: { id, password: ownerPassword } })
    await service.app.services.activity.flush()
    const { body } = await service.send('GET', '/api/activity?class=sign-in', who)
    const entries = (body['activity'] as Passkey[]).map(({ operation, actor, status }) => [operation, actor, status])
    expect(entries).toEqual(
      expect.arrayContaining([
        ['begin-passkey', 'person', 200],
        ['create-passkey', 'person', 200],
        ['log-in-with-passkey', 'person', 200],
        ['log-in-with-passkey', 'stranger', 401],
        ['delete-passkey', 'person', 200],
      ]),
    )
  })

  it('is offered if browsers accept it, and the answer says at which address', async () => {
    const service = await start()
    await service.setUp()
    const at = (host: string) => service.send('GET', '/api/auth/passkeys/challenge', { headers: { host } })
    expect((await at('127.0.0.1:8420')).body).toMatchObject({
      origin: 'http://localhost:8420',
      options: { rpId: 'localhost', userVerification: 'required' },
    })
    expect((await at('192.168.1.5:8420')).body).toEqual({ origin: null, options: null })
    const headers = { ...own, host: '192.168.1.5:8420' }
    const password = { password: ownerPassword }
    const { cookie } = await service.send('POST', '/api/auth/login', {
      headers,
      body: { email: ownerEmail, ...password },
    })
    const begun = await service.send('POST', '/api/auth/passkeys/begin', { cookie, headers, body: password })
    expect(begun).toMatchObject({ status: 403, body: { error: expect.stringContaining('HOLDFAST_PUBLIC_URL') } })
  })
})
