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

/** Opens rows, and leaves out the damaged ones, which `onDamage` gets. Throws if one can't be opened for another reason. */
export async function openIntact<Row, Opened>(
  db: Reader,
  rows: readonly Row[],
  open: (row: Row) => Opened,
  onDamage?: OnDamage,
): Promise<Opened[]> {
  const opened: Opened[] = []
  for (const row of rows)
    try {
      opened.push(open(row))
    } catch (error) {
      if (!(error instanceof CellError) || !(await isDamage(db, error))) throw error
      onDamage?.(error.place.address)
    }
  return opened
}
