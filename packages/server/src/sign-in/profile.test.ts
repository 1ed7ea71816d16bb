import { expect, it } from 'vitest'
import { ownerEmail, ownerPassword, startDashboardApp, textOf, type DashboardApp } from '../../test/dashboard-app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { updateProfile } from '../accounts/store.ts'

const newEmail = 'countess@example.org'
const taken = 'grace@example.org'

const logIn = ({ send }: DashboardApp, email: string, password = ownerPassword) =>
  send('POST', '/api/auth/login', { body: { email, password } })

eachDialect('the profile of a person', (dialect) => {
  async function start() {
    const service = await startDashboardApp(dialect)
    const { dashboardToken: bearer, userId } = await service.setUp()
    return {
      service,
      userId,
      bearer,
      nameMe: (name: unknown) => service.send('PATCH', '/api/auth/user', { bearer, body: { name } }),
      updateSignIn: (body: object) => service.send('PATCH', '/api/auth/sign-in', { bearer, body }),
      whoAmI: async () => (await service.send('GET', '/api/auth/session', { bearer })).body['user'],
    }
  }

  it('has a name, which they can set and remove', async () => {
    const { nameMe, whoAmI, service, userId } = await start()
    expect(await whoAmI()).toMatchObject({ email: ownerEmail, name: null })
    expect(await nameMe('Ada Lovelace')).toMatchObject({ status: 200, body: { user: { name: 'Ada Lovelace' } } })
    expect(await whoAmI()).toMatchObject({ userId, email: ownerEmail, name: 'Ada Lovelace' })
    expect((await logIn(service, ownerEmail)).body).toMatchObject({ user: { name: 'Ada Lovelace' } })
    for (const wrong of ['', '   ', 'a'.repeat(101), 7])
      expect(await nameMe(wrong)).toMatchObject({ status: 400, body: { fields: { name: expect.any(String) } } })
    for (const hidden of ['Ada\u001b[2J', 'Ada\u0000', 'Ada\nOwner: Eve', 'Ada\u202eevE', 'Ada\u200b', 'Ada\u2028'])
      expect(await nameMe(hidden)).toMatchObject({
        status: 400,
        body: { error: 'Validation failed: name: must be on one line, without control or invisible characters' },
      })
    expect(await nameMe('Zoë Ångström-李')).toMatchObject({ status: 200 })
    expect(await nameMe(null)).toMatchObject({ body: { user: { name: null } } })
    expect(await whoAmI()).toMatchObject({ name: null })
  })

  it('cannot have a name that passes for the reader, for Holdfast or for an address', async () => {
    const { nameMe, whoAmI } = await start()
    for (const name of ['You', 'y\u043eu', ' user', 'The person', 'Holdfast', 'user:0198c5f0', '*'])
      expect(await nameMe(name)).toMatchObject({
        status: 400,
        body: { fields: { name: expect.stringContaining('must not look like "user"') } },
      })
    for (const name of [taken, 'grace\uff20example.org', `Ada <${ownerEmail}>`])
      expect(await nameMe(name)).toMatchObject({
        status: 400,
        body: { fields: { name: 'must not contain "@"; leave it empty to show your email address' } },
      })
    expect(await whoAmI()).toMatchObject({ name: null })
  })

  it('has the email for sign-in, which takes the password to change; sessions and the name stay', async () => {
    const { updateSignIn, nameMe, whoAmI, service } = await start()
    const { cookie } = await logIn(service, ownerEmail)
    await nameMe('Ada')
    const changed = await updateSignIn({ password: ownerPassword, email: newEmail })
    expect(changed).toMatchObject({ status: 200, body: { user: { email: newEmail, name: 'Ada' } } })
    expect(await whoAmI()).toMatchObject({ email: newEmail, name: 'Ada' })
    expect((await service.send('GET', '/api/auth/session', { cookie })).status).toBe(200)
    expect((await logIn(service, ownerEmail)).status).toBe(401)
    expect((await logIn(service, newEmail.toUpperCase())).status).toBe(200)
    const found = await service.operator('GET', `/api/operator/users?email=${newEmail}`)
    expect(found.body).toMatchObject({ total: 1, users: [{ email: newEmail }] })
  })

  it('can sign in with an address that no new account may have', async () => {
    const { service, userId } = await start()
    const { db, instance } = service.app.services
    const old = newEmail.replace('o', '\u043e')
    await db.write((tx) => updateProfile(tx, instance, userId, { email: old }))
    expect((await logIn(service, old)).status).toBe(200)
  })

  it('rejects a new email without the right password, and invalid or used addresses', async () => {
    const { updateSignIn, whoAmI, service } = await start()
    await service.operator('POST', '/api/operator/users', { email: taken, password: ownerPassword })
    expect(await updateSignIn({ password: 'not this one', email: newEmail })).toMatchObject({
      status: 400,
      body: { fields: { password: 'is not your password' } },
    })
    expect(await updateSignIn({ password: ownerPassword, email: 'nobody' })).toMatchObject({
      status: 400,
      body: { fields: { email: expect.stringContaining('email') } },
    })
    expect(await updateSignIn({ password: ownerPassword, email: taken.toUpperCase() })).toMatchObject({
      status: 400,
      body: { fields: { email: 'already belongs to a user' } },
    })
    // A blank of no width, a wide "g", a Cyrillic "a", and an escape sequence.
    const marks = [
      ['@', '\u200b@'],
      ['g', '\uff47'],
      ['a', '\u0430'],
      ['@', '\u001b[2J@'],
    ] as const
    for (const disguised of marks.map(([plain, mark]) => taken.replace(plain, mark)))
      expect(await updateSignIn({ password: ownerPassword, email: disguised })).toMatchObject({
        status: 400,
        body: { fields: { email: expect.stringContaining('invisible') } },
      })
    expect(await whoAmI()).toMatchObject({ email: ownerEmail })
    // Their own email in other letter case is still theirs.
    const own = ownerEmail.toUpperCase()
    expect(await updateSignIn({ password: ownerPassword, email: own })).toMatchObject({
      body: { user: { email: own } },
    })
  })

  it('makes those wait longer each time who try the addresses of other users', async () => {
    const { updateSignIn, whoAmI, service } = await start()
    await service.operator('POST', '/api/operator/users', { email: taken, password: ownerPassword })
    const ask = (email: string) => updateSignIn({ password: ownerPassword, email })
    // A change to a free address in between resets nothing.
    for (const email of [taken, taken, newEmail, taken, taken, ownerEmail])
      expect((await ask(email)).status).toBe(email === taken ? 400 : 200)
    expect((await ask(taken)).body).toMatchObject({ fields: { email: 'already belongs to a user' } })
    const waiting = await Promise.all([ask(taken), ask(newEmail)])
    expect(waiting.map(({ status }) => status)).toEqual([429, 429])
    expect(waiting[0]?.body).toMatchObject({ retryAfter: 1 })
    expect(await whoAmI()).toMatchObject({ email: ownerEmail })
    // Neither signing in nor another password has to wait.
    expect((await logIn(service, ownerEmail)).status).toBe(200)
    const newPassword = 'mussels under a dry bridge'
    expect((await updateSignIn({ password: ownerPassword, newPassword })).status).toBe(200)
    service.clock.now += 1_000
    expect((await updateSignIn({ password: newPassword, email: taken })).status).toBe(400)
    expect(await updateSignIn({ password: newPassword, email: newEmail })).toMatchObject({ body: { retryAfter: 2 } })
    service.clock.now += 2_000
    expect((await updateSignIn({ password: newPassword, email: newEmail })).status).toBe(200)
  })

  it('changes together with the password, or not at all', async () => {
    const { updateSignIn, whoAmI, service } = await start()
    await service.operator('POST', '/api/operator/users', { email: taken, password: ownerPassword })
    const newPassword = 'mussels under a dry bridge'
    const { cookie } = await logIn(service, ownerEmail)
    expect(await updateSignIn({ password: ownerPassword })).toMatchObject({
      status: 400,
      body: { fields: { '': 'give email, newPassword or both' } },
    })
    expect(await updateSignIn({ password: ownerPassword, newPassword, email: taken })).toMatchObject({
      status: 400,
      body: { fields: { email: 'already belongs to a user' } },
    })
    expect(await updateSignIn({ password: ownerPassword, newPassword: newEmail, email: newEmail })).toMatchObject({
      status: 400,
      body: { fields: { newPassword: 'must not be the email address' } },
    })
    expect((await logIn(service, ownerEmail)).status).toBe(200)
    expect(await updateSignIn({ password: ownerPassword, newPassword, email: newEmail })).toMatchObject({
      status: 200,
      body: { user: { email: newEmail }, endedSessions: 2 },
    })
    expect(await whoAmI()).toMatchObject({ email: newEmail })
    expect((await service.send('GET', '/api/auth/session', { cookie })).status).toBe(401)
    expect((await logIn(service, newEmail, newPassword)).status).toBe(200)
  })

  it('gives an address to only one of two concurrent callers', async () => {
    const { updateSignIn, service } = await start()
    const added = await service.operator('POST', '/api/operator/users', { email: taken, password: ownerPassword })
    const bearer = textOf(added.body['dashboardToken'])
    const body = { password: ownerPassword, email: newEmail }
    const answers = await Promise.all([
      updateSignIn(body),
      service.send('PATCH', '/api/auth/sign-in', { bearer, body }),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({ fields: { email: expect.any(String) } })
  })

  it('is encrypted in the database', async () => {
    const { updateSignIn, nameMe, service } = await start()
    await nameMe('Countess')
    await updateSignIn({ password: ownerPassword, email: newEmail })
    const rows = await service.app.services.db.read.selectFrom('users').selectAll().execute()
    const cells = rows.flatMap((row) => Object.values(row)).filter((value) => value instanceof Uint8Array)
    expect(cells.length).toBeGreaterThan(0)
    for (const cell of cells) expect(Buffer.from(cell).toString('latin1').toLowerCase()).not.toContain('countess')
  })

  it('is logged as a change of the account', async () => {
    const { updateSignIn, nameMe, service, bearer } = await start()
    await nameMe('Ada')
    await updateSignIn({ password: ownerPassword, email: newEmail })
    const { body } = await service.send('GET', '/api/activity?class=sign-in', { bearer })
    const entries = body['activity'] as { operation: string }[]
    expect(entries.map(({ operation }) => operation)).toEqual(expect.arrayContaining(['update-user', 'update-sign-in']))
  })
})
