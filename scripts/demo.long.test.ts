import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createApp } from '../packages/server/src/app.ts'
import { createLog } from '../packages/server/src/core/log.ts'
import { askAt } from './demo/call-server.ts'
import { demoConfig, demoPerson, makeDemo } from './demo/make-demo.ts'
import { receiveWebhooks } from './demo/receive-webhooks.ts'

it('is a month of work that its owner can explore', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-demo-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const receiver = await receiveWebhooks(0)
  onTestFinished(() => receiver.close())
  await makeDemo(folder, receiver)
  const app = await createApp(demoConfig(folder, '0', receiver), { log: createLog('silent') })
  onTestFinished(() => app.stop())
  const url = await app.listen()
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(demoPerson),
  })
  expect(login.status).toBe(200)
  const ask = askAt(url)
  const { users } = (await ask(app.operatorToken.token, 'GET', '/api/operator/users', {})) as { users: unknown[] }
  expect(users).toHaveLength(1)
  const get = async (path: string) => (await ask(app.operatorToken.token, 'GET', path, {}))['total'] as number
  const { vaults } = (await ask(app.operatorToken.token, 'GET', '/api/vaults', {})) as {
    vaults: { vaultId: string; isDefault: boolean }[]
  }
  const vaultId = vaults.find(({ isDefault }) => isDefault)?.vaultId ?? ''
  expect(await get(`/api/memories?vaultId=${vaultId}`)).toBeGreaterThan(150)
  expect(await get(`/api/notes?vaultId=${vaultId}`)).toBeGreaterThan(25)
  expect(await get(`/api/runs?vaultId=${vaultId}`)).toBeGreaterThan(80)
  expect(await get(`/api/review?vaultId=${vaultId}&kind=proposal`)).toBe(3)
})
