import { openProfile, sealProfile, type IntegrationProfile } from '../auth/store.ts'
import { notFound } from '../core/errors.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { IntegrationsTable } from '../db/tables/agents.ts'
import type { Instance } from '../instance/instance.ts'

/** Stores integrations and their access lists. Every query filters by owner. */

export interface Grant {
  vaultId: string
  /** Undefined: the integration's preset also applies in this vault. */
  preset: string | undefined
}

export interface Integration {
  id: string
  userId: string
  profile: IntegrationProfile
  profileRevision: number
  preset: string
  restrictToVault: boolean
  grants: Grant[]
  primaryVaultId: string | undefined
  isActive: boolean
  version: number
  createdAt: number
  updatedAt: number
}

export async function insertIntegration(
  tx: Tx,
  instance: Instance,
  integration: Integration,
  wrap: Pick<IntegrationsTable, 'wrappedMek' | 'nextWrappedMek' | 'mekVersion'>,
): Promise<void> {
  const { id, userId, createdAt } = integration
  await tx
    .insertInto('integrations')
    .values({ id, userId, createdAt, ...changeableColumns(instance, integration), ...wrap })
    .execute()
  await insertGrants(tx, integration)
}

/** Writes all fields that can change, including the access list. */
export async function updateIntegration(tx: Tx, instance: Instance, integration: Integration): Promise<void> {
  const { id, userId } = integration
  await tx
    .updateTable('integrations')
    .set(changeableColumns(instance, { ...integration, profileRevision: integration.profileRevision + 1 }))
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('vaultGrants').where('userId', '=', userId).where('integrationId', '=', id).execute()
  await insertGrants(tx, integration)
}

const changeableColumns = (instance: Instance, integration: Integration) => ({
  ...sealProfile(
    instance,
    { userId: integration.userId, integrationId: integration.id },
    integration.profile,
    integration.profileRevision,
  ),
  preset: integration.preset,
  restrictToVault: integration.restrictToVault ? 1 : 0,
  primaryVaultId: integration.primaryVaultId ?? null,
  isActive: integration.isActive ? 1 : 0,
  version: integration.version,
  updatedAt: integration.updatedAt,
})

async function insertGrants(tx: Tx, { id, userId, grants }: Integration): Promise<void> {
  if (grants.length === 0) return
  await tx
    .insertInto('vaultGrants')
    .values(grants.map(({ vaultId, preset }) => ({ userId, integrationId: id, vaultId, preset: preset ?? null })))
    .execute()
}

export async function getIntegration(db: Reader, instance: Instance, userId: string, id: string): Promise<Integration> {
  const row = await db
    .selectFrom('integrations')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw notFound('Integration')
  const grants = await listGrants(db, userId, [id])
  return open(instance, row, grants.get(id))
}

/** Newest first. */
export async function listIntegrations(
  db: Reader,
  instance: Instance,
  userId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ integrations: Integration[]; total: number }> {
  const mine = db.selectFrom('integrations').where('userId', '=', userId)
  const rows = await mine.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const { total } = await mine.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const grants = await listGrants(
    db,
    userId,
    rows.map(({ id }) => id),
  )
  return { integrations: rows.map((row) => open(instance, row, grants.get(row.id))), total }
}

async function listGrants(db: Reader, userId: string, ids: readonly string[]): Promise<Map<string, Grant[]>> {
  const grants = new Map<string, Grant[]>()
  if (ids.length === 0) return grants
  const rows = await db
    .selectFrom('vaultGrants')
    .selectAll()
    .where('userId', '=', userId)
    .where('integrationId', 'in', ids)
    .orderBy('vaultId')
    .execute()
  for (const { integrationId, vaultId, preset } of rows) {
    const before = grants.get(integrationId) ?? []
    grants.set(integrationId, [...before, { vaultId, preset: preset ?? undefined }])
  }
  return grants
}

const open = (instance: Instance, row: IntegrationsTable, grants: Grant[] = []): Integration => ({
  id: row.id,
  userId: row.userId,
  profile: openProfile(instance, { userId: row.userId, integrationId: row.id }, row),
  profileRevision: row.profileRevision,
  preset: row.preset,
  restrictToVault: row.restrictToVault === 1,
  grants,
  primaryVaultId: row.primaryVaultId ?? undefined,
  isActive: row.isActive === 1,
  version: row.version,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

/** Also deletes its proposals, and its keys, grants and wrapped master key, so its credentials can't open anything any more. */
export async function deleteIntegration(tx: Tx, userId: string, id: string): Promise<void> {
  for (const table of ['agentKeys', 'oauthGrants', 'vaultGrants', 'proposals'] as const)
    await tx.deleteFrom(table).where('userId', '=', userId).where('integrationId', '=', id).execute()
  // Also forgets that this agent's guesses were accepted.
  await tx
    .deleteFrom('reviewDecisions')
    .where('userId', '=', userId)
    .where('kind', '=', 'agent')
    .where('firstId', '=', id)
    .execute()
  const { numDeletedRows } = await tx
    .deleteFrom('integrations')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('Integration')
}
