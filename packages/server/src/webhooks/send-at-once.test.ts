import { Webhook as StandardWebhook } from 'standardwebhooks'
import { describe, expect, it, vi } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { makeUser } from '../../test/factories.ts'
import { startAgent } from '../../test/scenarios.ts'
import { startReceiver } from '../../test/webhook-receiver.ts'
import { local, callAs, webhookOf, draft } from './testing/own-webhooks.ts'

describe('a running server', () => {
  it('sends an event at once, without waiting for the next interval', async () => {
    const test = await startTestApp(local)
    const user = await makeUser(test)
    const agent = await startAgent(test, { user })
    const receiver = await startReceiver()
    const { secret } = webhookOf(await callAs(test, user)('create-webhook', { ...draft, url: receiver.url }))
    const wake = vi.spyOn(test.app.services.webhooks, 'wake')
    const { body } = await agent.call('send-message', { targetId: 'user', content: 'The cat sleeps.' })
    expect(wake).toHaveBeenCalledOnce()
    await expect.poll(() => receiver.received.length).toBe(1)
    const [received] = receiver.received
    expect(new StandardWebhook(secret).verify(received?.body ?? '', received?.headers ?? {})).toMatchObject({
      event: 'message.created',
      messageId: body.messageId,
      userId: user.userId,
    })
  })

  it('tests a webhook on request, and stores nothing', async () => {
    const test = await startTestApp(local)
    const call = callAs(test, await makeUser(test))
    let status = 200
    const receiver = await startReceiver((response) => response.writeHead(status).end())
    const { id, secret } = webhookOf(await call('create-webhook', { ...draft, url: receiver.url, isActive: false }))
    expect((await call('test-webhook', { id })).body).toMatchObject({ id, delivered: true, status: 200, error: null })
    const [received] = receiver.received
    expect(new StandardWebhook(secret).verify(received?.body ?? '', received?.headers ?? {})).toMatchObject({
      event: 'webhook.test',
      messageId: expect.any(String),
    })
    status = 302
    expect((await call('test-webhook', { id })).body).toMatchObject({
      delivered: false,
      status: 302,
      error: 'HTTP 302 (redirects are not followed)',
    })
    expect(webhookOf(await call('list-webhooks', { id }))).toMatchObject({ errorCount: 0, lastError: null })
    expect((await call('list-webhook-deliveries')).body).toMatchObject({ total: 0 })
  })

  it('runs one test at a time per user', async () => {
    const test = await startTestApp(local)
    const call = callAs(test, await makeUser(test))
    const receiver = await startReceiver((response) => void setTimeout(() => response.writeHead(200).end(), 100))
    const { id } = webhookOf(await call('create-webhook', { ...draft, url: receiver.url }))
    const answers = await Promise.all([call('test-webhook', { id }), call('test-webhook', { id })])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429])
    expect((await call('test-webhook', { id })).status).toBe(200)
  })
})
