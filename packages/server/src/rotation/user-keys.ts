import type { KeyObject } from 'node:crypto'
import type { Mek } from '../auth/keyring.ts'
import { holdMek, lockUser } from '../auth/store.ts'
import { createRandomKey, KeyWrapError, type WrappingKey } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { holdRootKey } from '../instance/root-key-store.ts'
import type { Services } from '../operation/context.ts'
import { knownMs, type Replacing } from './scope-keys.ts'
import {
  listHolders,
  listKeysOfUser,
  listUsersToPrepare,
  listUsersToSwitch,
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
export async function replaceUserKeys(deps: Deps, due: number, { signal, done, stuckUntil }: Replacing): Promise<void> {
  const { db, log, now } = deps
  const each = async (users: readonly string[], work: (userId: string) => Promise<void>) => {
    for (const userId of users) {
      if (signal.aborted) return
      if ((stuckUntil.get(userId) ?? 0) > now()) continue
      try {
        await work(userId)
      } catch (error) {
        if (!(error instanceof KeyWrapError)) throw error
        stuckUntil.set(userId, now() + stuckMs)
        log.error('a key of a user is damaged, so their master key can’t be replaced', { userId, error })
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

const stuckMs = 3_600_000

const prepare = ({ db, instance, keyring, now }: Deps, userId: string): Promise<void> =>
  db.write(async (tx) => {
    await lockUser(tx, userId)
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
    await lockUser(tx, userId)
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
