import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { requeueDead, requeueDelivery } from './delivery-store.ts'
import { getWebhook } from './store.ts'
import { exampleWebhook, findOwnKeys, webhookId } from './webhook.ts'

export const redeliverWebhook = operation({
  name: 'redeliver-webhook',
  for: { person: 'POST /api/webhooks/redeliver' },
  summary: 'Resend a delivery, or all failed deliveries of a webhook. Each gets all its attempts again.',
  effect: 'write',
  changes: ['webhooks'],
  about: ({ webhookId: id }) => refs('webhook', id),
  alias: 'webhookId',
  // A misspelt field would mean all deliveries that are kept.
  input: z.strictObject(
    {
      webhookId: webhookId.describe('Id of the webhook. `id` means the same.'),
      deliveryId: z.uuid().optional().describe('Only this delivery, in any state.'),
      since: fields.timestamp.optional().describe('Only events at or after this time. Default: all that are kept.'),
    },
    {
      error: (issue) => (issue.code === 'unrecognized_keys' ? 'fields are webhookId, deliveryId and since' : undefined),
    },
  ),
  output: z.looseObject({
    queued: z.int().describe('Number of deliveries queued; 0 if the delivery is being sent right now.'),
  }),
  examples: {
    input: { webhookId: exampleWebhook.id, since: '2026-11-20T00:00:00.000Z' },
    output: { queued: 12 },
  },
  async run({ webhookId: ofWebhook, deliveryId, since }, ctx) {
    const { db, actor, now, webhooks } = ctx
    const { userId } = actor
    await getWebhook(db.read, await findOwnKeys(ctx), userId, ofWebhook)
    const delivery = { userId, webhookId: ofWebhook }
    const queued =
      deliveryId === undefined
        ? await requeueDead(db, delivery, { since: since === undefined ? 0 : Date.parse(since), at: now() })
        : Number(await db.write((tx) => requeueDelivery(tx, { ...delivery, id: deliveryId }, now())))
    webhooks.wake()
    return { queued }
  },
})
