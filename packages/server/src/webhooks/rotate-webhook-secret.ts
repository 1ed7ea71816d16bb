import { z } from 'zod'
import { ensurePrivateScope } from '../auth/private-scope-store.ts'
import { lockUser } from '../auth/store.ts'
import { isoTimeOrNull } from '../core/time.ts'
import { newWebhookSecret } from '../crypto/webhook-signature.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { countDeadByWebhook } from './delivery-store.ts'
import { getWebhook, updateWebhook } from './store.ts'
import { describeWebhook, exampleSecret, exampleWebhook, webhookId, webhookWithSecret } from './webhook.ts'

const overlapMs = 24 * 60 * 60_000

export const rotateWebhookSecret = operation({
  name: 'rotate-webhook-secret',
  for: { person: 'POST /api/webhooks/rotate-secret' },
  summary:
    'Create a new secret. For 24 hours, `webhook-signature` contains a signature with each secret, and `X-Service-Signature` one with the old secret.',
  effect: 'write',
  changes: ['webhooks'],
  about: ({ id }) => refs('webhook', id),
  input: z.object({
    id: webhookId,
    immediately: z
      .boolean()
      .default(false)
      .describe('True: stop using the old secret now, for example because it was leaked.'),
  }),
  output: z.looseObject({
    webhook: webhookWithSecret,
    previousSecretUntil: fields.timestamp.nullable().describe('When the old secret stops signing.'),
  }),
  examples: {
    input: { id: exampleWebhook.id },
    output: {
      webhook: { ...exampleWebhook, version: 2, secret: exampleSecret },
      previousSecretUntil: '2026-11-22T09:00:00.000Z',
    },
  },
  async run({ id, immediately }, { db, keyring, actor, mek, now }) {
    const { userId } = actor
    const at = now()
    const secret = newWebhookSecret()
    const rotated = await db.write(async (tx) => {
      await lockUser(tx, userId)
      const keys = await ensurePrivateScope(tx, keyring, { userId, mek }, at)
      const before = await getWebhook(tx, keys, userId, id)
      const previous = immediately ? undefined : { secret: before.endpoint.secret, until: at + overlapMs }
      const endpoint = { url: before.endpoint.url, secret, previous }
      const after = { ...before, endpoint, version: before.version + 1, updatedAt: at }
      await updateWebhook(tx, keys, after, false)
      return after
    })
    const dead = await countDeadByWebhook(db.read, userId)
    return {
      webhook: { ...describeWebhook(rotated, dead.get(id) ?? 0), secret },
      previousSecretUntil: isoTimeOrNull(rotated.endpoint.previous?.until),
    }
  },
})
