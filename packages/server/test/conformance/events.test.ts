import { expect, it } from 'vitest'
import { parseAllowList } from '../../src/webhooks/address.ts'
import { hmacOf, startReceiver, type Received } from '../webhook-receiver.ts'
import { callAgent, eachOwnService, newVault, send, succeed } from './service.ts'

/** What subscribers receive, and what a caller over the limit receives: on servers whose settings allow it and limit it. */

const none = { read: 0, write: 0, search: 0, ingest: 0 }
const webhookAllow = parseAllowList('127.0.0.1').targets

eachOwnService('events', { webhookAllow }, (service) => {
  const dashboard = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
    send(service(), { key: service().dashboardToken, method, path, body })
  const subscribe = async (webhook: object) => {
    const events = ['message.created', 'message.acknowledged']
    const { body } = await dashboard('POST', '/api/webhooks', { events, ...webhook })
    return body['webhook'] as { id: string; secret: string }
  }
  const webhookOf = async (id: string) => {
    const { body } = await dashboard('GET', '/api/webhooks?limit=100')
    return (body['webhooks'] as { id: string; errorCount: number; isActive: boolean }[]).find((one) => one.id === id)
  }
  const arrivals = async (received: Received[], count: number) => {
    await expect.poll(() => received.length).toBe(count)
  }

  it('are signed, say what happened and to which message, and contain no content', async () => {
    const { url, received } = await startReceiver()
    const vaultId = await newVault(service())
    const { secret } = await subscribe({ url, vaultId })
    const message = { vaultId, targetId: 'bob', agentId: 'ada', content: 'The heron is back.', subject: 'Birds' }
    const { messageId } = await succeed(service(), 'send-message', message)
    await arrivals(received, 1)
    await succeed(service(), 'ack-message', { vaultId, messageId, agentId: 'bob', note: 'Seen.' })
    await succeed(service(), 'ack-message', { vaultId, messageId, agentId: 'bob' })
    await arrivals(received, 2)
    const { userId } = (await callAgent(service(), 'info')).body
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { event: 'message.created', messageId, userId, timestamp },
      { event: 'message.acknowledged', messageId, userId, timestamp, acknowledgedBy: 'bob' },
    ])
    for (const { headers, body } of received) {
      expect(headers['content-type']).toMatch(/^application\/json/)
      expect(headers['x-service-signature']).toBe(`sha256=${(await hmacOf(secret, body)).toString('hex')}`)
      expect(headers).toMatchObject({ 'webhook-id': expect.any(String), 'webhook-signature': expect.any(String) })
    }
  })

  it('go only where the filters and the vault of a subscription allow', async () => {
    const [{ url, received }, other] = [await startReceiver(), await startReceiver()]
    const [vaultId, elsewhere] = [await newVault(service()), await newVault(service())]
    await subscribe({ url, vaultId, filters: { category: ['alert'], priority_gte: 4, targetId: 'bob' } })
    await subscribe({ url: other.url, vaultId: elsewhere })
    const message = { vaultId, targetId: 'bob', category: 'alert', priority: 4, content: 'x' }
    const rest = [{ category: 'info' }, { priority: 3 }, { targetId: 'eve' }, { vaultId: elsewhere }]
    for (const change of rest) await succeed(service(), 'send-message', { ...message, ...change })
    const { messageId } = await succeed(service(), 'send-message', message)
    await arrivals(received, 1)
    await arrivals(other.received, 1)
    expect(JSON.parse(received[0]?.body ?? '{}')).toMatchObject({ messageId })
  })

  it('that are not accepted raise the error count, which is reset when the webhook is activated again; no webhook is turned off', async () => {
    const { url, received } = await startReceiver((response) => response.writeHead(500).end('secret of theirs'))
    const vaultId = await newVault(service())
    const { id } = await subscribe({ url, vaultId })
    await succeed(service(), 'send-message', { vaultId, targetId: 'bob', content: 'x' })
    await arrivals(received, 1)
    await expect.poll(async () => (await webhookOf(id))?.errorCount).toBe(1)
    expect(await webhookOf(id)).toMatchObject({ isActive: true, lastError: expect.any(String) })
    await dashboard('PATCH', '/api/webhooks', { id, isActive: false })
    await dashboard('PATCH', '/api/webhooks', { id, isActive: true })
    expect(await webhookOf(id)).toMatchObject({ isActive: true, errorCount: 0 })
  })
})

eachOwnService('too many requests', { rateLimits: { ...none, read: 40 } }, (service) => {
  it('get 429 and the time to wait', async () => {
    const statuses = new Set<number>()
    for (let call = 0; call < 40; call++) statuses.add((await callAgent(service(), 'list-vaults')).status)
    const { status, body, headers } = await callAgent(service(), 'list-vaults')
    expect([[...statuses], status, body]).toEqual([
      [200],
      429,
      { error: 'Too many requests', retryAfter: expect.any(Number) },
    ])
    expect(headers.get('retry-after')).toBe(String(body['retryAfter']))
    expect((await callAgent(service(), 'create-vault', { name: 'Still possible' })).status).toBe(201)
  })
})
