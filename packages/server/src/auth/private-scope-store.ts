import type { ScopeKeys } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { Keyring, Mek, WrappedVaultKey } from './keyring.ts'
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
  const wrapped = await listKeys(db, userId)
  return wrapped.length === 0 ? undefined : keyring.privateScope(mek, userId, wrapped)
}

/** If two first uses run at once, one creates the key and both get it. */
export async function ensurePrivateScope(
  tx: Tx,
  keyring: Keyring,
  { userId, mek }: Owner,
  at: number,
): Promise<ScopeKeys> {
  let wrapped = await listKeys(tx, userId)
  if (wrapped.length === 0) {
    const key = keyring.newPrivateKey(await holdMek(tx, keyring, userId), userId)
    await tx
      .insertInto('vaultKeys')
      .values({ userId, scopeId: userId, createdAt: at, seals: 0, ...key })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    wrapped = await listKeys(tx, userId)
  }
  return keyring.privateScope(mek, userId, wrapped)
}

const listKeys = (db: Reader, userId: string): Promise<WrappedVaultKey[]> =>
  db
    .selectFrom('vaultKeys')
    .select(['generation', 'wrappedKey', 'mekVersion', 'sealsFrom', 'wrappedWords', 'wrappedExact'])
    .where('userId', '=', userId)
    .where('scopeId', '=', userId)
    .orderBy('generation')
    .execute()
