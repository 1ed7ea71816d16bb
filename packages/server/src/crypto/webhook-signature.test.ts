import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newWebhookSecret, signBody, signDelivery } from './webhook-signature.ts'

const body = '{"event":"message.created","text":"naïve 🌍"}'

describe('the signature of a body', () => {
  it('is what a receiver computes with the whole secret as text', () => {
    const secret = newWebhookSecret()
    expect(signBody(secret, body)).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  })

  it('has a known answer', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    expect(signBody(secret, '{"test": 2432232314}')).toBe(
      'sha256=80ec8a89ce3cd22133a1066caecb4d04fea7467657c8514d717ec42c38a5c94c',
    )
  })
})

describe('the signature of a delivery', () => {
  it('matches the example of Standard Webhooks', () => {
    const example = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }
    expect(signDelivery(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], example)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  it('is accepted by a receiver that knows either of two secrets, and by no other', () => {
    const [old, fresh] = [newWebhookSecret(), newWebhookSecret()]
    const timestamp = Math.floor(Date.now() / 1000)
    const signed = { id: 'x', timestamp, body }
    const headers = {
      'webhook-id': 'x',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signDelivery([fresh, old], signed),
    }
    for (const secret of [old, fresh]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow('No matching signature')
    expect(() => new Webhook(old).verify(`${body} `, headers)).toThrow('No matching signature')
  })
})
