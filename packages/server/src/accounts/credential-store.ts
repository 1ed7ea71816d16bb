import { newId } from '../core/ids.ts'
import { notFound } from '../core/errors.ts'
import { openJson, sealJson, type CellAddress, type Sealed } from '../crypto/cell.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import { hashSecret, newSecret } from '../crypto/secrets.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { SessionClient } from './session-client.ts'

/**
 * Sessions and dashboard tokens. Only their hashes are stored.
 *
 * A session has two secrets, and each call needs both: a cookie, which scripts can't read, and a session key, which browsers
 * send to no other server. Browsers send cookies to every server on the same host name, whatever its port.
 */

/** Counted from sign-in, however much the session is used. */
export const sessionLifetimeMs = 7 * 24 * 3_600_000

export interface SessionSecrets {
  cookie: string
  sessionKey: string
}

/** `keys` belong to the person's private scope and seal the description of the client. */
export async function issueSession(
  tx: Tx,
  keys: ScopeKeys,
  { userId, client, at }: { userId: string; client: SessionClient; at: number },
): Promise<SessionSecrets> {
  const id = newId()
  const sealed = sealJson(keys, 'content', clientAddress(userId, id), client)
  const [cookie, sessionKey] = [newSecret('hfc_'), newSecret('hfk_')]
  const row = { id, userId, kind: 'session', at, expiresAt: at + sessionLifetimeMs, client: sealed } as const
  await insert(tx, { ...row, secretHash: hashSecret(cookie), keyHash: hashSecret(sessionKey) })
  return { cookie, sessionKey }
}

/** What the person calls a token. */
interface TokenClient {
  name: string
}

/** The keys are those of the person's private scope. */
interface NamedToken extends TokenClient {
  keys: ScopeKeys
}

export async function issueDashboardToken(
  tx: Tx,
  userId: string,
  { at, lifetimeMs, named }: { at: number; lifetimeMs: number; named?: NamedToken | undefined },
): Promise<string> {
  const token = newSecret('hfd_')
  const id = newId()
  const sealName = ({ keys, name }: NamedToken) =>
    sealJson(keys, 'content', clientAddress(userId, id), { name } satisfies TokenClient)
  const client = named === undefined ? null : sealName(named)
  const row = { id, userId, kind: 'token', at, expiresAt: at + lifetimeMs, client } as const
  await insert(tx, { ...row, secretHash: hashSecret(token), keyHash: null })
  return token
}

interface NewCredential {
  id: string
  userId: string
  kind: 'session' | 'token'
  secretHash: Uint8Array
  keyHash: Uint8Array | null
  at: number
  expiresAt: number
  client: Sealed | null
}

async function insert(tx: Tx, { at, ...row }: NewCredential): Promise<void> {
  await tx
    .insertInto('dashboardCredentials')
    .values({ ...row, createdAt: at, lastUsedAt: at })
    .execute()
}

/** The session behind a credential's id; undefined for a token. */
export async function findSession(
  db: Reader,
  userId: string,
  credentialId: string,
): Promise<{ createdAt: number; expiresAt: number } | undefined> {
  const row = await db
    .selectFrom('dashboardCredentials')
    .select(['createdAt', 'expiresAt'])
    .where('userId', '=', userId)
    .where('id', '=', credentialId)
    .where('kind', '=', 'session')
    .executeTakeFirst()
  return row === undefined || row.expiresAt === null
    ? undefined
    : { createdAt: row.createdAt, expiresAt: row.expiresAt }
}

/** A valid session or token, opened. Sessions have a client, and tokens may have a name. */
export interface Credential {
  id: string
  kind: 'session' | 'token'
  client: SessionClient | undefined
  name: string | undefined
  createdAt: number
  lastUsedAt: number
  expiresAt: number
}

/** Valid sessions and tokens, most recently used first. `keys` is undefined if nothing has been sealed for the person yet. */
export async function listCredentials(
  db: Reader,
  keys: ScopeKeys | undefined,
  {
    userId,
    kind: only,
    now,
    idleMs,
    limit,
    offset,
  }: {
    userId: string
    kind?: Credential['kind'] | undefined
    now: number
    idleMs: number
    limit: number
    offset: number
  },
): Promise<{ credentials: Credential[]; total: number }> {
  const valid = db
    .selectFrom('dashboardCredentials')
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .where((where) => where.or([where('kind', '=', 'token'), where('lastUsedAt', '>', now - idleMs)]))
    .$if(only !== undefined, (query) => query.where('kind', '=', only as Credential['kind']))
  const rows = await valid
    .selectAll()
    .orderBy('lastUsedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await valid.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const credentials = rows.map(({ id, kind, client, createdAt, lastUsedAt, expiresAt }) => {
    const opened =
      client === null || keys === undefined ? undefined : openJson(keys, 'content', clientAddress(userId, id), client)
    return {
      id,
      kind,
      client: kind === 'session' ? (opened as SessionClient | undefined) : undefined,
      name: kind === 'token' ? (opened as TokenClient | undefined)?.name : undefined,
      createdAt,
      lastUsedAt,
      // The condition above excludes null.
      expiresAt: expiresAt ?? 0,
    }
  })
  return { credentials, total }
}

/** Returns true if it was a session. Tokens are kept. */
export async function deleteSession(tx: Tx, userId: string, credentialId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('dashboardCredentials')
    .where('userId', '=', userId)
    .where('id', '=', credentialId)
    .where('kind', '=', 'session')
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Revokes a session or token, and returns which of the two it was. It stops working with this commit. */
export async function deleteCredential(tx: Tx, userId: string, credentialId: string): Promise<'session' | 'token'> {
  const row = await tx
    .deleteFrom('dashboardCredentials')
    .where('userId', '=', userId)
    .where('id', '=', credentialId)
    .returning('kind')
    .executeTakeFirst()
  if (row === undefined) throw notFound('Session')
  return row.kind
}

/** Ends all sessions of the person except `keptId`. Tokens are kept. Returns how many sessions ended. */
export const endSessions = (tx: Tx, userId: string, keptId: string | undefined): Promise<number> =>
  deleteAll(tx, 'session', userId, keptId)

/** Revokes all tokens of the person except `keptId`. Returns how many. */
export const revokeTokens = (tx: Tx, userId: string, keptId: string | undefined): Promise<number> =>
  deleteAll(tx, 'token', userId, keptId)

async function deleteAll(
  tx: Tx,
  kind: 'session' | 'token',
  userId: string,
  keptId: string | undefined,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('dashboardCredentials')
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .$if(keptId !== undefined, (query) => query.where('id', '!=', keptId ?? ''))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Deletes the person's tokens and sessions that have expired, sessions also because of inactivity. */
export async function deleteExpired(tx: Tx, userId: string, now: number, idleMs: number): Promise<void> {
  await tx
    .deleteFrom('dashboardCredentials')
    .where('userId', '=', userId)
    .where((where) =>
      where.or([
        where('expiresAt', '<=', now),
        where.and([where('kind', '=', 'session'), where('lastUsedAt', '<=', now - idleMs)]),
      ]),
    )
    .execute()
}

const clientAddress = (userId: string, id: string): CellAddress => ({
  userId,
  scopeId: userId,
  table: 'dashboardCredentials',
  rowId: id,
  column: 'client',
  revision: 1,
})
