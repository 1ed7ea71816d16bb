import { openIntact } from '../auth/scope-key-store.ts'
import { notFound } from '../core/errors.ts'
import { type OnDamage, openJson, openText, sealJson, sealText, type CellAddress } from '../crypto/cell.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { WebhooksTable } from '../db/tables/webhooks.ts'
import { openWindow } from './breaker.ts'
import type { EventName, MessageCategory } from './event.ts'

/** Webhook subscriptions. URL, secrets and the last error are sealed with the keys of the user's private scope. */

export interface Filters {
  category: MessageCategory[] | undefined
  memoryTypes: string[] | undefined
  minPriority: number | undefined
  targetId: string | undefined
}

export interface Endpoint {
  url: string
  secret: string
  /** Set after a rotation, for receivers that don't have the new secret yet. */
  previous: { secret: string; until: number } | undefined
}

export interface Webhook {
  id: string
  userId: string
  endpoint: Endpoint
  endpointRevision: number
  events: EventName[]
  vaultId: string | undefined
  filters: Filters
  isActive: boolean
  errorCount: number
  lastError: string | undefined
  lastDeliveryAt: number | undefined
  heldUntil: number | undefined
  version: number
  createdAt: number
  updatedAt: number
}

export type NewWebhook = Pick<Webhook, 'id' | 'userId' | 'endpoint' | 'events' | 'vaultId' | 'filters' | 'isActive'>

export async function insertWebhook(tx: Tx, keys: ScopeKeys, webhook: NewWebhook, at: number): Promise<Webhook> {
  const { id, userId } = webhook
  const untried = { errorCount: 0, lastError: undefined, lastDeliveryAt: undefined, heldUntil: undefined }
  const made = { ...webhook, ...untried, endpointRevision: 1, version: 1, createdAt: at, updatedAt: at }
  await tx
    .insertInto('webhooks')
    .values({ id, userId, createdAt: at, ...chosenColumns(keys, made), ...untriedColumns })
    .execute()
  return made
}

const untriedColumns = { errorCount: 0, lastError: null, lastErrorRevision: 0, lastDeliveryAt: null, ...openWindow }

/** Writes the fields that the owner can change. Keeps the delivery counters, unless `resetsErrors` resets them. */
export async function updateWebhook(tx: Tx, keys: ScopeKeys, webhook: Webhook, resetsErrors: boolean): Promise<void> {
  const resealed = { ...webhook, endpointRevision: webhook.endpointRevision + 1 }
  await tx
    .updateTable('webhooks')
    .set({ ...chosenColumns(keys, resealed), ...(resetsErrors && { errorCount: 0, lastError: null, ...openWindow }) })
    .where('userId', '=', webhook.userId)
    .where('id', '=', webhook.id)
    .execute()
}

const chosenColumns = (keys: ScopeKeys, webhook: Webhook) => ({
  vaultId: webhook.vaultId ?? null,
  events: webhook.events.join(','),
  categories: webhook.filters.category?.join(',') ?? null,
  memoryTypes: webhook.filters.memoryTypes?.join(',') ?? null,
  minPriority: webhook.filters.minPriority ?? null,
  targetId: webhook.filters.targetId ?? null,
  isActive: webhook.isActive ? 1 : 0,
  endpoint: sealJson(keys, 'content', addressOf(webhook, 'endpoint', webhook.endpointRevision), webhook.endpoint),
  endpointRevision: webhook.endpointRevision,
  version: webhook.version,
  updatedAt: webhook.updatedAt,
})

export async function findWebhook(
  db: Reader,
  keys: ScopeKeys | undefined,
  userId: string,
  id: string,
): Promise<Webhook | undefined> {
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  // Without keys the user has no webhooks.
  return row && keys && open(keys, row)
}

export async function getWebhook(
  db: Reader,
  keys: ScopeKeys | undefined,
  userId: string,
  id: string,
): Promise<Webhook> {
  const webhook = await findWebhook(db, keys, userId, id)
  if (webhook === undefined) throw notFound('Webhook')
  return webhook
}

/** Newest first. Leaves out damaged ones, which `onDamage` gets; `total` counts them. */
export async function listIntactWebhooks(
  db: Reader,
  keys: ScopeKeys | undefined,
  userId: string,
  { limit, offset, onDamage }: { limit: number; offset: number; onDamage: OnDamage },
): Promise<{ webhooks: Webhook[]; total: number }> {
  const mine = db.selectFrom('webhooks').where('userId', '=', userId)
  const rows = await mine.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  return {
    webhooks: keys === undefined ? [] : await openIntact(db, rows, (row) => open(keys, row), onDamage),
    total: await countWebhooks(db, userId),
  }
}

export async function countWebhooks(db: Reader, userId: string): Promise<number> {
  const { total } = await db
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return total
}

export async function deleteWebhook(tx: Tx, userId: string, id: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('webhooks')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('Webhook')
}

/** Throws unless the vault belongs to the user and isn't being erased. The user's row must be locked, as in an erasure. */
export async function requireVault(tx: Tx, userId: string, vaultId: string): Promise<void> {
  const vault = await tx
    .selectFrom('vaults as vault')
    .innerJoin('vaultKeys as key', (join) =>
      join.onRef('key.userId', '=', 'vault.userId').onRef('key.scopeId', '=', 'vault.id'),
    )
    .select('vault.id')
    .where('vault.userId', '=', userId)
    .where('vault.id', '=', vaultId)
    .executeTakeFirst()
  if (vault === undefined) throw notFound('Vault')
}

/** For the column `lastError` of a row whose `lastErrorRevision` the caller has raised to `revision`. */
export const sealError = (
  keys: ScopeKeys,
  webhook: Place,
  { problem, revision }: { problem: string; revision: number },
) => sealText(keys, 'content', addressOf(webhook, 'lastError', revision), problem)

const open = (keys: ScopeKeys, row: WebhooksTable): Webhook => ({
  id: row.id,
  userId: row.userId,
  endpoint: openJson(keys, 'content', addressOf(row, 'endpoint', row.endpointRevision), row.endpoint) as Endpoint,
  endpointRevision: row.endpointRevision,
  events: row.events.split(',') as EventName[],
  vaultId: row.vaultId ?? undefined,
  filters: {
    category: row.categories === null ? undefined : (row.categories.split(',') as MessageCategory[]),
    memoryTypes: row.memoryTypes?.split(','),
    minPriority: row.minPriority ?? undefined,
    targetId: row.targetId ?? undefined,
  },
  isActive: row.isActive === 1,
  errorCount: row.errorCount,
  lastError:
    row.lastError === null
      ? undefined
      : openText(keys, 'content', addressOf(row, 'lastError', row.lastErrorRevision), row.lastError),
  lastDeliveryAt: row.lastDeliveryAt ?? undefined,
  heldUntil: row.heldUntil ?? undefined,
  version: row.version,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

interface Place {
  userId: string
  id: string
}

const addressOf = ({ userId, id }: Place, column: 'endpoint' | 'lastError', revision: number): CellAddress => ({
  userId,
  scopeId: userId,
  table: 'webhooks',
  rowId: id,
  column,
  revision,
})
