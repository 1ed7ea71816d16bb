import { z } from 'zod'
import { findPrivateScope } from '../auth/private-scope-store.ts'
import { invalid } from '../core/errors.ts'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import type { PersonContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { eventNames, memoryEventTypes, messageCategories, type EventName } from './event.ts'
import type { Filters, Webhook } from './store.ts'

/** Of a user. Bounds the number of deliveries that one change queues. */
export const maxWebhooks = 50

const maxUrlChars = 2048

const filters = z.object({
  category: z
    .array(z.enum(messageCategories))
    .min(1)
    .max(messageCategories.length)
    .optional()
    .describe('Only messages of these categories.'),
  memoryTypes: z
    .array(z.enum(memoryEventTypes))
    .min(1)
    .max(memoryEventTypes.length)
    .optional()
    .describe('Only memories of these types. Does not affect tasks and notes.'),
  priority_gte: z.int().min(1).max(5).optional().describe('Only messages of this priority or above.'),
  targetId: fields.agentName.optional().describe('Only messages to this agent, to `user`, or to everyone (`*`).'),
})

/** A webhook in responses, without its secret. */
export const webhookRecord = z
  .looseObject({
    id: z.uuid(),
    url: z.string(),
    events: z.array(z.string()),
    vaultId: z.uuid().nullable(),
    filters: z.looseObject(filters.shape).nullable(),
    isActive: z.boolean(),
    errorCount: z.int().describe('Failed attempts since the webhook was created or last activated.'),
    failedDeliveries: z
      .int()
      .describe(
        'Deliveries given up in the last 30 days: all attempts failed, or they waited for 30 days, for example because the webhook was paused.',
      ),
    lastError: z.string().nullable(),
    lastDeliveryAt: fields.timestamp.nullable().describe('When a delivery last succeeded.'),
    heldUntil: fields.timestamp
      .nullable()
      .describe('Set while most attempts fail. One attempt a minute is made until one succeeds.'),
    version: z.int(),
    createdAt: fields.timestamp,
    updatedAt: fields.timestamp,
  })
  .meta({ id: 'Webhook' })

export const webhookId = z.uuid().describe('Id of the webhook.')

export const webhookFields = {
  url: z
    .url({ protocol: /^https?$/ })
    .max(maxUrlChars)
    .describe('Where to send events: an https URL with a public address, at most 2,048 characters.'),
  events: z.array(z.enum(eventNames)).min(1).max(eventNames.length).describe('The events to send.'),
  vaultId: z.uuid().describe('Only records in this vault.'),
  filters: filters.describe('Only messages and memories that match all of these filters.'),
  isActive: z.boolean().describe('False: no new deliveries are queued, and queued ones wait.'),
}

/** Removes repeated names. */
export const eventsOf = (given: readonly EventName[]): EventName[] => [...new Set(given)]
export const filtersOf = (given: z.output<typeof filters> | null | undefined): Filters => ({
  category: given?.category && [...new Set(given.category)],
  memoryTypes: given?.memoryTypes && [...new Set(given.memoryTypes)],
  minPriority: given?.priority_gte,
  targetId: given?.targetId,
})

/** `failedDeliveries`: from `countDeadByWebhook`. */
export const describeWebhook = (webhook: Webhook, failedDeliveries: number): z.infer<typeof webhookRecord> => ({
  id: webhook.id,
  url: webhook.endpoint.url,
  events: webhook.events,
  vaultId: webhook.vaultId ?? null,
  filters: describeFilters(webhook.filters),
  isActive: webhook.isActive,
  errorCount: webhook.errorCount,
  failedDeliveries,
  lastError: webhook.lastError ?? null,
  lastDeliveryAt: isoTimeOrNull(webhook.lastDeliveryAt),
  heldUntil: isoTimeOrNull(webhook.heldUntil),
  version: webhook.version,
  createdAt: isoTime(webhook.createdAt),
  updatedAt: isoTime(webhook.updatedAt),
})

function describeFilters({ minPriority, ...others }: Filters): Record<string, unknown> | null {
  const set = Object.entries({ ...others, priority_gte: minPriority }).filter(([, value]) => value !== undefined)
  return set.length === 0 ? null : Object.fromEntries(set)
}

/** With the secret. Returned only when it is created or rotated. */
export const webhookWithSecret = webhookRecord
  .extend({ secret: z.string().describe('Secret that signs deliveries. Shown only once.') })
  .meta({ id: 'WebhookWithSecret' })

export const exampleWebhook: z.infer<typeof webhookRecord> = {
  id: '0198c5f0-0000-7000-8000-000000000061',
  url: 'https://hooks.example.org/holdfast',
  events: ['message.created'],
  vaultId: null,
  filters: { category: ['alert'], priority_gte: 4 },
  isActive: true,
  errorCount: 0,
  failedDeliveries: 0,
  lastError: null,
  lastDeliveryAt: null,
  heldUntil: null,
  version: 1,
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
}

export const exampleSecret = 'whsec_…'

export async function refuseUrl({ webhooks }: Pick<PersonContext, 'webhooks'>, url: string): Promise<void> {
  const reason = await webhooks.refusal(url)
  if (reason !== undefined) throw invalid({ url: reason })
}

/** The keys of the caller's private scope; undefined if nothing has been sealed with them yet. */
export const findOwnKeys = (
  ctx: Pick<PersonContext, 'db' | 'keyring' | 'actor' | 'mek'>,
): Promise<ScopeKeys | undefined> =>
  findPrivateScope(ctx.db.read, ctx.keyring, { userId: ctx.actor.userId, mek: ctx.mek })
