import { z } from 'zod'
import { ensurePrivateScope } from '../auth/private-scope-store.ts'
import { lockUser } from '../auth/store.ts'
import { forbidden } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { newWebhookSecret } from '../crypto/webhook-signature.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { countWebhooks, insertWebhook, requireVault } from './store.ts'
import {
  describeWebhook,
  eventsOf,
  exampleSecret,
  exampleWebhook,
  filtersOf,
  maxWebhooks,
  refuseUrl,
  webhookFields,
  webhookWithSecret,
} from './webhook.ts'

export const createWebhook = operation({
  name: 'create-webhook',
  for: { person: 'POST /api/webhooks' },
  summary:
    'Create a webhook that sends events about messages, memories, tasks and notes to a URL. Only this answer contains its signing secret.',
  effect: 'write',
  changes: ['webhooks'],
  input: z.object({
    url: webhookFields.url,
    events: webhookFields.events,
    vaultId: webhookFields.vaultId.optional(),
    filters: webhookFields.filters.optional(),
    isActive: webhookFields.isActive.default(true),
  }),
  output: z.looseObject({ webhook: webhookWithSecret }),
  returns: ({ webhook }) => refs('webhook', webhook.id),
  examples: {
    input: {
      url: exampleWebhook.url,
      events: ['message.created'],
      filters: { category: ['alert'], priority_gte: 4 },
    },
    output: { webhook: { ...exampleWebhook, secret: exampleSecret } },
  },
  created: () => true,
  async run({ url, events, vaultId, filters, isActive }, ctx) {
    const { db, keyring, actor, mek, now } = ctx
    const { userId } = actor
    await refuseUrl(ctx, url)
    const secret = newWebhookSecret()
    const draft = {
      id: newId(),
      userId,
      endpoint: { url, secret, previous: undefined },
      events: eventsOf(events),
      vaultId,
      filters: filtersOf(filters),
      isActive,
    }
    const webhook = await db.write(async (tx) => {
      await lockUser(tx, userId)
      if ((await countWebhooks(tx, userId)) >= maxWebhooks)
        throw forbidden(`You have ${maxWebhooks} webhooks, which is the limit. Delete one first.`)
      if (vaultId !== undefined) await requireVault(tx, userId, vaultId)
      const keys = await ensurePrivateScope(tx, keyring, { userId, mek }, now())
      ctx.about('webhook', draft.id)
      return insertWebhook(tx, keys, draft, now())
    })
    return { webhook: { ...describeWebhook(webhook, 0), secret } }
  },
})
