import type { WrappedVaultKey } from '../auth/keyring.ts'
import { keyColumns } from '../auth/scope-key-store.ts'
import type { Reader, Tx } from '../db/dialect.ts'

/** The stored master keys of users, and the scope keys that they wrap. */

/** A user of a rotation. After something damaged, they rest until someone asks again, or `stuckMs` later. */
interface RotatedUser {
  id: string
  mekStuckAt: number | null
}

/** The users whose master key was created by `due`, and whose next one isn't stored yet. */
export const listUsersToPrepare = (db: Reader, due: number): Promise<RotatedUser[]> =>
  usersLeft(db, due).select(['id', 'mekStuckAt']).where('nextWrappedMek', 'is', null).execute()

/** The users whose next master key every call knows at this time. */
export const listUsersToSwitch = (db: Reader, at: number): Promise<RotatedUser[]> =>
  db.selectFrom('users').select(['id', 'mekStuckAt']).where('nextMekFrom', '<=', at).execute()

/** The users whose master key is from `due` or before, and whose keys are damaged. */
export const listStuckUsers = async (db: Reader, due: number): Promise<string[]> => {
  const rows = await usersLeft(db, due).select('id').where('mekStuckAt', 'is not', null).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

const usersLeft = (db: Reader, due: number) =>
  db.selectFrom('users').where(({ eb, fn }) => eb(fn.coalesce('mekSince', 'createdAt'), '<=', due))

/** Notes when a rotation last met a damaged key of a user. */
export async function markUserStuck(tx: Tx, userId: string, mekStuckAt: number): Promise<void> {
  await tx.updateTable('users').set({ mekStuckAt }).where('id', '=', userId).execute()
}

/** All users are tried again. */
export async function forgetStuckUsers(tx: Tx): Promise<void> {
  await tx.updateTable('users').set({ mekStuckAt: null }).where('mekStuckAt', 'is not', null).execute()
}

/** How many users there are, and how many of them have a master key from `due` or before. */
export async function countUserKeys(db: Reader, due: number): Promise<{ total: number; left: number }> {
  const isLeft = usersLeft(db, due).select(({ fn }) => fn.countAll<number>().as('count'))
  const all = db.selectFrom('users').select(({ fn }) => fn.countAll<number>().as('count'))
  const [{ count: left }, { count: total }] = [
    await isLeft.executeTakeFirstOrThrow(),
    await all.executeTakeFirstOrThrow(),
  ]
  return { total, left }
}

/** The integrations of a user that can open anything. */
export const listHolders = async (db: Reader, userId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('integrations')
    .select('id')
    .where('userId', '=', userId)
    .where('wrappedMek', 'is not', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** A wrap of the next master key for the user, and one for each integration, by its id. */
export interface NextWraps {
  user: Buffer
  integrations: ReadonlyMap<string, Buffer>
}

export async function storeNextMek(tx: Tx, userId: string, wraps: NextWraps, from: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ nextWrappedMek: wraps.user, nextMekFrom: from, mekStuckAt: null })
    .where('id', '=', userId)
    .execute()
  for (const [id, nextWrappedMek] of wraps.integrations)
    await tx
      .updateTable('integrations')
      .set({ nextWrappedMek })
      .where('userId', '=', userId)
      .where('id', '=', id)
      .execute()
}

/** Puts the next master key in the place of the current one. What that one wrapped must be replaced in the same transaction. */
export async function replaceMek(
  tx: Tx,
  userId: string,
  wraps: NextWraps,
  { version, at }: { version: number; at: number },
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      wrappedMek: wraps.user,
      mekVersion: version,
      mekSince: at,
      nextWrappedMek: null,
      nextMekFrom: null,
      mekStuckAt: null,
    })
    .where('id', '=', userId)
    .execute()
  for (const [id, wrappedMek] of wraps.integrations)
    await tx
      .updateTable('integrations')
      .set({ wrappedMek, mekVersion: version, nextWrappedMek: null })
      .where('userId', '=', userId)
      .where('id', '=', id)
      .execute()
}

export const listKeysOfUser = (db: Reader, userId: string): Promise<(WrappedVaultKey & { scopeId: string })[]> =>
  db
    .selectFrom('vaultKeys')
    .select(['scopeId', ...keyColumns])
    .where('userId', '=', userId)
    .execute()

export async function replaceScopeKey(
  tx: Tx,
  userId: string,
  { scopeId, generation, ...wraps }: WrappedVaultKey & { scopeId: string },
): Promise<void> {
  await tx
    .updateTable('vaultKeys')
    .set(wraps)
    .where('userId', '=', userId)
    .where('scopeId', '=', scopeId)
    .where('generation', '=', generation)
    .execute()
}
