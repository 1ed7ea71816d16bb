import { expect, it } from 'vitest'
import { startDashboardApp } from '../../test/dashboard-app.ts'

it('a response names the fields of its request that no operation knows, and nothing else', async () => {
  const { send, setUp } = await startDashboardApp()
  const { agentKey: bearer, dashboardToken, vaultId } = await setUp()
  const ignoredIn = async (name: string, body: object) => {
    const { headers } = await send('POST', `/api/agent/${name}`, { bearer, body })
    return headers['x-ignored-fields']
  }
  expect(await ignoredIn('write-memory', { content: 'x', memoryTyp: 'fact', folder: 'a' })).toBe('memoryTyp, folder')
  // Also if something else is wrong.
  expect(await ignoredIn('write-memory', { contents: 'x' })).toBe('contents')
  const common = { agentId: 'codex', agentRunId: 'run-1', modelId: 'm', vaultId }
  expect(await ignoredIn('write-memory', { content: 'x', ...common })).toBeUndefined()
  expect(await ignoredIn('list-vaults', common)).toBeUndefined()
  expect(await ignoredIn('read-memories', { memoryId: vaultId })).toBeUndefined()
  expect(await ignoredIn('read-memories', { ids: [vaultId] })).toBeUndefined()
  expect(await ignoredIn('archive-memory', { id: vaultId })).toBeUndefined()
  // What a header can't carry, and more than ten.
  expect(await ignoredIn('write-memory', { content: 'x', 'a\r\nb: c': 1 })).toBeUndefined()
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`x${at}`, at]))
  expect(await ignoredIn('write-memory', { content: 'x', ...many })).toBe('x0, x1, x2, x3, x4, x5, x6, x7, x8, x9')
  const { headers } = await send('GET', '/api/vaults?limits=5&limit=1', { bearer: dashboardToken })
  expect(headers['x-ignored-fields']).toBe('limits')
})

it('the health check says which calls of agents had such fields, without the names', async () => {
  const { send, setUp } = await startDashboardApp()
  const { agentKey: bearer, dashboardToken, vaultId } = await setUp()
  const readCheck = async () => {
    const { body } = await send('GET', '/api/system/check', { bearer: dashboardToken })
    return (body['checks'] as { check: string }[]).find(({ check }) => check === 'calls')
  }
  await send('GET', `/api/memories?vaultId=${vaultId}&limits=5`, { bearer: dashboardToken })
  await send('POST', '/api/agent/write-memory', { bearer, body: { content: 'x', vaultId } })
  expect(await readCheck()).toMatchObject({ status: 'ok' })
  for (const secret of ['blue', 'green'])
    await send('POST', '/api/agent/write-memory', { bearer, body: { content: 'x', [secret]: 1 } })
  const found = await readCheck()
  expect(found).toMatchObject({ status: 'warning', text: expect.stringContaining('write-memory (2)') })
  expect(JSON.stringify(found)).not.toContain('blue')
})
