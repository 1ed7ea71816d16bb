import type { ScopeName, SealedCells } from '../auth/keyring.ts'
import type { Database, Reader, Tx } from '../db/dialect.ts'
import { allOwners, isWithin, type OwnerRange } from '../db/owner-range.ts'

/** How far rotations of the keys of scopes are. */

/** A scope of a rotation. After something damaged, it rests until someone asks again, or `stuckMs` later. */
interface RotatedScope extends ScopeName {
  stuckAt: number | null
}

/** The scopes with one key that was created by `due` or has sealed `maxSeals` cells. */
export const listScopesToRotate = (
  db: Reader,
  { due, maxSeals }: { due: number; maxSeals: number },
  owners: OwnerRange = allOwners,
): Promise<RotatedScope[]> =>
  db
    .selectFrom('vaultKeys')
    .select(({ fn }) => ['userId', 'scopeId', fn.max('stuckAt').as('stuckAt')])
    .where(isWithin('userId', owners))
    .groupBy(['userId', 'scopeId'])
    .having(({ fn }) => fn.countAll(), '=', 1)
    .having(({ eb, fn }) => eb.or([eb(fn.max('createdAt'), '<=', due), eb(fn.max('seals'), '>=', maxSeals)]))
    .execute()

export const countScopes = async (db: Reader): Promise<number> => {
  const { count } = await db
    .selectFrom('vaultKeys')
    .select(({ fn }) => fn.count<number>('scopeId').distinct().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** A scope whose key is being replaced. */
export interface ChangingScope extends RotatedScope {
  generation: number
  sealsFrom: number
  /** Null until its rows have been counted. */
  rowsTotal: number | null
  rowsDone: number | null
}

/** The scopes that still have a former key, by owner. */
export const listChangingScopes = (db: Reader, owners: OwnerRange = allOwners): Promise<ChangingScope[]> =>
  db
    .selectFrom('vaultKeys as key')
    .select([
      'key.userId',
      'key.scopeId',
      'key.generation',
      'key.sealsFrom',
      'key.rowsTotal',
      'key.rowsDone',
      'key.stuckAt',
    ])
    .where(isWithin('key.userId', owners))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('vaultKeys as former')
          .select('former.generation')
          .whereRef('former.userId', '=', 'key.userId')
          .whereRef('former.scopeId', '=', 'key.scopeId')
          .whereRef('former.generation', '<', 'key.generation'),
      ),
    )
    .orderBy('key.userId')
    .orderBy('key.scopeId')
    .execute()

/** Says how many rows of a scope are sealed under its newest key. */
export async function saveProgress(
  tx: Tx,
  { userId, scopeId, generation }: ScopeName & { generation: number },
  { rowsTotal, rowsDone }: { rowsTotal: number; rowsDone: number },
): Promise<void> {
  await tx
    .updateTable('vaultKeys')
    .set({ rowsTotal, rowsDone })
    .where('userId', '=', userId)
    .where('scopeId', '=', scopeId)
    .where('generation', '=', generation)
    .execute()
}

/** Notes when a rotation last met something damaged in a scope; null: it can go on. */
export async function markStuck(tx: Tx, { userId, scopeId }: ScopeName, stuckAt: number | null): Promise<void> {
  await tx
    .updateTable('vaultKeys')
    .set({ stuckAt })
    .where('userId', '=', userId)
    .where('scopeId', '=', scopeId)
    .execute()
}

/** All scopes are tried again. */
export async function forgetStuckScopes(tx: Tx): Promise<void> {
  await tx.updateTable('vaultKeys').set({ stuckAt: null }).where('stuckAt', 'is not', null).execute()
}

/**
 * From the commit on, no transaction seals under the keys that `generation` has replaced: each one that does holds this row until its own
 * commit, and later ones are refused. So rows that are read afterwards show all that needs these keys.
 */
export async function endFormerKeys(
  tx: Tx,
  { userId, scopeId, generation }: ScopeName & { generation: number },
): Promise<void> {
  const set = { minGeneration: generation }
  const users = tx.updateTable('users').set(set).where('id', '=', userId)
  const vaults = tx.updateTable('vaults').set(set).where('userId', '=', userId).where('id', '=', scopeId)
  await (scopeId === userId
    ? users.where('minGeneration', '<', generation).execute()
    : vaults.where('minGeneration', '<', generation).execute())
}

/** Deletes the keys that `generation` has replaced. What they sealed can't be read afterwards. */
export async function deleteFormerKeys(
  tx: Tx,
  { userId, scopeId, generation }: ScopeName & { generation: number },
): Promise<void> {
  await tx
    .deleteFrom('vaultKeys')
    .where('userId', '=', userId)
    .where('scopeId', '=', scopeId)
    .where('generation', '<', generation)
    .execute()
  await tx
    .updateTable('vaultKeys')
    .set({ rowsTotal: null, rowsDone: null, stuckAt: null })
    .where('userId', '=', userId)
    .where('scopeId', '=', scopeId)
    .where('generation', '=', generation)
    .execute()
}

export const addSeals = (db: Database, counted: readonly SealedCells[]): Promise<void> =>
  db.write(async (tx) => {
    for (const { userId, scopeId, generation, cells } of counted)
      await tx
        .updateTable('vaultKeys')
        .set((key) => ({ seals: key('seals', '+', cells) }))
        .where('userId', '=', userId)
        .where('scopeId', '=', scopeId)
        .where('generation', '=', generation)
        .execute()
  })
