import { newId } from '../core/ids.ts'
import { hashSecret, newSecret } from '../crypto/secrets.ts'
import type { Reader, Tx } from '../db/dialect.ts'

/** Sessions (cookies) and dashboard tokens: only their hashes are kept. */

/** From its making, however much it is used. */
export const sessionLifetimeMs = 7 * 24 * 3_600_000

export const issueSession = (tx: Tx, userId: string, at: number): Promise<string> =>
  issue(tx, 'session', { userId, at, expiresAt: at + sessionLifetimeMs })

/** Holds until it is taken away. */
export const issueDashboardToken = (tx: Tx, userId: string, at: number): Promise<string> =>
  issue(tx, 'token', { userId, at, expiresAt: null })

interface NewCredential {
  userId: string
  at: number
  expiresAt: number | null
}

async function issue(tx: Tx, kind: 'session' | 'token', { userId, at, expiresAt }: NewCredential): Promise<string> {
  const secret = newSecret(kind === 'session' ? 'hfc_' : 'hfd_')
  await tx
    .insertInto('dashboardCredentials')
    .values({
      id: newId(),
      userId,
      kind,
      secretHash: hashSecret(secret),
      createdAt: at,
      lastUsedAt: at,
      expiresAt,
    })
    .execute()
  return secret
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

/** True where it was a session; a token is left as it is. */
export async function endSession(tx: Tx, userId: string, credentialId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('dashboardCredentials')
    .where('userId', '=', userId)
    .where('id', '=', credentialId)
    .where('kind', '=', 'session')
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Clears away the person's sessions that have expired, by age or by idleness. */
export async function deleteExpiredSessions(tx: Tx, userId: string, now: number, idleMs: number): Promise<void> {
  await tx
    .deleteFrom('dashboardCredentials')
    .where('userId', '=', userId)
    .where('kind', '=', 'session')
    .where((where) => where.or([where('expiresAt', '<=', now), where('lastUsedAt', '<=', now - idleMs)]))
    .execute()
}
