import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { requeueDead, requeueDelivery } from './delivery-store.ts'
import { getWebhook } from './store.ts'
import { exampleWebhook, findOwnKeys, webhookId } from './webhook.ts'

export const redeliverWebhook = operation({
  name: 'redeliver-webhook',
  for: { person: 'POST /api/webhooks/redeliver' },
  summary:
    'Send a delivery again, or the failed deliveries of a webhook since a time. Each gets all its attempts again.',
  effect: 'write',
  changes: ['webhooks'],
  about: ({ webhookId: id }) => refs('webhook', id),
  alias: 'webhookId',
  // Without this, a call that misspells `deliveryId` would send all failed deliveries again.
  needs: [['deliveryId'], ['since']],
  input: z.object({
    webhookId: webhookId.describe('Id of the webhook. `id` means the same.'),
    deliveryId: z.uuid().optional().describe('Only this delivery, in any state.'),
    since: fields.timestamp.optional().describe('All failed deliveries of events at or after this time.'),
  }),
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
    const requeue = async (): Promise<number> => {
      if (deliveryId !== undefined)
        return Number(await db.write((tx) => requeueDelivery(tx, { ...delivery, id: deliveryId }, now())))
      if (since === undefined) throw invalid({ since: 'required without deliveryId' })
      return requeueDead(db, delivery, { since: Date.parse(since), at: now() })
    }
    const queued = await requeue()
    webhooks.wake()
    return { queued }
  },
})
