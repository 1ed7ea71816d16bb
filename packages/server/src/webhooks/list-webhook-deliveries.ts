import { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { deliveryStates, listDeliveries, type Delivery } from './delivery-store.ts'
import { getWebhook } from './store.ts'
import { exampleWebhook, findOwnKeys, webhookId } from './webhook.ts'

const deliveryRecord = z
  .looseObject({
    id: z.uuid(),
    webhookId: z.uuid(),
    eventId: z.uuid().describe('The `webhook-id` header.'),
    event: z.string(),
    recordId: z.uuid().describe('The message, memory, task or note that the event is about.'),
    messageId: z.uuid().nullable().describe('The same for events about messages; otherwise null.'),
    vaultId: z.uuid().nullable(),
    body: z.string().describe('The text that is signed and sent.'),
    state: z
      .enum(deliveryStates)
      .describe('`dead` after the last attempt, or after it waited for 30 days; kept for 30 days.'),
    attempt: z.int().describe('Attempts since it was queued.'),
    nextAttemptAt: fields.timestamp.nullable(),
    lastAttemptAt: fields.timestamp.nullable(),
    lastStatus: z.int().nullable(),
    attempts: z
      .array(
        z.looseObject({
          at: fields.timestamp,
          durationMs: z.int(),
          status: z.int().nullable(),
          error: z.string().nullable(),
        }),
      )
      .describe('The last ten attempts, oldest first.'),
    createdAt: fields.timestamp,
  })
  .meta({ id: 'WebhookDelivery' })

const describeDelivery = (delivery: Delivery): z.infer<typeof deliveryRecord> => ({
  id: delivery.id,
  webhookId: delivery.webhookId,
  eventId: delivery.eventId,
  event: delivery.event,
  recordId: delivery.recordId,
  messageId: delivery.event.startsWith('message.') ? delivery.recordId : null,
  vaultId: delivery.vaultId ?? null,
  body: delivery.body,
  state: delivery.state,
  attempt: delivery.attempt,
  nextAttemptAt: delivery.state === 'pending' ? isoTime(delivery.dueAt) : null,
  lastAttemptAt: isoTimeOrNull(delivery.lastAttemptAt),
  lastStatus: delivery.lastStatus ?? null,
  attempts: delivery.attempts.map(({ at, ms, status, problem }) => ({
    at: isoTime(at),
    durationMs: ms,
    status: status ?? null,
    error: problem ?? null,
  })),
  createdAt: isoTime(delivery.createdAt),
})

const exampleDelivery: z.infer<typeof deliveryRecord> = {
  id: '0198c5f0-0000-7000-8000-000000000062',
  webhookId: exampleWebhook.id,
  eventId: '0198c5f0-0000-7000-8000-000000000063',
  event: 'message.created',
  recordId: '0198c5f0-0000-7000-8000-000000000051',
  messageId: '0198c5f0-0000-7000-8000-000000000051',
  vaultId: null,
  body: '{"event":"message.created",…}',
  state: 'pending',
  attempt: 1,
  nextAttemptAt: '2026-11-21T09:00:05.412Z',
  lastAttemptAt: '2026-11-21T09:00:00.031Z',
  lastStatus: 502,
  attempts: [{ at: '2026-11-21T09:00:00.031Z', durationMs: 120, status: 502, error: 'HTTP 502' }],
  createdAt: '2026-11-21T09:00:00.000Z',
}

export const listWebhookDeliveries = operation({
  name: 'list-webhook-deliveries',
  for: { person: 'GET /api/webhooks/deliveries' },
  summary: 'List deliveries, newest first, including those that are still to be sent.',
  effect: 'read',
  outdatedBy: ['webhooks', 'messages', 'memories', 'tasks', 'notes'],
  about: ({ webhookId: id }) => refs('webhook', id),
  input: z.object({
    webhookId: webhookId.optional().describe('Only deliveries of this webhook.'),
    state: z
      .enum(deliveryStates)
      .optional()
      .describe('Only deliveries in this state: waiting, delivered, or failed after the last attempt.'),
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.looseObject({ deliveries: z.array(deliveryRecord), ...page }),
  examples: {
    input: {},
    output: { deliveries: [exampleDelivery], total: 1, limit: 20, offset: 0, hasMore: false },
  },
  async run({ webhookId: ofWebhook, state, limit, offset }, ctx) {
    const { db, actor } = ctx
    const keys = await findOwnKeys(ctx)
    if (ofWebhook !== undefined) await getWebhook(db.read, keys, actor.userId, ofWebhook)
    const query = {
      ...(ofWebhook !== undefined && { webhookId: ofWebhook }),
      ...(state !== undefined && { state }),
      limit,
      offset,
    }
    const { deliveries, total } = await listDeliveries(db.read, keys, actor.userId, query)
    return { deliveries: deliveries.map(describeDelivery), ...pageOf({ limit, offset }, total) }
  },
})
