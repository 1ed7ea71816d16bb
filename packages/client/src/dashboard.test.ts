import { describe, expect, it } from 'vitest'
import { makeUser } from '../../server/test/factories.ts'
import { startAnsweringServer } from '../test/answering-server.ts'
import { useService } from '../test/service.ts'
import { createDashboardClient } from './dashboard.ts'
import { dashboardRoutes } from './generated/dashboard.ts'

describe('the dashboard client', () => {
  const service = useService()
  const open = async () => {
    const { test, url } = service()
    const user = await makeUser(test)
    return { user, dashboard: createDashboardClient({ url, token: user.dashboardToken }) }
  }

  it('creates, lists, updates and deletes a webhook', async () => {
    const { user, dashboard } = await open()
    const draft = { url: 'https://hooks.example.org/in?a=b&c', events: ['message.created' as const] }
    const { webhook } = await dashboard.call('create-webhook', { ...draft, vaultId: user.vaultId })
    expect(webhook).toMatchObject({ ...draft, secret: expect.stringMatching(/^whsec_/) as string })
    const { id } = webhook
    expect(await dashboard.call('list-webhooks', { limit: 1 })).toMatchObject({
      webhooks: [{ id }],
      total: 1,
      limit: 1,
    })
    expect(await dashboard.call('list-webhooks', { id, limit: undefined })).toMatchObject({ webhook: { id } })
    expect(await dashboard.call('update-webhook', { id, isActive: false })).toMatchObject({ webhook: { version: 2 } })
    expect(await dashboard.call('delete-webhook', { id })).toEqual({ id, deleted: true })
    await expect(dashboard.call('delete-webhook', { id })).rejects.toMatchObject({ name: 'NotFoundError' })
  })

  it('accepts only a token', async () => {
    const { url, makeKey } = service()
    await expect(createDashboardClient({ url, token: await makeKey() }).call('read-session')).rejects.toMatchObject({
      name: 'AuthenticationError',
    })
    expect(() => createDashboardClient({ url })).toThrow('token: pass one, or set HOLDFAST_TOKEN')
    const { dashboard } = await open()
    expect(() => dashboard.call('search-memories' as 'read-session')).toThrow(TypeError)
    expect(() => dashboard.call('toString' as 'read-session')).toThrow(TypeError)
  })

  it('calls each operation with its method, path and input', async () => {
    await using server = await startAnsweringServer({ status: 200, body: {} })
    const dashboard = createDashboardClient({ url: `${server.url}/memory`, token: 'hfd_x', maxRetries: 0 })
    const names = Object.keys(dashboardRoutes) as (keyof typeof dashboardRoutes)[]
    for (const name of names) await dashboard.call(name, { id: 'a b&c' })
    expect(names.length).toBeGreaterThan(15)
    expect(server.received.map(({ method, path, body }) => [method, path, body])).toEqual(
      names.map((name) => {
        const { method, path } = dashboardRoutes[name]
        const isInUrl = method === 'GET' || method === 'DELETE'
        return [method, `/memory${path}${isInUrl ? '?id=a+b%26c' : ''}`, isInUrl ? '' : '{"id":"a b&c"}']
      }),
    )
  })

  it('pages through deliveries', async () => {
    const page = (offset: number, id: string, hasMore: boolean) => ({
      status: 200,
      body: { deliveries: [{ id }], total: 2, limit: 1, offset, hasMore },
    })
    await using server = await startAnsweringServer(page(0, 'd2', true), page(1, 'd1', false))
    const dashboard = createDashboardClient({ url: server.url, token: 'hfd_x' })
    const ids: string[] = []
    for await (const { id } of dashboard.call('list-webhook-deliveries', { limit: 1 })) ids.push(id)
    expect(ids).toEqual(['d2', 'd1'])
    expect(server.received.map(({ path }) => path)).toEqual([
      '/api/webhooks/deliveries?limit=1',
      '/api/webhooks/deliveries?limit=1&offset=1',
    ])
  })
})
