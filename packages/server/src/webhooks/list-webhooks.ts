import { z } from 'zod'
import { collectDamage } from '../crypto/cell.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { describeLeftOut, leftOut, page, pageOf } from '../operation/page.ts'
import { countDeadByWebhook } from './delivery-store.ts'
import { getWebhook, listIntactWebhooks, type Webhook } from './store.ts'
import { describeWebhook, exampleWebhook, findOwnKeys, webhookId, webhookRecord } from './webhook.ts'

export const listWebhooks = operation({
  name: 'list-webhooks',
  for: { person: 'GET /api/webhooks' },
  summary: 'List your webhooks, newest first, or return one by id.',
  effect: 'read',
  outdatedBy: ['webhooks', 'messages'],
  about: ({ id }) => refs('webhook', id),
  input: z.object({
    id: webhookId.optional().describe('Return only this webhook, as `webhook`.'),
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.union([
    z.looseObject({ webhooks: z.array(webhookRecord), ...leftOut, ...page }),
    z.looseObject({ webhook: webhookRecord }),
  ]),
  examples: {
    input: {},
    output: { webhooks: [exampleWebhook], total: 1, limit: 20, offset: 0, hasMore: false },
  },
  async run({ id, limit, offset }, ctx) {
    const { db, actor, instance } = ctx
    const keys = await findOwnKeys(ctx)
    const dead = await countDeadByWebhook(db.read, actor.userId)
    const describe = (webhook: Webhook) => describeWebhook(webhook, dead.get(webhook.id) ?? 0)
    if (id !== undefined) return { webhook: describe(await getWebhook(db.read, keys, actor.userId, id)) }
    const damage = collectDamage(instance.onDamage)
    const asked = { limit, offset, onDamage: damage.onDamage }
    const { webhooks, total } = await listIntactWebhooks(db.read, keys, actor.userId, asked)
    return {
      webhooks: webhooks.map(describe),
      ...describeLeftOut(damage.ids),
      ...pageOf({ limit, offset }, total),
    }
  },
})
