import { formerKeys, notFound } from '../core/errors.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import { locksRows, type Reader, type Tx } from '../db/dialect.ts'
import type { Keyring, Mek } from './keyring.ts'
import { insertScopeKey, listScopeKeys } from './scope-key-store.ts'
import { holdMek } from './store.ts'

/** The keys for a user's data outside of vaults. They are created on first use. */

interface Owner {
  userId: string
  mek: Mek
}

/** Undefined if nothing was sealed for this user yet. */
export async function findPrivateScope(
  db: Reader,
  keyring: Keyring,
  { userId, mek }: Owner,
): Promise<ScopeKeys | undefined> {
  const wrapped = await listScopeKeys(db, { userId, scopeId: userId })
  return wrapped.length === 0 ? undefined : keyring.privateScope(mek, userId, wrapped)
}

/**
 * For everything that is sealed under these keys, in the transaction that stores it: the user's row stays locked until the commit, so a
 * rotation deletes no key that the transaction seals with. Of two first uses at once, the second waits and
 * gets the key of the first.
 */
export async function ensurePrivateScope(
  tx: Tx,
  keyring: Keyring,
  { userId, mek }: Owner,
  at: number,
): Promise<ScopeKeys> {
  const minGeneration = await lockMinGeneration(tx, userId)
  let wrapped = await listScopeKeys(tx, { userId, scopeId: userId })
  if (wrapped.length === 0) {
    const key = keyring.newPrivateKey(await holdMek(tx, keyring, userId), userId)
    await insertScopeKey(tx, { userId, scopeId: userId }, key, at)
    wrapped = await listScopeKeys(tx, { userId, scopeId: userId })
  }
  const keys = keyring.privateScope(mek, userId, wrapped)
  // Only if the clock was moved back while a rotation was deleting the former key.
  if (keys.current < minGeneration) throw formerKeys()
  return keys
}

async function lockMinGeneration(tx: Tx, userId: string): Promise<number> {
  const query = tx.selectFrom('users').select('minGeneration').where('id', '=', userId)
  // As strong as the lock of an update: several of these in one transaction can't deadlock.
  const user = await (locksRows(tx) ? query.forNoKeyUpdate() : query).executeTakeFirst()
  if (user === undefined) throw notFound('User')
  return user.minGeneration
}
