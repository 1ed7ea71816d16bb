import { expect, it } from 'vitest'
import { startDashboardApp, textOf } from '../../test/dashboard-app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { startWithOwner, addStranger } from './testing/start-with-owner.ts'

eachDialect('agent keys', (dialect) => {
  const start = () => startDashboardApp(dialect)

  it('are shown once, and later only their last four characters', async () => {
    const { app, owner, mine } = await startWithOwner(start)
    const made = await mine('POST', '/api/keys', { integrationId: owner.integrationId, label: 'Laptop' })
    expect(made.status).toBe(201)
    const agentKey = textOf(made.body.agentKey)
    expect(agentKey).toMatch(/^svc_\w{49}$/)
    expect(made.body.key).toMatchObject({ label: 'Laptop', last4: agentKey.slice(-4), state: 'valid', revokedAt: null })
    const { id } = made.body.key as unknown as { id: string }
    const listed = await mine('GET', `/api/keys?integrationId=${owner.integrationId}`)
    expect(listed.body).toMatchObject({ total: 2, keys: [{ id, label: 'Laptop' }, { label: 'First agent' }] })
    expect((await mine('GET', `/api/keys?id=${id}`)).body).toEqual({ key: made.body.key })
    expect((await mine('GET', `/api/keys?integrationId=${id}`)).body.total).toBe(0)
    const rows = await app.services.db.read.selectFrom('agentKeys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(/svc_|Laptop/)
  })

  it('cannot have a label of which nothing is seen, or that shows as another', async () => {
    const { owner, mine } = await startWithOwner(start)
    for (const label of [' ', '\u200b', '\u202epotpal', 'Laptop\u200b', 'Laptop\nDesktop'])
      expect(await mine('POST', '/api/keys', { integrationId: owner.integrationId, label })).toMatchObject({
        status: 400,
        body: { fields: { label: expect.stringMatching(/^must (not be blank|be on one line)/) } },
      })
    expect((await mine('GET', `/api/keys?integrationId=${owner.integrationId}`)).body.total).toBe(1)
  })

  it('are refused as soon as they are revoked, also repeatedly', async () => {
    const { clock, owner, as, mine } = await startWithOwner(start)
    const { body } = await mine('GET', '/api/keys')
    const [key] = body.keys as unknown as { id: string }[]
    const path = `/api/keys?id=${key?.id}`
    expect((await as(owner.agentKey)('GET', '/api/agent/info')).status).toBe(200)
    const first = await mine('DELETE', path)
    expect(first).toMatchObject({ status: 200, body: { id: key?.id, deleted: true } })
    expect((await as(owner.agentKey)('GET', '/api/agent/info')).status).toBe(401)
    const revoked = await mine('GET', path)
    clock.now += 60_000
    expect((await mine('DELETE', path)).body).toEqual(first.body)
    expect((await mine('GET', path)).body).toEqual(revoked.body)
    expect(revoked.body.key).toMatchObject({ state: 'revoked', revokedAt: '2026-11-21T09:00:00.000Z' })
  })

  it('expire at their time', async () => {
    const { clock, owner, as, mine, newKey } = await startWithOwner(start)
    const integrationId = owner.integrationId
    const past = await mine('POST', '/api/keys', { integrationId, expiresAt: '2026-11-21T09:00:00.000Z' })
    expect(past).toMatchObject({ status: 400, body: { fields: { expiresAt: 'must be in the future' } } })
    const { id, agentKey } = await newKey(integrationId, { expiresAt: '2026-11-21T11:00:00+01:00' })
    clock.now = Date.parse('2026-11-21T09:59:59.999Z')
    expect((await as(agentKey)('GET', '/api/agent/info')).status).toBe(200)
    clock.now++
    expect((await as(agentKey)('GET', '/api/agent/info')).status).toBe(401)
    expect((await mine('GET', `/api/keys?id=${id}`)).body.key).toMatchObject({
      state: 'expired',
      expiresAt: '2026-11-21T10:00:00.000Z',
    })
    expect((await mine('GET', `/api/integrations?id=${integrationId}`)).body.integration).toMatchObject({ keyCount: 1 })
  })

  it('of others cannot be seen or revoked', async () => {
    const service = await startWithOwner(start)
    const { owner, as, mine } = service
    const hers = as((await addStranger(service)).dashboardToken)
    const [key] = (await mine('GET', '/api/keys')).body.keys as unknown as { id: string }[]
    for (const method of ['GET', 'DELETE'] as const)
      expect(await hers(method, `/api/keys?id=${key?.id}`)).toMatchObject({
        status: 404,
        body: { error: 'Key not found' },
      })
    expect((await hers('GET', '/api/keys')).body.total).toBe(0)
    expect((await hers('GET', `/api/keys?integrationId=${owner.integrationId}`)).body.total).toBe(0)
    expect((await as(owner.agentKey)('GET', '/api/agent/info')).status).toBe(200)
  })

  it('show at once when they were last used', async () => {
    const { owner, as, mine } = await startWithOwner(start)
    await as(owner.agentKey)('GET', '/api/agent/info')
    const lastUsedAt = '2026-11-21T09:00:00.000Z'
    expect((await mine('GET', '/api/keys')).body.keys).toMatchObject([{ lastUsedAt }])
    expect((await mine('GET', '/api/integrations')).body.integrations).toMatchObject([{ lastUsedAt }])
  })
})
