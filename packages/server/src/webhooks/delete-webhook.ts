import { z } from 'zod'
import { lockUser } from '../auth/store.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { deleteDeliveriesOf } from './delivery-store.ts'
import { deleteWebhook as remove } from './store.ts'
import { exampleWebhook, webhookId } from './webhook.ts'

export const deleteWebhook = operation({
  name: 'delete-webhook',
  for: { person: 'DELETE /api/webhooks' },
  summary: 'Delete a webhook and its deliveries. Queued deliveries are not sent.',
  effect: 'destructive',
  changes: ['webhooks'],
  about: ({ id }) => refs('webhook', id),
  input: z.object({ id: webhookId }),
  output: z.looseObject({ id: z.uuid(), deleted: z.literal(true) }),
  examples: { input: { id: exampleWebhook.id }, output: { id: exampleWebhook.id, deleted: true } },
  async run({ id }, { actor: { userId }, db }) {
    await db.write(async (tx) => {
      await lockUser(tx, userId)
      await remove(tx, userId, id)
    })
    await deleteDeliveriesOf(db, userId, id)
    return { id, deleted: true } as const
  },
})
