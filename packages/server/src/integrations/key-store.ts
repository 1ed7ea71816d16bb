import { newId } from '../core/ids.ts'
import { notFound } from '../core/errors.ts'
import { damagedName, openIntactText, type Sealed, sealText, type CellAddress } from '../crypto/cell.ts'
import { hashSecret, lastFour, newSecret } from '../crypto/secrets.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { AgentKeysTable } from '../db/tables/agents.ts'
import type { Instance } from '../instance/instance.ts'

/** An agent key. Every query filters by owner. Only a key's hash and four characters of its checksum are stored. */
export interface AgentKey {
  id: string
  integrationId: string
  label: string | undefined
  lastFour: string
  createdAt: number
  expiresAt: number | undefined
  revokedAt: number | undefined
  lastUsedAt: number | undefined
}

/** The number of an integration's valid keys, and when one of its keys was last used. */
export interface KeyUse {
  valid: number
  lastUsedAt: number | undefined
}

export interface NewAgentKey {
  userId: string
  integrationId: string
  label: string | undefined
  expiresAt: number | undefined
  at: number
}

/** Creates a key. The secret is returned but not stored. */
export async function issueAgentKey(
  tx: Tx,
  instance: Instance,
  { userId, integrationId, label, expiresAt, at }: NewAgentKey,
): Promise<{ key: AgentKey; agentKey: string }> {
  const id = newId()
  const agentKey = newSecret('svc_')
  const row = {
    id,
    userId,
    integrationId,
    keyHash: hashSecret(agentKey),
    lastFour: lastFour(agentKey),
    label: label === undefined ? null : sealText(instance.keys, 'content', labelAddress(instance, userId, id), label),
    vaultId: null,
    createdAt: at,
    expiresAt: expiresAt ?? null,
    revokedAt: null,
    lastUsedAt: null,
    secretExpiresAt: null,
  }
  await tx.insertInto('agentKeys').values(row).execute()
  return { key: open(instance, row), agentKey }
}

export async function getAgentKey(db: Reader, instance: Instance, userId: string, id: string): Promise<AgentKey> {
  const row = await db
    .selectFrom('agentKeys')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw notFound('Key')
  return open(instance, row)
}

/** Newest first, optionally of one integration. */
export async function listAgentKeys(
  db: Reader,
  instance: Instance,
  userId: string,
  { integrationId, limit, offset }: { integrationId: string | undefined; limit: number; offset: number },
): Promise<{ keys: AgentKey[]; total: number }> {
  const mine = db
    .selectFrom('agentKeys')
    .where('userId', '=', userId)
    .$if(integrationId !== undefined, (query) => query.where('integrationId', '=', integrationId ?? ''))
  const rows = await mine.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const { total } = await mine.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { keys: rows.map((row) => open(instance, row)), total }
}

/** At most `limit` valid keys that expire before `until`, the soonest first. */
export async function listExpiringKeys(
  db: Reader,
  instance: Instance,
  userId: string,
  { from, until, limit }: { from: number; until: number; limit: number },
): Promise<AgentKey[]> {
  const rows = await db
    .selectFrom('agentKeys')
    .selectAll()
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', from)
    .where('expiresAt', '<', until)
    .orderBy('expiresAt')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => open(instance, row))
}

/** By the integration's id. */
export async function countAgentKeys(db: Reader, userId: string, now: number): Promise<Map<string, KeyUse>> {
  const rows = await db
    .selectFrom('agentKeys')
    .select(['integrationId', 'expiresAt', 'revokedAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .execute()
  const counts = new Map<string, KeyUse>()
  for (const { integrationId, expiresAt, revokedAt, lastUsedAt } of rows) {
    const before = counts.get(integrationId) ?? { valid: 0, lastUsedAt: undefined }
    const isValid = revokedAt === null && (expiresAt === null || expiresAt > now)
    counts.set(integrationId, {
      valid: before.valid + (isValid ? 1 : 0),
      lastUsedAt: Math.max(before.lastUsedAt ?? 0, lastUsedAt ?? 0) || undefined,
    })
  }
  return counts
}

/** Takes effect at the commit. Revoking a key again keeps the first time. */
export async function revokeAgentKey(tx: Tx, userId: string, id: string, at: number): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('agentKeys')
    .set((key) => ({ revokedAt: key.fn.coalesce('revokedAt', key.val(at)) }))
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw notFound('Key')
}

type KeyRow = Pick<
  AgentKeysTable,
  'id' | 'userId' | 'integrationId' | 'label' | 'lastFour' | 'createdAt' | 'expiresAt' | 'revokedAt' | 'lastUsedAt'
>

const open = (instance: Instance, row: KeyRow): AgentKey => ({
  id: row.id,
  integrationId: row.integrationId,
  label: row.label === null ? undefined : openLabel(instance, row.label, row),
  lastFour: row.lastFour,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt ?? undefined,
  revokedAt: row.revokedAt ?? undefined,
  lastUsedAt: row.lastUsedAt ?? undefined,
})

/** A damaged label must not keep a person from the list in which they revoke keys. */
const openLabel = (instance: Instance, label: Sealed, { userId, id }: Pick<KeyRow, 'userId' | 'id'>): string =>
  openIntactText(instance, labelAddress(instance, userId, id), label) ?? damagedName(id)

const labelAddress = (instance: Instance, userId: string, id: string): CellAddress => ({
  userId,
  scopeId: instance.id,
  table: 'agentKeys',
  rowId: id,
  column: 'label',
  revision: 1,
})
