import type { KeyObject } from 'node:crypto'
import type { Mek } from '../auth/keyring.ts'
import { holdMek, lockUser } from '../auth/store.ts'
import { createRandomKey, KeyWrapError, type WrappingKey } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { holdRootKey } from '../instance/root-key-store.ts'
import type { Services } from '../operation/context.ts'
import { knownMs, type Replacing, rests } from './scope-keys.ts'
import {
  listHolders,
  listKeysOfUser,
  listUsersToPrepare,
  listUsersToSwitch,
  markUserStuck,
  type NextWraps,
  replaceMek,
  replaceScopeKey,
  storeNextMek,
} from './user-key-store.ts'

/**
 * Replaces the master keys of users, while calls go on:
 *
 * 1. The next key of a user is stored, wrapped for the user and each integration. From now on, each call that starts has both.
 * 2. After `knownMs`, when every call has both, one transaction wraps all keys of the user's vaults under the next key and puts it in
 *    the place of the former one, which is then gone.
 *
 * The columns of `users` say how far each user is, so a crash at any time loses nothing: the next run continues.
 */

type Deps = Pick<Services, 'db' | 'instance' | 'keyring' | 'log' | 'now'>

/** Takes each user as far as the time allows. Users with a damaged key stay as they are. `due`: older keys are replaced. */
export async function replaceUserKeys(deps: Deps, due: number, { signal, done }: Replacing): Promise<void> {
  const { db, log, now } = deps
  type Users = Awaited<ReturnType<typeof listUsersToPrepare>>
  const each = async (users: Users, work: (userId: string) => Promise<void>) => {
    for (const { id: userId, mekStuckAt } of users) {
      if (signal.aborted) return
      if (rests(mekStuckAt, now())) continue
      try {
        await work(userId)
      } catch (error) {
        if (!(error instanceof KeyWrapError)) throw error
        await db.write((tx) => markUserStuck(tx, userId, now()))
        log.error('a key of a user is damaged, so their keys can’t be replaced', { userId, error })
      }
    }
  }
  await each(await listUsersToPrepare(db.read, due), (userId) => prepare(deps, userId))
  await each(await listUsersToSwitch(db.read, now()), async (userId) => {
    await putInPlace(deps, userId, due)
    await db.overwriteDeleted?.()
    done?.(1)
  })
}

const prepare = ({ db, instance, keyring, now }: Deps, userId: string): Promise<void> =>
  db.write(async (tx) => {
    if (!(await lockUser(tx, userId))) return
    const mek = await holdMek(tx, keyring, userId)
    if (mek.next !== undefined) return
    const next = { ...mek, next: createRandomKey() }
    // A key that can't be unwrapped now couldn't be wrapped again later.
    await rewrapKeys(tx, keyring, userId, next)
    const rootKey = await holdRootKey(tx, instance)
    await storeNextMek(tx, userId, await wrapNext(tx, { keyring, rootKey }, userId, next), now() + knownMs)
  })

const putInPlace = ({ db, instance, keyring, now }: Deps, userId: string, due: number): Promise<void> =>
  db.write(async (tx) => {
    if (!(await lockUser(tx, userId))) return
    const { next, ...mek } = await holdMek(tx, keyring, userId)
    if (next === undefined) return
    for (const key of await rewrapKeys(tx, keyring, userId, { ...mek, next })) await replaceScopeKey(tx, userId, key)
    // Wrapped once more: a rotation of the root key may have read the columns before this.
    const rootKey = await holdRootKey(tx, instance)
    const wraps = await wrapNext(tx, { keyring, rootKey }, userId, { ...mek, next })
    await replaceMek(tx, userId, wraps, { version: mek.version + 1, at: Math.max(now(), due + 1) })
  })

type WithNext = Mek & { next: KeyObject }

const rewrapKeys = async (tx: Tx, keyring: Deps['keyring'], userId: string, mek: WithNext) =>
  (await listKeysOfUser(tx, userId)).map(({ scopeId, ...wrapped }) => ({
    scopeId,
    ...keyring.rewrapScopeKey(mek, userId, scopeId, wrapped),
  }))

async function wrapNext(
  tx: Tx,
  { keyring, rootKey }: { keyring: Deps['keyring']; rootKey: WrappingKey },
  userId: string,
  { version, next }: WithNext,
): Promise<NextWraps> {
  const wrap = (holder: 'user' | 'integration', id: string) =>
    keyring.wrapMek({ userId, holder, id }, { version: version + 1, key: next }, rootKey)
  const integrations = (await listHolders(tx, userId)).map((id) => [id, wrap('integration', id)] as const)
  return { user: wrap('user', userId), integrations: new Map(integrations) }
}
