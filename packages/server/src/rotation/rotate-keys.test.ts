import { readFileSync } from 'node:fs'
import { Secret, TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { ownerPassword, startDashboardApp, textOf, type DashboardApp } from '../../test/dashboard-app.ts'
import { eachDialect } from '../../test/dialects.ts'

eachDialect('the root key of an instance', (dialect) => {
  const rotate = ({ send }: DashboardApp, bearer: string, body: object) =>
    send('POST', '/api/system/encryption-keys/rotate', { bearer, body })
  const keyFile = ({ app }: DashboardApp) => readFileSync(app.services.instance.rootKeyOrigin, 'utf8')

  it('is rotated by the owner with the password, and by no other user', async () => {
    const service = await startDashboardApp(dialect)
    const { send, operator } = service
    const owner = await service.setUp()
    const account = { email: 'grace@example.org', password: 'another long and private sentence' }
    const other = textOf((await operator('POST', '/api/operator/users', account)).body['dashboardToken'])
    const before = keyFile(service)
    expect((await rotate(service, other, { password: account.password })).status).toBe(403)
    for (const body of [{}, { password: 'not this one' }]) {
      const { status, body: answer } = await rotate(service, owner.dashboardToken, body)
      expect(status).toBe(400)
      expect(Object.keys(answer['fields'] as object)).toEqual(['password'])
    }
    expect(keyFile(service)).toBe(before)
    const { status, body } = await rotate(service, owner.dashboardToken, { password: ownerPassword })
    expect(status).toBe(200)
    expect(body).toMatchObject({ changed: true, damaged: 0, rootKey: { state: 'settled', wrapsLeft: 0, isFile: true } })
    expect(keyFile(service)).not.toBe(before)
    expect(JSON.stringify(body)).not.toContain(keyFile(service).trim())
    expect(JSON.stringify(body)).not.toContain(before.trim())
    const read = (bearer: string) => send('GET', '/api/system/encryption-keys', { bearer })
    expect((await read(owner.dashboardToken)).body).toEqual({
      rootKey: body['rootKey'],
      storedKeys: body['storedKeys'],
    })
    expect((await read(other)).body).toEqual({ rootKey: null, storedKeys: null })
    await service.app.services.activity.flush()
    const { body: activity } = await send('GET', '/api/activity?operation=rotate-encryption-keys', {
      bearer: owner.dashboardToken,
    })
    expect(activity['activity']).toContainEqual(
      expect.objectContaining({ operation: 'rotate-encryption-keys', status: 200 }),
    )
  })

  it('takes the second factor if there is one', async () => {
    const service = await startDashboardApp(dialect)
    const { send, clock } = service
    const { dashboardToken: bearer } = await service.setUp()
    const made = await send('POST', '/api/auth/totp', { bearer, body: { password: ownerPassword } })
    const secret = textOf(made.body['secret'])
    const codeNow = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now })
    await send('POST', '/api/auth/totp/confirm', { bearer, body: { code: codeNow() } })
    clock.now += 30_000
    for (const code of [undefined, '000000']) {
      const { status, body } = await rotate(service, bearer, { password: ownerPassword, ...(code && { code }) })
      expect(status).toBe(400)
      expect(Object.keys(body['fields'] as object)).toEqual(['code'])
    }
    expect((await rotate(service, bearer, { password: ownerPassword, code: codeNow() })).body).toMatchObject({
      changed: true,
    })
    // The secret of the factor is encrypted under the same keys as before.
    clock.now += 30_000
    const removal = { password: ownerPassword, code: codeNow() }
    expect((await send('POST', '/api/auth/totp/delete', { bearer, body: removal })).status).toBe(200)
  })

  it('is rotated by the operator for the owner, who sees it in the activity', async () => {
    const service = await startDashboardApp(dialect)
    const { operator, send } = service
    const owner = await service.setUp()
    const { status, body } = await operator('POST', '/api/system/encryption-keys/rotate', {})
    expect([status, body['changed']]).toEqual([200, true])
    expect((await operator('POST', '/api/system/encryption-keys/rotate', {})).body['changed']).toBe(false)
    const { body: activity } = await send('GET', '/api/activity?operation=rotate-encryption-keys', {
      bearer: owner.dashboardToken,
    })
    expect(activity['activity']).toContainEqual(
      expect.objectContaining({ operation: 'rotate-encryption-keys', actor: 'operator' }),
    )
    expect((await operator('GET', '/api/operator/status')).body).toMatchObject({
      rootKeySince: '2026-11-21T09:00:00.000Z',
      rootKeyState: 'settled',
    })
    const { body: health } = await send('GET', '/api/system/check', { bearer: owner.dashboardToken })
    expect(health['checks']).toContainEqual(
      expect.objectContaining({
        check: 'root key',
        status: 'ok',
        text: expect.stringContaining('since 2026-11-21') as unknown,
      }),
    )
  })

  it.each(['users', 'vaults'] as const)('leaves the keys of %s to the server, and starts once', async (keys) => {
    const service = await startDashboardApp(dialect, {}, { runsJobs: false })
    const owner = await service.setUp()
    service.clock.now += 1
    const account = { email: 'grace@example.org', password: 'another long and private sentence' }
    const { body: added } = await service.operator('POST', '/api/operator/users', account)
    const bearers = [textOf(added['dashboardToken']), owner.dashboardToken]
    const [other = '', own = ''] = bearers
    expect((await rotate(service, other, { keys, password: account.password })).status).toBe(403)
    expect((await rotate(service, own, { keys, password: 'not this one' })).status).toBe(400)
    const before = keyFile(service)
    const first = await rotate(service, own, { keys, password: ownerPassword })
    expect(first.body).toMatchObject({ changed: true, storedKeys: { [keys]: { total: 2, left: 2 } } })
    service.clock.now += 3_600_000
    const again = await service.operator('POST', '/api/system/encryption-keys/rotate', { keys })
    expect(again.body).toMatchObject({ changed: false, storedKeys: { [keys]: { total: 2, left: 2 } } })
    expect(again.body['next']).toEqual([expect.stringContaining('not finished')])
    expect(keyFile(service)).toBe(before)
  })
})
