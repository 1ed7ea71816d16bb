import { expect, it } from 'vitest'
import { ownerEmail, ownerPassword, startDashboardApp, textOf, type DashboardApp } from '../../test/dashboard-app.ts'
import { eachDialect } from '../../test/dialects.ts'
import type { Database } from '../db/dialect.ts'
import type { Tables } from '../db/schema.ts'

const grace = { email: 'grace@example.org', password: 'another long and private sentence' }

async function statusOf({ send }: DashboardApp, request: { bearer?: string; cookie?: string | undefined }) {
  return (await send('GET', '/api/auth/session', request)).status
}

/** An owner, and Grace with a session, a token, an agent and a memory. */
async function startWithTwo(service: DashboardApp) {
  const { dashboardToken: bearer, userId: ownerId } = await service.setUp()
  const added = (await service.operator('POST', '/api/operator/users', grace)).body
  const userId = textOf(added['userId'])
  const token = textOf(added['dashboardToken'])
  const { cookie } = await logIn(service, grace)
  const as = (path: string, body: object) => service.send('POST', path, { bearer: token, body })
  const { integration } = (await as('/api/integrations', { label: 'Scout', preset: 'admin' })).body
  const { id: integrationId } = integration as { id: string }
  const agentKey = textOf((await as('/api/keys', { integrationId })).body['agentKey'])
  const write = (content: string) =>
    service.send('POST', '/api/agent/write-memory', {
      bearer: agentKey,
      body: { content, vaultId: textOf(added['vaultId']) },
    })
  return { bearer, ownerId, userId, vaultId: textOf(added['vaultId']), token, cookie, agentKey, write }
}

const logIn = ({ send }: DashboardApp, { email, password }: typeof grace) =>
  send('POST', '/api/auth/login', { body: { email, password } })

/** The tables with rows of users. */
async function tablesOfUsers({ read }: Database) {
  const tables = await read.introspection.getTables()
  return tables.filter(({ columns }) => columns.some(({ name }) => name === 'userId'))
}

/** Adds a row to each table with rows of users: of no vault if the table allows that, and otherwise empty where it can be. */
async function fillTables(db: Database, userId: string, vaultId: string) {
  const valueOf = (dataType: string) =>
    /text/i.test(dataType) ? 'x' : /blob|bytea/i.test(dataType) ? Buffer.from('x') : 1
  for (const { name, columns } of await tablesOfUsers(db)) {
    const needed = columns.filter(({ isNullable }) => !isNullable)
    const row = Object.fromEntries(needed.map((column) => [column.name, valueOf(column.dataType)]))
    const own = { ...row, userId, ...(row['vaultId'] !== undefined && { vaultId }) }
    await db.write((tx) =>
      tx
        .insertInto(name as keyof Tables)
        .values(own as never)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    )
  }
}

eachDialect('a disabled user', (dialect) => {
  it('is refused like an unknown one, with every credential, until enabled again', async () => {
    const service = await startDashboardApp(dialect)
    const { bearer, userId, token, cookie, write } = await startWithTwo(service)
    const disable = (disabled: boolean) =>
      service.send('PATCH', '/api/auth/user', { bearer, body: { userId, disabled } })
    const unknown = await logIn(service, { ...grace, email: 'nobody@example.org' })
    const open = async () => [
      await statusOf(service, { bearer: token }),
      await statusOf(service, { cookie }),
      (await write('violets')).status,
      (await logIn(service, grace)).status,
    ]
    expect(await open()).toEqual([200, 200, 201, 200])
    expect(await disable(true)).toMatchObject({
      status: 200,
      body: { user: { email: grace.email, disabledAt: '2026-11-21T09:00:00.000Z' } },
    })
    expect(await open()).toEqual([401, 401, 401, 401])
    const refused = await logIn(service, grace)
    expect([refused.status, refused.body]).toEqual([unknown.status, unknown.body])
    expect(await disable(false)).toMatchObject({ body: { user: { disabledAt: null } } })
    expect(await open()).toEqual([200, 200, 201, 200])
  })

  it('stays disabled since the first time if disabled again', async () => {
    const service = await startDashboardApp(dialect)
    const { bearer, userId } = await startWithTwo(service)
    const change = async (disabled: boolean) =>
      (await service.send('PATCH', '/api/auth/user', { bearer, body: { userId, disabled } })).body['user']
    await change(true)
    service.clock.now += 60_000
    expect(await change(true)).toMatchObject({ disabledAt: '2026-11-21T09:00:00.000Z' })
    await change(false)
    expect(await change(true)).toMatchObject({ disabledAt: '2026-11-21T09:01:00.000Z' })
  })

  it('can only be disabled by the owner, who cannot be disabled', async () => {
    const service = await startDashboardApp(dialect)
    const { bearer, ownerId, userId, token } = await startWithTwo(service)
    const change = (who: string, body: object) => service.send('PATCH', '/api/auth/user', { bearer: who, body })
    expect(await change(token, { userId: ownerId, disabled: true })).toMatchObject({ status: 404 })
    expect(await change(token, { userId, disabled: true })).toMatchObject({ status: 400 })
    for (const disabled of [true, false])
      expect(await change(bearer, { userId: ownerId, disabled })).toMatchObject({
        status: 400,
        body: { fields: { disabled: "the owner of the server can't be disabled or enabled" } },
      })
    expect(await change(bearer, { userId, name: 'Someone else' })).toMatchObject({ status: 400 })
    expect(await change(bearer, { userId: crypto.randomUUID(), disabled: true })).toMatchObject({ status: 404 })
    expect([await statusOf(service, { bearer }), await statusOf(service, { bearer: token })]).toEqual([200, 200])
  })

  it('is listed with the others, for the owner; others see themselves', async () => {
    const service = await startDashboardApp(dialect)
    const { bearer, userId, token } = await startWithTwo(service)
    const list = async (who: string, query = '') =>
      (await service.send('GET', `/api/users${query}`, { bearer: who })).body
    expect(await list(bearer)).toMatchObject({ total: 2, users: [{ email: ownerEmail }, { userId }] })
    expect(await list(token)).toMatchObject({ total: 1, users: [{ userId }] })
    expect(await list(token, `?email=${ownerEmail}`)).toMatchObject({ total: 0, users: [] })
  })
})

eachDialect('deleting a user', (dialect) => {
  it('leaves no row of theirs, and everything of others', async () => {
    const service = await startDashboardApp(dialect)
    const { bearer, userId, vaultId, token, cookie, agentKey, write } = await startWithTwo(service)
    const { db, activity } = service.app.services
    await write('violets under a wet stone')
    await service.send('PATCH', '/api/auth/user', { bearer: token, body: { name: 'Grace' } })
    await fillTables(db, userId, vaultId)
    const body = { userId, email: grace.email.toUpperCase(), password: ownerPassword }
    expect(await service.send('POST', '/api/users/delete', { bearer, body })).toMatchObject({
      status: 200,
      body: { userId, deleted: true },
    })
    await activity.flush()
    const found: string[] = []
    for (const { name } of await tablesOfUsers(db))
      // Servers exchange counts of requests every second, and delete them after five minutes.
      if (name !== 'rateCounts') {
        const rows = db.read.selectFrom(name as keyof Tables).select('userId' as never)
        if ((await rows.where('userId' as never, '=', userId as never).execute()).length > 0) found.push(name)
      }
    expect(found).toEqual([])
    const after = [
      await statusOf(service, { bearer: token }),
      await statusOf(service, { cookie }),
      (await service.send('GET', '/api/agent/info', { bearer: agentKey })).status,
      (await logIn(service, grace)).status,
      await statusOf(service, { bearer }),
    ]
    expect(after).toEqual([401, 401, 401, 401, 200])
    expect((await service.send('GET', '/api/users', { bearer })).body['total']).toBe(1)
    expect((await service.operator('POST', '/api/operator/users', grace)).status).toBe(201)
  })

  it('takes the email address, and everything that the owner signs in with', async () => {
    const service = await startDashboardApp(dialect)
    const { bearer, ownerId, userId, token } = await startWithTwo(service)
    const remove = (who: string, body: object) => service.send('POST', '/api/users/delete', { bearer: who, body })
    const right = { userId, email: grace.email, password: ownerPassword }
    expect(await remove(bearer, { ...right, email: ownerEmail })).toMatchObject({
      status: 400,
      body: { fields: { email: expect.any(String) } },
    })
    for (const password of [undefined, 'another'])
      expect(await remove(bearer, { ...right, password })).toMatchObject({
        status: 400,
        body: { fields: { password: expect.any(String) } },
      })
    expect(await remove(token, { ...right, password: grace.password })).toMatchObject({ status: 403 })
    expect(await remove(bearer, { ...right, userId: ownerId, email: ownerEmail })).toMatchObject({ status: 403 })
    expect(await remove(bearer, { ...right, userId: crypto.randomUUID() })).toMatchObject({ status: 404 })
    expect(await statusOf(service, { bearer: token })).toBe(200)
  })

  it('asks the operator, who can read the keys, for no password', async () => {
    const service = await startDashboardApp(dialect)
    const { userId } = await startWithTwo(service)
    const body = { userId, email: grace.email }
    expect((await service.operator('POST', '/api/users/delete', body)).status).toBe(200)
  })
})
