import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { makeUser } from '../../test/factories.ts'
import { makeClock } from '../../test/scenarios.ts'
import { hmacOf, startReceiver } from '../../test/webhook-receiver.ts'
import { callAs, webhookOf, draft, local } from './testing/own-webhooks.ts'

describe('a new secret', () => {
  it('signs together with the old one for a day, then alone', async () => {
    const clock = makeClock(Date.now())
    const test = await startTestApp({ ...local, now: clock.now })
    const call = callAs(test, await makeUser(test))
    const receiver = await startReceiver()
    const old = webhookOf(await call('create-webhook', { ...draft, url: receiver.url }))
    const rotated = await call('rotate-webhook-secret', { id: old.id })
    const fresh = webhookOf(rotated)
    expect(rotated.body.previousSecretUntil).toBe(clock.iso(24 * 3_600_000))
    expect(fresh.secret).not.toBe(old.secret)
    const send = async () => {
      await call('test-webhook', { id: old.id })
      const { body = '', headers = {} } = receiver.received.at(-1) ?? {}
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
      const signatures = String(headers['webhook-signature']).split(' ')
      // By hand, because the library uses the real clock.
      const outcomes = [old, fresh].map(async ({ secret }) => ({
        takes: signatures.includes(
          `v1,${(await hmacOf(Buffer.from(secret.slice(6), 'base64'), signed)).toString('base64')}`,
        ),
        fixed: headers['x-service-signature'] === `sha256=${(await hmacOf(secret, body)).toString('hex')}`,
      }))
      const [ofOld, ofFresh] = await Promise.all(outcomes)
      return { takes: [ofOld?.takes, ofFresh?.takes], fixed: [ofOld?.fixed, ofFresh?.fixed] }
    }
    expect(await send()).toEqual({ takes: [true, true], fixed: [true, false] })
    clock.advance(24 * 3_600_000)
    expect(await send()).toEqual({ takes: [false, true], fixed: [false, true] })
    const replaced = await call('rotate-webhook-secret', { id: old.id, immediately: true })
    expect(replaced.body.previousSecretUntil).toBeNull()
    expect(await send()).toEqual({ takes: [false, false], fixed: [false, false] })
  })
})
