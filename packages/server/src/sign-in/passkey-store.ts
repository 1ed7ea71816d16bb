import { notFound } from '../core/errors.ts'
import { exactTag } from '../crypto/hash.ts'
import { type CellAddress, openJson, openText, type Sealed, sealJson, sealText } from '../crypto/cell.ts'
import { type ScopeKeys, tagKeys } from '../crypto/keys.ts'
import type { PasskeyCredential } from '../crypto/passkey.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'

/**
 * Keys of people's devices. Everything except counts and times is sealed under the keys of the person's private scope. This
 * includes the public key, so that someone who can only write to the database can't replace it with their own.
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

/** Look-up key for a passkey. Without the instance's key it reveals nothing. */
export const credentialTag = (instance: Instance, credentialId: string): Buffer =>
  exactTag(tagKeys(instance.keys).exact, 'passkey', credentialId)

/** Returns false, without writing anything, if this passkey is already registered. */
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
      credential: sealJson(keys, 'content', credentialAddress(userId, id), credential),
      name: sealText(keys, 'content', nameAddress(userId, id, 1), name),
      nameRevision: 1,
      counter,
      createdAt: at,
      lastUsedAt: null,
    })
    .onConflict((conflict) => conflict.column('credentialTag').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** A passkey as it is found during sign-in, before the user is known. */
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
  openJson(keys, 'content', credentialAddress(userId, id), sealedCredential) as PasskeyCredential

/** Oldest first. */
export async function findPasskeys(db: Reader, keys: ScopeKeys, userId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['id', 'name', 'nameRevision', 'createdAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map((row) => open(keys, userId, row))
}

/** Their credential ids, and how browsers reach the devices. */
export async function listCredentials(db: Reader, keys: ScopeKeys, userId: string): Promise<PasskeyCredential[]> {
  const rows = await db.selectFrom('passkeys').select(['id', 'credential']).where('userId', '=', userId).execute()
  return rows.map(({ id, credential }) =>
    openCredential(keys, { userId, id, counter: 0, sealedCredential: credential }),
  )
}

export async function updatePasskeyName(
  tx: Tx,
  keys: ScopeKeys,
  { userId, id, name }: { userId: string; id: string; name: string },
): Promise<Passkey> {
  // Also locks the row, so no other change can use the same revision.
  const row = await tx
    .updateTable('passkeys')
    .set((columns) => ({ nameRevision: columns('nameRevision', '+', 1) }))
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returning(['nameRevision', 'createdAt', 'lastUsedAt'])
    .executeTakeFirst()
  if (row === undefined) throw notFound('Passkey')
  await tx
    .updateTable('passkeys')
    .set({ name: sealText(keys, 'content', nameAddress(userId, id, row.nameRevision), name) })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute()
  return { id, name, createdAt: row.createdAt, lastUsedAt: row.lastUsedAt ?? undefined }
}

/** It stops working with this commit. */
export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeys')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('Passkey')
}

/** Deletes all passkeys of the person. Returns how many there were. */
export async function deletePasskeys(tx: Tx, userId: string): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('passkeys').where('userId', '=', userId).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Returns false if the passkey was removed in the meantime, or if its counter did not rise, which means that it was cloned. Devices without a counter send 0. */
export async function recordUse(
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

/** Returns false if the challenge was used already. Also deletes expired challenges. */
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
  nameRevision: number
  createdAt: number
  lastUsedAt: number | null
}

const open = (keys: ScopeKeys, userId: string, { id, name, nameRevision, createdAt, lastUsedAt }: Row): Passkey => ({
  id,
  name: openText(keys, 'content', nameAddress(userId, id, nameRevision), name),
  createdAt,
  lastUsedAt: lastUsedAt ?? undefined,
})

// Written once: a new key of a device is a new passkey.
const credentialAddress = (userId: string, id: string): CellAddress => ({
  ...nameAddress(userId, id, 1),
  column: 'credential',
})

const nameAddress = (userId: string, id: string, revision: number): CellAddress => ({
  userId,
  scopeId: userId,
  table: 'passkeys',
  rowId: id,
  column: 'name',
  revision,
})
