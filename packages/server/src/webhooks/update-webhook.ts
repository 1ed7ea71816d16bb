import { z } from 'zod'
import { ensurePrivateScope } from '../auth/private-scope-store.ts'
import { lockUser } from '../auth/store.ts'
import { conflict } from '../core/errors.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { countDeadByWebhook } from './delivery-store.ts'
import { getWebhook, requireVault, updateWebhook as update, type Webhook } from './store.ts'
import {
  describeWebhook,
  eventsOf,
  exampleWebhook,
  filtersOf,
  refuseUrl,
  webhookFields,
  webhookId,
  webhookRecord,
} from './webhook.ts'

const input = z.object({
  id: webhookId,
  isActive: webhookFields.isActive
    .optional()
    .describe(
      'False: no new deliveries are queued, and queued ones wait. True: also resets the error count and clears the last error.',
    ),
  url: webhookFields.url.optional(),
  events: webhookFields.events.optional(),
  vaultId: webhookFields.vaultId.nullable().optional().describe('Only records in this vault; null for all vaults.'),
  filters: webhookFields.filters.nullable().optional().describe('Replaces all filters; null for none.'),
  expectedVersion: fields.expectedVersion,
})

type Patch = z.output<typeof input>

export const updateWebhook = operation({
  name: 'update-webhook',
  for: { person: 'PATCH /api/webhooks' },
  summary: 'Update a webhook. Queued deliveries go to the new URL.',
  effect: 'write',
  changes: ['webhooks'],
  about: ({ id }) => refs('webhook', id),
  input,
  output: z.looseObject({ webhook: webhookRecord }),
  examples: {
    input: { id: exampleWebhook.id, isActive: true },
    output: { webhook: { ...exampleWebhook, version: 2 } },
  },
  async run(patch, ctx) {
    const { db, keyring, actor, mek, now, webhooks } = ctx
    const { userId } = actor
    if (patch.url !== undefined) await refuseUrl(ctx, patch.url)
    const changed = await db.write(async (tx) => {
      await lockUser(tx, userId)
      const keys = await ensurePrivateScope(tx, keyring, { userId, mek }, now())
      const before = await getWebhook(tx, keys, userId, patch.id)
      if (patch.expectedVersion !== undefined && patch.expectedVersion !== before.version)
        throw conflict(`The webhook has version ${before.version}, not ${patch.expectedVersion}`)
      if (typeof patch.vaultId === 'string') await requireVault(tx, userId, patch.vaultId)
      const after = withPatch(before, patch, now())
      const resetsErrors = patch.isActive === true && hasFailed(before)
      if (!resetsErrors && isSame(before, after)) return before
      await update(tx, keys, after, resetsErrors)
      return getWebhook(tx, keys, userId, patch.id)
    })
    webhooks.wake()
    const dead = await countDeadByWebhook(db.read, userId)
    return { webhook: describeWebhook(changed, dead.get(changed.id) ?? 0) }
  },
})

const withPatch = (before: Webhook, { url, events, vaultId, filters, isActive }: Patch, now: number): Webhook => ({
  ...before,
  endpoint: { ...before.endpoint, url: url ?? before.endpoint.url },
  events: events === undefined ? before.events : eventsOf(events),
  vaultId: vaultId === undefined ? before.vaultId : (vaultId ?? undefined),
  filters: filters === undefined ? before.filters : filtersOf(filters),
  isActive: isActive ?? before.isActive,
  version: before.version + 1,
  updatedAt: now,
})

const hasFailed = ({ errorCount, lastError, heldUntil }: Webhook) =>
  errorCount > 0 || lastError !== undefined || heldUntil !== undefined

const isSame = (before: Webhook, after: Webhook) =>
  JSON.stringify(before) === JSON.stringify({ ...after, version: before.version, updatedAt: before.updatedAt })
