import { formerKeys } from '../core/errors.ts'
import { CellError, type OnDamage } from '../crypto/cell.ts'
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

/**
 * Whether an error says that a cell of a scope is damaged. Throws if another server sealed the cell with a generation that this call
 * doesn't have yet: then nothing is damaged.
 */
export async function isDamage(db: Reader, error: unknown): Promise<boolean> {
  if (!(error instanceof CellError)) return false
  const { address, generation } = error.place
  if (generation === undefined) return true
  const stored = await db
    .selectFrom('vaultKeys')
    .select('generation')
    .where('userId', '=', address.userId)
    .where('scopeId', '=', address.scopeId)
    .where('generation', '=', generation)
    .executeTakeFirst()
  if (stored !== undefined) throw formerKeys()
  return true
}

/** Tells of the rows that a list leaves out. Throws if one of them isn't damaged. */
export async function reportDamage(db: Reader, failures: readonly CellError[], onDamage?: OnDamage): Promise<void> {
  for (const failure of failures) if (await isDamage(db, failure)) onDamage?.(failure.place.address)
}
