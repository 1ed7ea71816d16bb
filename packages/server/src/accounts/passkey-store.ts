import { notFound } from '../core/errors.ts'
import { exactTag } from '../crypto/blind.ts'
import { openJson, openText, sealJson, sealText, type CellAddress, type Sealed } from '../crypto/cell.ts'
import { tagKeys, type ScopeKeys } from '../crypto/keys.ts'
import type { PasskeyCredential } from '../crypto/passkey.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'

/**
 * Keys of people's devices. All but counts and times lies sealed under the keys of what the person has outside of vaults, also
 * the public half: so nobody who can only write to the store puts a key of their own in its place.
 */
export interface Passkey {
  id: string
  name: string
  createdAt: number
  lastUsedAt: number | undefined
}

interface NewPasskey {
  userId: string
  id: string
  name: string
  credential: PasskeyCredential
  counter: number
  at: number
}

/** By which a passkey is found; without the instance's key it tells nothing. */
export const credentialTag = (instance: Instance, credentialId: string): Buffer =>
  exactTag(tagKeys(instance.keys).exact, 'passkey', credentialId)

/** False, with nothing written, where somebody has this one already. */
export async function insertPasskey(
  tx: Tx,
  instance: Instance,
  keys: ScopeKeys,
  { userId, id, name, credential, counter, at }: NewPasskey,
): Promise<boolean> {
  const row = await tx
    .insertInto('passkeys')
    .values({
      userId,
      id,
      credentialTag: credentialTag(instance, credential.id),
      credential: sealJson(keys, 'content', addressOf(userId, id, 'credential'), credential),
      name: sealText(keys, 'content', addressOf(userId, id, 'name'), name),
      counter,
      createdAt: at,
      lastUsedAt: null,
    })
    .onConflict((conflict) => conflict.column('credentialTag').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** As it is found by who signs in, whom nobody knows yet. */
export interface FoundPasskey {
  userId: string
  id: string
  counter: number
  sealedCredential: Sealed
}

export async function findPasskey(
  db: Reader,
  instance: Instance,
  credentialId: string,
): Promise<FoundPasskey | undefined> {
  return db
    .selectFrom('passkeys')
    .select(['userId', 'id', 'counter', 'credential as sealedCredential'])
    .where('credentialTag', '=', credentialTag(instance, credentialId))
    .executeTakeFirst()
}

export const openCredential = (keys: ScopeKeys, { userId, id, sealedCredential }: FoundPasskey): PasskeyCredential =>
  openJson(keys, 'content', addressOf(userId, id, 'credential'), sealedCredential) as PasskeyCredential

/** In the order in which they were added. */
export async function listPasskeys(db: Reader, keys: ScopeKeys, userId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['id', 'name', 'createdAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map((row) => open(keys, userId, row))
}

/** What their devices call them, and how these are reached. */
export async function listCredentials(db: Reader, keys: ScopeKeys, userId: string): Promise<PasskeyCredential[]> {
  const rows = await db.selectFrom('passkeys').select(['id', 'credential']).where('userId', '=', userId).execute()
  return rows.map(({ id, credential }) =>
    openCredential(keys, { userId, id, counter: 0, sealedCredential: credential }),
  )
}

export async function renamePasskey(
  tx: Tx,
  keys: ScopeKeys,
  { userId, id, name }: { userId: string; id: string; name: string },
): Promise<Passkey> {
  const row = await tx
    .updateTable('passkeys')
    .set({ name: sealText(keys, 'content', addressOf(userId, id, 'name'), name) })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returning(['id', 'name', 'createdAt', 'lastUsedAt'])
    .executeTakeFirst()
  if (row === undefined) throw notFound('Passkey')
  return open(keys, userId, row)
}

/** It lets nobody in from the commit on. */
export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeys')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('Passkey')
}

/** All of the person's. Returns how many there were. */
export async function deletePasskeys(tx: Tx, userId: string): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('passkeys').where('userId', '=', userId).executeTakeFirst()
  return Number(numDeletedRows)
}

/** False where it was removed meanwhile, or has signed as often before: then there are two of it. Devices that do not count say 0. */
export async function noteUse(
  tx: Tx,
  { userId, id }: Pick<FoundPasskey, 'userId' | 'id'>,
  { counter, at }: { counter: number; at: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter, lastUsedAt: at })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('counter', counter === 0 ? '=' : '<', counter)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False where it was spent before. Clears away what nobody would take any more. */
export async function spendChallenge(
  tx: Tx,
  userId: string,
  { challengeHash, expiresAt, now }: { challengeHash: Uint8Array; expiresAt: number; now: number },
): Promise<boolean> {
  await tx.deleteFrom('spentChallenges').where('userId', '=', userId).where('expiresAt', '<=', now).execute()
  const row = await tx
    .insertInto('spentChallenges')
    .values({ userId, challengeHash, expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('expiresAt')
    .executeTakeFirst()
  return row !== undefined
}

interface Row {
  id: string
  name: Sealed
  createdAt: number
  lastUsedAt: number | null
}

const open = (keys: ScopeKeys, userId: string, { id, name, createdAt, lastUsedAt }: Row): Passkey => ({
  id,
  name: openText(keys, 'content', addressOf(userId, id, 'name'), name),
  createdAt,
  lastUsedAt: lastUsedAt ?? undefined,
})

// The revision stays 1: no cell tells anything that another one of its row must fit.
const addressOf = (userId: string, id: string, column: 'credential' | 'name'): CellAddress => ({
  userId,
  scopeId: userId,
  table: 'passkeys',
  rowId: id,
  column,
  revision: 1,
})
