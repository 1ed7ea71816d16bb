import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startDashboardApp, ownerEmail, ownerPassword, ascending, textOf } from '../../test/dashboard-app.ts'
import { eachDialect } from '../../test/dialects.ts'

const owner = { email: ownerEmail, password: ownerPassword }

eachDialect('set-up', (dialect) => {
  const start = () => startDashboardApp(dialect)

  it('creates an owner whose key can write but not change settings, and whose token opens the dashboard', async () => {
    const { app, send } = await start()
    const { token, file } = app.services.setupToken.issue()
    expect(readFileSync(file, 'utf8').trim()).toBe(token)
    expect(await send('GET', '/api/setup')).toMatchObject({ status: 200, body: { needed: true } })

    const made = await send('POST', '/api/setup', { body: { token, ...owner, vaultName: 'Home', label: 'Desk' } })

    expect(made.status).toBe(201)
    const { userId, vaultId, integrationId, agentKey, dashboardToken } = made.body
    expect(await send('GET', '/api/agent/info', { bearer: textOf(agentKey) })).toMatchObject({
      status: 200,
      body: { userId, vaultId, integrationId, label: 'Desk', scopes: ['read', 'write', 'search'] },
    })
    expect(await send('GET', '/api/auth/session', { bearer: textOf(dashboardToken) })).toMatchObject({
      body: { user: { userId, email: ownerEmail, isOwner: true }, session: null },
    })
    const { body: vaults } = await send('GET', '/api/vaults', { bearer: textOf(dashboardToken) })
    expect(vaults).toMatchObject({ total: 1, vaults: [{ vaultId, name: 'Home', isDefault: true }] })
    const written = await send('POST', '/api/agent/write-memory', {
      bearer: textOf(agentKey),
      body: { content: 'The key lies under the violets', memoryType: 'fact' },
    })
    expect(written).toMatchObject({ status: 201, body: { vaultId } })
    const retention = { bearer: textOf(agentKey), body: { settings: { retention: { archivedDays: 1 } } } }
    expect(await send('POST', '/api/agent/update-settings', retention)).toMatchObject({ status: 403 })
    expect(await send('GET', '/api/setup')).toMatchObject({ body: { needed: false } })
    expect(existsSync(file)).toBe(false)
  })

  it('creates no agent and no key if asked not to', async () => {
    const { app, send } = await start()
    const { token } = app.services.setupToken.issue()
    const { status, body } = await send('POST', '/api/setup', { body: { token, ...owner, withAgent: false } })
    expect([status, Object.keys(body).toSorted()]).toEqual([201, ['dashboardToken', 'userId', 'vaultId']])
    const bearer = textOf(body.dashboardToken)
    expect(await send('GET', '/api/integrations', { bearer })).toMatchObject({ status: 200, body: { total: 0 } })
    expect(await send('GET', '/api/keys', { bearer })).toMatchObject({ status: 200, body: { total: 0 } })
  })

  it('rejects a wrong token, an expired one, and a missing one', async () => {
    const { app, clock, send } = await start()
    const { token } = app.services.setupToken.issue()
    const other = token.endsWith('0') ? `${token.slice(0, -1)}1` : `${token.slice(0, -1)}0`
    expect(await send('POST', '/api/setup', { body: { token: other, ...owner } })).toMatchObject({
      status: 401,
      body: { error: 'Invalid or missing setup token' },
    })
    expect(await send('POST', '/api/setup', { body: owner })).toMatchObject({
      status: 400,
      body: { fields: { token: 'is missing: it is in the file that the server names when it starts' } },
    })
    for (const label of ['user', '*'])
      expect((await send('POST', '/api/setup', { body: { token, ...owner, label } })).status).toBe(400)
    clock.now += 30 * 60_000
    expect((await send('POST', '/api/setup', { body: { token, ...owner } })).status).toBe(401)
    expect(await send('GET', '/api/setup')).toMatchObject({ body: { needed: true } })
  })

  it('happens once: after that, both ways return 403, whatever the token', async () => {
    const { operator, send, setUp } = await start()
    await setUp()
    const second = { email: 'eve@example.org', password: ownerPassword }
    const refusal = { status: 403, body: { error: 'Holdfast is already set up' } }
    expect(await send('POST', '/api/setup', { body: { token: 'x', ...second } })).toMatchObject(refusal)
    expect(await send('POST', '/api/setup', { body: second })).toMatchObject(refusal)
    expect(await operator('POST', '/api/operator/setup', second)).toMatchObject(refusal)
  })

  it('succeeds for only one of two concurrent calls, and stores nothing of the other', async () => {
    const { operator } = await start()
    const both = await Promise.all(
      ['ada@example.org', 'eve@example.org'].map((email) =>
        operator('POST', '/api/operator/setup', { email, password: ownerPassword }),
      ),
    )
    expect(both.map(({ status }) => status).toSorted(ascending)).toEqual([201, 403])
    expect(await operator('GET', '/api/operator/status')).toMatchObject({
      body: { isSetUp: true, users: 1, vaults: 1, memories: 0, vectorsMissing: 0 },
    })
  })

  it('lets only the operator call the operator’s routes', async () => {
    const { send, setUp } = await start()
    expect((await send('POST', '/api/operator/setup', { body: owner })).status).toBe(401)
    const { agentKey, dashboardToken } = await setUp()
    for (const bearer of [agentKey, dashboardToken])
      expect(await send('GET', '/api/operator/status', { bearer })).toMatchObject({
        status: 401,
        body: { error: 'Invalid or missing operator token' },
      })
  })

  it('rejects common passwords', async () => {
    const { operator } = await start()
    for (const password of ['short', 'Password123', 'ADA@example.org', 'p'.repeat(1001)]) {
      const refused = await operator('POST', '/api/operator/setup', { email: ownerEmail, password })
      expect(refused).toMatchObject({ status: 400, body: { fields: { password: expect.any(String) } } })
    }
    const odd = await operator('POST', '/api/operator/setup', { email: 'nobody', password: ownerPassword })
    expect(odd).toMatchObject({ status: 400, body: { fields: { email: 'not an email address' } } })
  })

  it('adds people before and after the owner, each with a vault that the others cannot see', async () => {
    const { operator, send, setUp } = await start()
    const add = (email: string) => operator('POST', '/api/operator/users', { email, password: ownerPassword })
    const early = await add('grace@example.org')
    expect(early.status).toBe(201)
    const { dashboardToken } = await setUp()
    const late = await add('Edsger@example.org')
    expect(late.status).toBe(201)
    expect(await add('edsger@EXAMPLE.org')).toMatchObject({
      status: 400,
      body: { fields: { email: 'already belongs to a user' } },
    })
    const mine = await send('GET', '/api/vaults', { bearer: textOf(early.body.dashboardToken) })
    expect(mine.body).toMatchObject({ total: 1, vaults: [{ vaultId: early.body.vaultId }] })
    expect(await send('GET', `/api/vaults?id=${textOf(early.body.vaultId)}`, { bearer: dashboardToken })).toMatchObject(
      {
        status: 404,
        body: { error: 'Vault not found' },
      },
    )
    const { body } = await operator('GET', '/api/operator/users')
    expect(body).toMatchObject({
      total: 3,
      users: [
        { email: 'grace@example.org', isOwner: false },
        { email: ownerEmail, isOwner: true },
        { email: 'Edsger@example.org', isOwner: false },
      ],
    })
    expect(await operator('GET', '/api/operator/users?email=EDSGER@example.org')).toMatchObject({
      body: { total: 1, users: [{ email: 'Edsger@example.org' }] },
    })
    expect(await operator('GET', '/api/operator/users?email=nobody@example.org')).toMatchObject({
      body: { total: 0, users: [] },
    })
  })

  it('does not give the owner an email that belongs to someone added earlier', async () => {
    const { operator } = await start()
    await operator('POST', '/api/operator/users', owner)
    expect(await operator('POST', '/api/operator/setup', owner)).toMatchObject({
      status: 400,
      body: { fields: { email: 'already belongs to a user' } },
    })
    expect(await operator('GET', '/api/operator/status')).toMatchObject({ body: { isSetUp: false, users: 1 } })
  })
})
