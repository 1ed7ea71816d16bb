import { chmod } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { startDashboardApp, textOf } from '../../test/dashboard-app.ts'
import { eachDialect } from '../../test/dialects.ts'

eachDialect('the system', (dialect) => {
  it('shows its owner its health, and what to do about problems', async () => {
    const { app, send, operator, setUp } = await startDashboardApp(dialect)
    const owner = await setUp()
    const account = { email: 'grace@example.org', password: 'another long and private sentence' }
    const other = textOf((await operator('POST', '/api/operator/users', account)).body['dashboardToken'])
    const { body } = await send('GET', '/api/system/check', { bearer: owner.dashboardToken })
    const checks = body['checks'] as { check: string; status: string; fix: string | null }[]
    expect(checks.map(({ check }) => check)).toEqual([
      'database',
      'data folder',
      'free space',
      ...(app.services.db.dialect === 'sqlite' ? ['disk'] : []),
      'root key',
      'embeddings',
      'background work',
      'calls',
      ...(app.services.db.dialect === 'sqlite' ? ['backup'] : []),
    ])
    for (const { check, status, fix } of checks) expect([check, fix === null]).toEqual([check, status === 'ok'])
    await chmod(app.services.dataDir, 0o755)
    expect((await send('GET', '/api/system/check', { bearer: owner.dashboardToken })).body['checks']).toContainEqual({
      check: 'data folder',
      status: 'warning',
      text: `Other users of this machine can read ${app.services.dataDir}.`,
      fix: `chmod 700 ${app.services.dataDir}`,
    })
    expect((await send('GET', '/api/system/check', { bearer: other })).body).toEqual({ checks: null })
  })

  it('shows its owner where everything is stored, and others only what they search with', async () => {
    const { app, send, operator, setUp } = await startDashboardApp(dialect)
    const owner = await setUp()
    const account = { email: 'grace@example.org', password: 'another long and private sentence' }
    const other = textOf((await operator('POST', '/api/operator/users', account)).body['dashboardToken'])
    const { status, body } = await send('GET', '/api/system', { bearer: owner.dashboardToken })
    expect(status).toBe(200)
    const { db, dataDir, instance } = app.services
    expect(body).toMatchObject({
      server: { dialect: db.dialect, dataDir, rootKeyOrigin: instance.rootKeyOrigin, users: 2, records: 0 },
    })
    const seen = (await send('GET', '/api/system', { bearer: other })).body
    expect(seen).toMatchObject({ version: body['version'], server: null })
    expect(JSON.stringify(seen)).not.toContain(dataDir)
  })
})
