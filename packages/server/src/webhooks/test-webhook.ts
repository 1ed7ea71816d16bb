import { z } from 'zod'
import { newId } from '../core/ids.ts'
import { isoTime } from '../core/time.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { trialEvent } from './event.ts'
import { sendEvent } from './send.ts'
import { getWebhook } from './store.ts'
import { exampleWebhook, findOwnKeys, webhookId } from './webhook.ts'

export const testWebhook = operation({
  name: 'test-webhook',
  for: { person: 'POST /api/webhooks/test' },
  summary: 'Send a `webhook.test` event now and return the result. It is not retried and does not affect any counter.',
  effect: 'write',
  changes: ['webhooks'],
  about: ({ id }) => refs('webhook', id),
  input: z.object({ id: webhookId }),
  output: z.looseObject({
    id: z.uuid(),
    delivered: z.boolean(),
    status: z.int().nullable().describe('HTTP status of the response; null if there was none.'),
    error: z.string().nullable().describe('Why it was not delivered.'),
    durationMs: z.int(),
  }),
  examples: {
    input: { id: exampleWebhook.id },
    output: { id: exampleWebhook.id, delivered: true, status: 204, error: null, durationMs: 48 },
  },
  async run({ id }, ctx) {
    const { db, actor, now, webhooks } = ctx
    const { userId } = actor
    const { endpoint } = await getWebhook(db.read, await findOwnKeys(ctx), userId, id)
    const startedAt = now()
    // The same fields as a real event, so the receiver can be tested unchanged. No message has this id.
    const body = JSON.stringify({ event: trialEvent, messageId: newId(), userId, timestamp: isoTime(startedAt) })
    const outcome = await sendEvent(
      (url, request) => webhooks.post(userId, url, request),
      endpoint,
      { eventId: newId(), event: trialEvent, body, attempt: 1 },
      { now: startedAt, signal: new AbortController().signal },
    )
    return {
      id,
      delivered: outcome.problem === undefined,
      status: outcome.status ?? null,
      error: outcome.problem ?? null,
      durationMs: Math.max(0, now() - startedAt),
    }
  },
})
