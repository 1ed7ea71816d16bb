import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startDashboardApp, ascending } from '../../test/dashboard-app.ts'
import { eachDialect, onPostgres } from '../../test/dialects.ts'
import { lockUser } from '../auth/store.ts'
import { issueAgentKey } from './key-store.ts'
import { startWithOwner, addStranger, type Integration } from './testing/start-with-owner.ts'

eachDialect('integrations', (dialect) => {
  const start = () => startDashboardApp(dialect)

  it('use the default vault by default', async () => {
    const { owner, mine, newKey, write } = await startWithOwner(start)
    const made = await mine('POST', '/api/integrations', { label: 'Desk', agentType: 'editor', preset: 'read_write' })
    expect(made).toMatchObject({
      status: 201,
      body: {
        integration: {
          label: 'Desk',
          agentType: 'editor',
          agentId: null,
          preset: 'read_write',
          restrictToVault: false,
          vaults: [],
          primaryVaultId: owner.vaultId,
          isActive: true,
          keyCount: 0,
          version: 1,
        },
      },
    })
    const { id } = made.body.integration as unknown as Integration
    const { agentKey } = await newKey(id)
    expect(await write(agentKey)).toMatchObject({ status: 201, body: { vaultId: owner.vaultId } })
    expect((await mine('GET', `/api/integrations?id=${id}`)).body).toMatchObject({
      integration: { id, label: 'Desk', keyCount: 1 },
    })
  })

  it('may only propose changes of what people wrote, until a person sets another policy', async () => {
    const { mine, newKey, as } = await startWithOwner(start)
    const made = await mine('POST', '/api/integrations', { label: 'Desk', preset: 'read_write' })
    const { id } = made.body.integration as unknown as Integration
    expect(made.body).toMatchObject({ integration: { writePolicy: { persons: 'ask', agents: 'yes' } } })
    const { agentKey } = await newKey(id)
    const writePolicy = { persons: 'no', agents: 'ask' }
    await mine('PATCH', '/api/integrations', { id, writePolicy })
    await mine('PATCH', '/api/integrations', { id, label: 'Laptop' })
    expect((await mine('GET', `/api/integrations?id=${id}`)).body).toMatchObject({ integration: { writePolicy } })
    expect((await as(agentKey)('GET', '/api/agent/info')).body).toMatchObject({ label: 'Laptop', writePolicy })
    expect((await mine('PATCH', '/api/integrations', { id, writePolicy: { persons: 'maybe' } })).status).toBe(400)
  })

  it('are listed newest first, page by page, without keys or secrets', async () => {
    const { owner, mine, create } = await startWithOwner(start)
    const { id } = await create({ label: 'Second' })
    const { body } = await mine('GET', '/api/integrations?limit=1')
    expect(body).toMatchObject({ integrations: [{ id }], total: 2, limit: 1, offset: 0, hasMore: true })
    expect((await mine('GET', '/api/integrations?limit=1&offset=1')).body).toMatchObject({
      integrations: [{ id: owner.integrationId, keyCount: 1 }],
      hasMore: false,
    })
    expect(JSON.stringify(body)).not.toMatch(/svc_|wrapped/)
  })

  it('restrict their keys to the vaults in the access list, with separate presets', async () => {
    const { owner, create, addVault, newKey, write, as } = await startWithOwner(start)
    const [work, diary] = [await addVault('Work'), await addVault('Diary')]
    const { id, primaryVaultId } = await create({
      restrictToVault: true,
      vaults: [{ vaultId: work }, { vaultId: diary, preset: 'read_only' }],
    })
    expect(primaryVaultId).toBe(work)
    const { agentKey } = await newKey(id)
    expect(await write(agentKey)).toMatchObject({ status: 201, body: { vaultId: work } })
    expect((await write(agentKey, diary)).body.error).toMatch(/^SCOPE_DENIED: .*"write"/)
    expect((await write(agentKey, owner.vaultId)).body.error).toMatch(/^SCOPE_DENIED: .*no access/)
    const { body } = await as(agentKey)('POST', '/api/agent/list-vaults', {})
    expect(body.total).toBe(2)
  })

  it('change with effect from the next call of their keys', async () => {
    const { mine, create, addVault, newKey, write } = await startWithOwner(start)
    const work = await addVault('Work')
    const { id } = await create({})
    const { agentKey } = await newKey(id)
    const statusAfter = async (patch: object) => {
      await mine('PATCH', '/api/integrations', { id, ...patch })
      return (await write(agentKey)).status
    }
    expect(await statusAfter({ preset: 'read_only' })).toBe(403)
    expect(await statusAfter({ preset: 'admin' })).toBe(201)
    expect(await statusAfter({ isActive: false })).toBe(403)
    expect(await statusAfter({ isActive: true })).toBe(201)
    expect(await statusAfter({ restrictToVault: true, vaults: [{ vaultId: work, preset: 'read_only' }] })).toBe(403)
    const { body } = await mine('PATCH', '/api/integrations', { id, vaults: [{ vaultId: work }], agentId: 'desk-1' })
    expect(body).toMatchObject({
      integration: { vaults: [{ vaultId: work, preset: null }], primaryVaultId: work, agentId: 'desk-1', version: 7 },
    })
    expect((await write(agentKey)).body).toMatchObject({ vaultId: work })
    expect((await mine('PATCH', '/api/integrations', { id, agentId: null, primaryVaultId: null })).body).toMatchObject({
      integration: { agentId: null, primaryVaultId: null, label: 'Desk' },
    })
    // No primary vault is a choice, too: a change of something else leaves it.
    for (const patch of [{ label: 'Laptop' }, { vaults: [{ vaultId: work, preset: 'read_only' }] }])
      expect((await mine('PATCH', '/api/integrations', { id, ...patch })).body).toMatchObject({
        integration: { primaryVaultId: null },
      })
  })

  it('refuse contradictory access lists', async () => {
    const { owner, mine, addVault } = await startWithOwner(start)
    const work = await addVault('Work')
    const cases: [fields: object, field: string][] = [
      [{ restrictToVault: true }, 'vaults'],
      [{ vaults: [{ vaultId: work }, { vaultId: work }] }, 'vaults'],
      [{ restrictToVault: true, vaults: [{ vaultId: work }], primaryVaultId: owner.vaultId }, 'primaryVaultId'],
      [{ vaults: [{ vaultId: work, preset: 'owner' }] }, 'vaults.0.preset'],
      [{ preset: 'owner' }, 'preset'],
      [{ label: '' }, 'label'],
      [{ label: 'user' }, 'label'],
      [{ label: '*' }, 'label'],
    ]
    for (const [fields, field] of cases) {
      const refused = await mine('POST', '/api/integrations', { label: 'Desk', preset: 'admin', ...fields })
      expect([field, refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([field, 400, [field]])
    }
    expect((await mine('GET', '/api/integrations')).body.total).toBe(1)
  })

  it('can be updated with the expected version', async () => {
    const { mine, create } = await startWithOwner(start)
    const { id } = await create({})
    const change = (label: string, expectedVersion: number) =>
      mine('PATCH', '/api/integrations', { id, label, expectedVersion })
    const both = await Promise.all([change('First', 1), change('Second', 1)])
    expect(both.map(({ status }) => status).toSorted(ascending)).toEqual([200, 409])
    expect((await change('Third', 2)).status).toBe(200)
  })

  it('are deleted with their keys, access list and wrapped master key', async () => {
    const { app, mine, create, addVault, newKey, as } = await startWithOwner(start)
    const work = await addVault('Work')
    const { id } = await create({ restrictToVault: true, vaults: [{ vaultId: work }] })
    const { agentKey } = await newKey(id)
    expect(await mine('DELETE', `/api/integrations?id=${id}`)).toMatchObject({
      status: 200,
      body: { id, deleted: true },
    })
    expect((await as(agentKey)('GET', '/api/agent/info')).status).toBe(401)
    expect(await mine('DELETE', `/api/integrations?id=${id}`)).toMatchObject({
      status: 404,
      body: { error: 'Integration not found' },
    })
    const { read } = app.services.db
    expect(await read.selectFrom('agentKeys').selectAll().where('integrationId', '=', id).execute()).toEqual([])
    expect(await read.selectFrom('vaultGrants').selectAll().execute()).toEqual([])
    expect(await read.selectFrom('integrations').selectAll().where('id', '=', id).execute()).toEqual([])
  })

  it('of others cannot be seen, changed, deleted or given keys, nor can their vaults be granted', async () => {
    const service = await startWithOwner(start)
    const { owner, mine, as } = service
    const stranger = await addStranger(service)
    const hers = as(stranger.dashboardToken)
    const id = owner.integrationId
    const refusals = [
      await hers('GET', `/api/integrations?id=${id}`),
      await hers('PATCH', '/api/integrations', { id, preset: 'admin' }),
      await hers('DELETE', `/api/integrations?id=${id}`),
      await hers('POST', '/api/keys', { integrationId: id }),
      await hers('PATCH', '/api/integrations', { id: stranger.vaultId, preset: 'admin' }),
    ]
    for (const refused of refusals)
      expect(refused).toMatchObject({ status: 404, body: { error: 'Integration not found' } })
    expect((await hers('GET', '/api/integrations')).body.total).toBe(0)
    for (const grant of [{ vaults: [{ vaultId: stranger.vaultId }] }, { primaryVaultId: stranger.vaultId }]) {
      const fields = { label: 'Desk', preset: 'admin', ...grant }
      const refused = await mine('POST', '/api/integrations', fields)
      expect(refused).toMatchObject({ status: 404, body: { error: 'Vault not found' } })
    }
    expect((await as(owner.agentKey)('GET', '/api/agent/info')).status).toBe(200)
  })
})

onPostgres('an integration that is deleted while it gets a key', (dialect) => {
  it('leaves no key behind', async () => {
    const { app, owner, mine, create } = await startWithOwner(() => startDashboardApp(dialect))
    const { id: integrationId } = await create({})
    const { db, instance, now } = app.services
    const locked = Promise.withResolvers<void>()
    const [, deleted] = await Promise.all([
      db.write(async (tx) => {
        await lockUser(tx, owner.userId)
        locked.resolve()
        await issueAgentKey(tx, instance, {
          userId: owner.userId,
          integrationId,
          label: undefined,
          expiresAt: undefined,
          at: now(),
        })
        // Gives the concurrent call time to finish first.
        await sql`select pg_sleep(0.3)`.execute(tx)
      }),
      locked.promise.then(() => mine('DELETE', `/api/integrations?id=${integrationId}`)),
    ])
    expect(deleted.status).toBe(200)
    const orphans = db.read.selectFrom('agentKeys').select('id').where('integrationId', '=', integrationId)
    expect(await orphans.execute()).toEqual([])
  })
})
