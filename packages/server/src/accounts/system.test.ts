import { expect, it } from 'vitest'
import { startDashboardApp, textOf } from '../../test/dashboard-app.ts'
import { eachDialect } from '../../test/dialects.ts'

eachDialect('the system', (dialect) => {
  it('tells its owner where everything lies, and others what they search with', async () => {
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
