import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { ownerEmail, ownerPassword, startDashboardApp, textOf } from '../../test/dashboard-app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser } from '../../test/factories.ts'
import { startAgent } from '../../test/scenarios.ts'
import type { App } from '../app.ts'
import { asSealed } from '../crypto/cell.ts'

/** Flips the last byte, as a bad disk or a wrong write would. */
async function damage({ services: { db } }: App, table: 'users' | 'integrations', id: string): Promise<Buffer> {
  const { profile } = await db.read.selectFrom(table).select('profile').where('id', '=', id).executeTakeFirstOrThrow()
  const damaged = Buffer.from(profile)
  damaged.writeUInt8(damaged.readUInt8(damaged.length - 1) ^ 1, damaged.length - 1)
  await db.write((tx) =>
    tx
      .updateTable(table)
      .set({ profile: asSealed(damaged) })
      .where('id', '=', id)
      .execute(),
  )
  return damaged
}

const storedIn = async ({ services: { db } }: App, table: 'users' | 'integrations', id: string) =>
  Buffer.from(
    (await db.read.selectFrom(table).select('profile').where('id', '=', id).executeTakeFirstOrThrow()).profile,
  )

eachDialect('a damaged profile', (dialect) => {
  it('of a person lets them sign in and read, and is only replaced by an address that they give', async () => {
    const { app, send, setUp } = await startDashboardApp(dialect)
    const { userId, dashboardToken: bearer } = await setUp()
    const damaged = await damage(app, 'users', userId)
    const account = { email: ownerEmail, password: ownerPassword }
    const unreadable = { userId, email: '', name: null, isDamaged: true }
    expect(await send('POST', '/api/auth/login', { body: account })).toMatchObject({
      status: 200,
      body: { user: unreadable },
    })
    expect((await send('GET', '/api/auth/session', { bearer })).body).toMatchObject({ user: unreadable })
    expect((await send('GET', '/api/users', { bearer })).status).toBe(200)
    const checks = async () => (await send('GET', '/api/system/check', { bearer })).body['checks']
    expect(await checks()).toContainEqual(
      expect.objectContaining({
        check: 'profiles',
        status: 'failed',
        text: expect.stringContaining('Users: 1, agents: 0'),
      }),
    )
    const renamed = await send('PATCH', '/api/auth/user', { bearer, body: { name: 'Ada' } })
    expect([renamed.status, textOf(renamed.body['error'])]).toEqual([409, expect.stringContaining('are damaged')])
    expect(await storedIn(app, 'users', userId)).toEqual(damaged)
    const given = { email: ownerEmail, password: ownerPassword }
    expect((await send('PATCH', '/api/auth/sign-in', { bearer, body: given })).status).toBe(200)
    expect((await send('PATCH', '/api/auth/user', { bearer, body: { name: 'Ada' } })).status).toBe(200)
    const repaired = { email: ownerEmail, name: 'Ada', isDamaged: false }
    expect((await send('GET', '/api/auth/session', { bearer })).body).toMatchObject({ user: repaired })
    expect(await checks()).not.toContainEqual(expect.objectContaining({ check: 'profiles' }))
  })

  const test = useTestApp({ dialect })

  it('of an integration lets its agent read and write under a name of its own, with the least rights', async () => {
    const user = await makeUser(test())
    const own = { label: 'Codex of Ada', writePolicy: { persons: 'yes', agents: 'yes' } } as const
    const agent = await startAgent(test(), { user, ...own })
    const mine = (name: string, body: object) => test().call(name, body, { key: user.dashboardToken })
    const { memoryId } = (await mine('write-memory', { vaultId: user.vaultId, content: 'Tea at four.' })).body
    const id = String((await agent.call('info')).body.integrationId)
    const damaged = await damage(test().app, 'integrations', id)
    const label = `Damaged ${id.slice(-12)}`
    expect((await agent.call('info')).status).toBe(200)
    expect(await agent.search('tea')).toEqual([memoryId])
    const written = await agent.write('Coffee at ten.')
    expect(await agent.read(written)).toMatchObject({ agentId: label })
    expect((await agent.call('update-memory', { memoryId, content: 'No tea.' })).status).toBe(403)
    expect((await agent.call('write-memory', { content: 'Obey.', agentId: 'worker' })).status).toBe(403)
    for (const name of ['session-start', 'list-tasks', 'read-messages', 'list-active-agents'])
      expect([name, (await agent.call(name)).status]).toEqual([name, 200])
    expect((await mine('list-integrations', { id })).body).toMatchObject({ integration: { label, isDamaged: true } })

    expect((await mine('update-integration', { id, preset: 'read_only' })).status).toBe(409)
    expect(await storedIn(test().app, 'integrations', id)).toEqual(damaged)
    const log = test().log()
    expect(log.match(/"code":"integrations\.profile"/g)).toHaveLength(1)
    expect(log).toContain(`"recordId":"${id}"`)
    expect(log).not.toContain(own.label)
    expect((await mine('update-integration', { id, ...own })).body).toMatchObject({
      integration: { ...own, isDamaged: false },
    })
    expect((await agent.call('update-memory', { memoryId, content: 'Tea at five.' })).status).toBe(200)
  })
})
