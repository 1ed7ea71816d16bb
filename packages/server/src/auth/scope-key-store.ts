import type { Reader, Tx } from '../db/dialect.ts'
import type { ScopeName, WrappedVaultKey } from './keyring.ts'

/** The stored keys of scopes. */

/** What opens a key. */
export const keyColumns = [
  'generation',
  'wrappedKey',
  'mekVersion',
  'sealsFrom',
  'wrappedWords',
  'wrappedExact',
] as const satisfies (keyof WrappedVaultKey)[]

/** The same for queries that join the keys under the name `key`. */
export const joinedKeyColumns = keyColumns.map((column) => `key.${column}` as const)

/** All generations, the oldest first. */
export const listScopeKeys = (db: Reader, { userId, scopeId }: ScopeName): Promise<WrappedVaultKey[]> =>
  db
    .selectFrom('vaultKeys')
    .select(keyColumns)
    .where('userId', '=', userId)
    .where('scopeId', '=', scopeId)
    .orderBy('generation')
    .execute()

export async function insertScopeKey(
  tx: Tx,
  { userId, scopeId }: ScopeName,
  key: WrappedVaultKey,
  createdAt: number,
): Promise<void> {
  await tx
    .insertInto('vaultKeys')
    .values({ userId, scopeId, createdAt, seals: 0, ...key })
    .execute()
}
