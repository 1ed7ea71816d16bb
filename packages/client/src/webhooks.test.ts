import { runInNewContext } from 'node:vm'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { startTestApp } from '../../server/test/app.ts'
import { makeAgent, makeUser } from '../../server/test/factories.ts'
import { hmacOf, startReceiver } from '../../server/test/webhook-receiver.ts'
import { parseAllowList } from '../../server/src/webhooks/address.ts'
import { createClient, webhooks, type MessageAcknowledgedEvent, type WebhookEvent } from './index.ts'

const secret = `whsec_${Buffer.from('thirty-two bytes, neither more nor less'.slice(0, 32)).toString('base64')}`
const otherSecret = `whsec_${Buffer.from('another thirty-two bytes that sign it'.slice(0, 32)).toString('base64')}`
const event = { event: 'message.created', messageId: 'm1', userId: 'u1', timestamp: '2026-11-21T09:00:00.000Z' }
const body = JSON.stringify(event)

const headersOf = (text: string, { at = new Date(), by = secret } = {}) => ({
  'webhook-id': 'e1',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new StandardWebhook(by).sign('e1', at, text),
})

const fixedOf = async (text: string, by = secret) => ({
  'X-Service-Signature': `sha256=${(await hmacOf(by, text)).toString('hex')}`,
})

const refusal = (message: string) => ({ name: 'WebhookVerificationError', status: 0, message })
const unsigned = refusal('No signature matches this secret')

describe('webhooks.verify', () => {
  it('returns the event of a delivery that was signed with the secret', async () => {
    expect(await webhooks.verify(body, headersOf(body), secret)).toEqual(event)
    expect(await webhooks.verify(Buffer.from(body), new Headers(headersOf(body)), secret)).toEqual(event)
    const listed = Object.entries(headersOf(body)).map(([name, value]) => [name.toUpperCase(), [value]])
    expect(await webhooks.verify(body, Object.fromEntries(listed) as Record<string, string[]>, secret)).toEqual(event)
  })

  it('covers the bytes exactly as they arrived', async () => {
    const text = '{"event":"message.created","note":"Grüße, 世界 🌱"}'
    const bytes = new TextEncoder().encode(text)
    expect(await webhooks.verify(bytes, headersOf(text), secret)).toMatchObject({ note: 'Grüße, 世界 🌱' })
    await expect(webhooks.verify(text.replace('ü', 'u'), headersOf(text), secret)).rejects.toMatchObject(unsigned)
  })

  it('accepts one valid signature among several, as after a rotation', async () => {
    const [mine, other] = [headersOf(body), headersOf(body, { by: otherSecret })]
    const both = { ...mine, 'webhook-signature': `${other['webhook-signature']} v2,x ${mine['webhook-signature']}` }
    expect(await webhooks.verify(body, both, secret)).toEqual(event)
    await expect(webhooks.verify(body, other, secret)).rejects.toMatchObject(unsigned)
  })

  it.each([
    ['another body', `${body} `, {}],
    ['another id', body, { 'webhook-id': 'e2' }],
    ['no good base64', body, { 'webhook-signature': 'v1,%%%' }],
    ['another version', body, { 'webhook-signature': headersOf(body)['webhook-signature'].replace('v1', 'v2') }],
    ['half a signature', body, { 'webhook-signature': headersOf(body)['webhook-signature'].slice(0, 20) }],
  ])('refuses %s', async (_what, text, changed) => {
    await expect(webhooks.verify(text, { ...headersOf(body), ...changed }, secret)).rejects.toMatchObject(unsigned)
  })

  it('rejects deliveries signed too long ago or in the future', async () => {
    for (const offsetMs of [-301_000, 302_000]) {
      const late = headersOf(body, { at: new Date(Date.now() + offsetMs) })
      await expect(webhooks.verify(body, late, secret)).rejects.toMatchObject(
        refusal('webhook-timestamp is too far off'),
      )
      expect(await webhooks.verify(body, late, secret, { toleranceSeconds: 400 })).toEqual(event)
    }
    const odd = { ...headersOf(body), 'webhook-timestamp': 'NaN' }
    await expect(webhooks.verify(body, odd, secret)).rejects.toMatchObject(refusal('webhook-timestamp is too far off'))
  })

  it('checks the other header only on request', async () => {
    const fixed = await fixedOf(body)
    await expect(webhooks.verify(body, fixed, secret)).rejects.toThrow('webhook-id, webhook-timestamp')
    const header = 'x-service-signature'
    expect(await webhooks.verify(body, fixed, secret, { header })).toEqual(event)
    await expect(webhooks.verify(`${body} `, fixed, secret, { header })).rejects.toMatchObject(unsigned)
    await expect(webhooks.verify(body, await fixedOf(body, otherSecret), secret, { header })).rejects.toMatchObject(
      unsigned,
    )
    await expect(webhooks.verify(body, headersOf(body), secret, { header })).rejects.toThrow('X-Service-Signature')
  })

  it('accepts headers of another realm, pairs, a map, or an object with get', async () => {
    const foreign = runInNewContext(`
      class Headers {
        #pairs
        constructor(pairs) { this.#pairs = pairs }
        *[Symbol.iterator]() { yield* this.#pairs }
        get(name) { return this.#pairs.find(([own]) => own === name.toLowerCase())?.[1] ?? null }
      }
      Headers`) as new (pairs: [string, string][]) => Iterable<[string, string]>
    const pairs = Object.entries(headersOf(body))
    const titled = pairs.map(([name, value]): [string, string] => [name.toUpperCase(), value])
    const byName = { get: (name: string) => new Headers(pairs).get(name) }
    for (const headers of [new foreign(pairs), titled, new Map(titled), byName])
      expect(await webhooks.verify(body, headers, secret)).toEqual(event)
    await expect(webhooks.verify(body, new Map(), secret)).rejects.toThrow('are missing')
    await expect(webhooks.verify(body, { get: () => null }, secret)).rejects.toThrow('are missing')
  })

  it.each(['', 'not JSON', '{"event":'])('rejects a signed body that is not JSON: %j', async (text) => {
    const error: unknown = await webhooks.verify(text, headersOf(text), secret).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject(refusal('The body is signed, but is not JSON'))
    expect(error).not.toHaveProperty('cause')
  })

  it('reports incorrect use', async () => {
    await expect(webhooks.verify(event as unknown as string, headersOf(body), secret)).rejects.toThrow('rawBody')
    await expect(webhooks.verify(body, headersOf(body), '')).rejects.toThrow('secret')
  })

  it('verifies what the server sends', async () => {
    const test = await startTestApp({ config: { webhookAllow: parseAllowList('127.0.0.1').targets } })
    const user = await makeUser(test)
    const receiver = await startReceiver()
    const events = ['message.created', 'message.acknowledged']
    const draft = { url: receiver.url, events }
    const { body: made } = await test.call('create-webhook', draft, { key: user.dashboardToken })
    const webhook = made.webhook as { id: string; secret: string }
    const url = await test.app.listen()
    const clientOf = async (agentId: string) => createClient({ url, key: await makeAgent(test, user), agentId })
    const [planner, cook] = [await clientOf('planner'), await clientOf('cook')]
    const { messageId } = await planner.messages.send({ targetId: 'cook', content: 'Dinner?' })
    await cook.messages.acknowledge({ messageId })
    await test.call('test-webhook', { id: webhook.id }, { key: user.dashboardToken })
    await expect.poll(() => receiver.received.length).toBe(3)

    const verified = new Map<string, WebhookEvent>()
    for (const received of receiver.received) {
      const one = await webhooks.verify(received.body, received.headers, webhook.secret)
      const header = 'x-service-signature'
      expect(await webhooks.verify(received.body, received.headers, webhook.secret, { header })).toEqual(one)
      verified.set(one.event, one)
    }
    const common = { messageId, userId: user.userId }
    expect(verified.get('message.created')).toMatchObject(common)
    expect(verified.get('message.acknowledged')).toMatchObject({ ...common, acknowledgedBy: 'cook' })
    expect(verified.get('webhook.test')).toMatchObject({ userId: user.userId })
  })

  it('types events by their name', () => {
    expectTypeOf<Extract<WebhookEvent, { event: 'message.acknowledged' }>>().toEqualTypeOf<MessageAcknowledgedEvent>()
    expectTypeOf<MessageAcknowledgedEvent['acknowledgedBy']>().toEqualTypeOf<string>()
    expectTypeOf<WebhookEvent['timestamp']>().toEqualTypeOf<string>()
  })
})
