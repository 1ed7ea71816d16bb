import { type CellAddress, damagedName, openIntactJson, sealJson } from '../../crypto/cell.ts'
import { lastFour } from '../../crypto/secrets.ts'
import type { Reader, Tx } from '../../db/dialect.ts'
import type { OauthGrantsTable } from '../../db/tables/agents.ts'
import type { Instance } from '../../instance/instance.ts'

/**
 * Stores connections: agent keys whose secret a program gets for a code, and replaces each hour. Only hashes of codes and tokens are
 * stored. Who presents one is found by its hash, before the owner is known; everything after that filters by owner.
 */

/** What the person allowed, and to whom. Sealed, because programs choose their names and addresses. */
export interface GrantRequest {
  clientId: string
  clientName: string
  redirectUri: string
  /** BASE64URL(SHA-256(verifier)) of PKCE. */
  codeChallenge: string
  resource: string
}

export interface Grant {
  userId: string
  /** Also the id of the agent key. */
  id: string
  codeExpiresAt: number
  isCodeUsed: boolean
  refreshHash: Uint8Array | undefined
  request: GrantRequest
  /** Whether it is neither revoked nor expired, and its integration and its owner may call. */
  isUsable: boolean
}

export interface NewGrant {
  userId: string
  id: string
  integrationId: string
  codeHash: Uint8Array
  codeExpiresAt: number
  request: GrantRequest
}

export async function insertGrant(tx: Tx, instance: Instance, grant: NewGrant): Promise<void> {
  const request = sealJson(instance.keys, 'content', address(instance, grant), grant.request)
  await tx
    .insertInto('oauthGrants')
    .values({ ...grant, request, codeUsedAt: null, familyHash: null, refreshHash: null })
    .execute()
}

export async function findGrant(
  db: Reader,
  instance: Instance,
  by: 'codeHash' | 'familyHash',
  { hash, now }: { hash: Uint8Array; now: number },
): Promise<Grant | undefined> {
  const row = await db
    .selectFrom('oauthGrants as grant')
    .innerJoin('agentKeys as key', (join) =>
      join.onRef('key.userId', '=', 'grant.userId').onRef('key.id', '=', 'grant.id'),
    )
    .innerJoin('integrations as integration', (join) =>
      join.onRef('integration.userId', '=', 'grant.userId').onRef('integration.id', '=', 'grant.integrationId'),
    )
    .innerJoin('users as user', 'user.id', 'grant.userId')
    .select([
      'grant.userId',
      'grant.id',
      'grant.codeExpiresAt',
      'grant.codeUsedAt',
      'grant.refreshHash',
      'grant.request',
      'key.revokedAt',
      'key.expiresAt',
      'integration.isActive',
      'user.disabledAt',
    ])
    .where(`grant.${by}`, '=', hash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { userId, id, codeExpiresAt, codeUsedAt, refreshHash, request, revokedAt, expiresAt, isActive, disabledAt } =
    row
  const isExpired = expiresAt !== null && expiresAt <= now
  return {
    userId,
    id,
    codeExpiresAt,
    isCodeUsed: codeUsedAt !== null,
    refreshHash: refreshHash ?? undefined,
    request: openRequest(instance, { userId, id, request }),
    isUsable: revokedAt === null && !isExpired && isActive === 1 && disabledAt === null,
  }
}

/** False if the code was used before. */
export async function useCode(tx: Tx, { userId, id }: Pick<Grant, 'userId' | 'id'>, at: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('oauthGrants')
    .set({ codeUsedAt: at })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('codeUsedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stays the same over all refresh tokens of a connection, so a token that was used before is recognized. */
export async function startFamily(
  tx: Tx,
  { userId, id }: Pick<Grant, 'userId' | 'id'>,
  hashes: { familyHash: Uint8Array; refreshHash: Uint8Array },
): Promise<void> {
  await tx.updateTable('oauthGrants').set(hashes).where('userId', '=', userId).where('id', '=', id).execute()
}

/** False if someone else was faster with the same token. */
export async function replaceRefreshHash(
  tx: Tx,
  { userId, id }: Pick<Grant, 'userId' | 'id'>,
  { from, to }: { from: Uint8Array; to: Uint8Array },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('oauthGrants')
    .set({ refreshHash: to })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('refreshHash', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The former secret stops working at the commit. */
export async function replaceSecret(
  tx: Tx,
  { userId, id }: Pick<Grant, 'userId' | 'id'>,
  {
    hash,
    secret,
    secretExpiresAt,
    expiresAt,
  }: { hash: Uint8Array; secret: string; secretExpiresAt: number; expiresAt: number },
): Promise<void> {
  await tx
    .updateTable('agentKeys')
    .set({ keyHash: hash, lastFour: lastFour(secret), secretExpiresAt, expiresAt })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** The connection that an access token belongs to. */
export async function findByAccessHash(
  db: Reader,
  hash: Uint8Array,
): Promise<Pick<Grant, 'userId' | 'id'> | undefined> {
  return db
    .selectFrom('agentKeys as key')
    .innerJoin('oauthGrants as grant', (join) =>
      join.onRef('grant.userId', '=', 'key.userId').onRef('grant.id', '=', 'key.id'),
    )
    .select(['key.userId', 'key.id'])
    .where('key.keyHash', '=', hash)
    .executeTakeFirst()
}

/** What was allowed to which program, by the ids of keys. */
export async function listGrantRequests(
  db: Reader,
  instance: Instance,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, GrantRequest>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('oauthGrants')
    .select(['userId', 'id', 'request'])
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, openRequest(instance, row)]))
}

type RequestRow = Pick<OauthGrantsTable, 'userId' | 'id' | 'request'>

/** If it is damaged, it is that of no program: the connection gets no more tokens, and a person can still see and revoke it. */
const openRequest = (instance: Instance, row: RequestRow): GrantRequest =>
  (openIntactJson(instance, address(instance, row), row.request) as GrantRequest | undefined) ?? {
    clientId: '',
    clientName: damagedName(row.id),
    redirectUri: '',
    codeChallenge: '',
    resource: '',
  }

/** Deletes connections whose code nobody used in time, with their keys, which never had a secret. */
export async function deleteUnused(tx: Tx, userId: string, now: number): Promise<void> {
  const unused = tx
    .selectFrom('oauthGrants')
    .select('id')
    .where('userId', '=', userId)
    .where('codeUsedAt', 'is', null)
    .where('codeExpiresAt', '<=', now)
  await tx.deleteFrom('agentKeys').where('userId', '=', userId).where('id', 'in', unused).execute()
  await tx
    .deleteFrom('oauthGrants')
    .where('userId', '=', userId)
    .where('codeUsedAt', 'is', null)
    .where('codeExpiresAt', '<=', now)
    .execute()
}

const address = (instance: Instance, { userId, id }: Pick<Grant, 'userId' | 'id'>): CellAddress => ({
  userId,
  scopeId: instance.id,
  table: 'oauthGrants',
  rowId: id,
  column: 'request',
  revision: 1,
})
