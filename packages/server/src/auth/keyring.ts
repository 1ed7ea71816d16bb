import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import {
  createRandomKey,
  scopeKeys,
  unwrapKey,
  wrapKey,
  type ScopeKeys,
  type WrapContext,
  type WrappingKey,
} from '../crypto/keys.ts'
import { encryptionNotConfigured } from '../core/errors.ts'
import type { Instance } from '../instance/instance.ts'
import type { WrappedMek } from '../instance/wrap-store.ts'
import type { AgentActor, PersonActor } from './actor.ts'

/** A key of a vault or of a user's private scope, of one generation, as stored: wrapped under the owner's MEK. */
export interface WrappedVaultKey {
  generation: number
  wrappedKey: Uint8Array
  mekVersion: number
}

/**
 * Unwraps keys and caches them in memory for a few minutes. The cache key contains the wrapped bytes and their context (owner,
 * holder, version), so a wrap that was deleted, replaced or moved in the database finds no cached key.
 */
export interface Keyring {
  /** The key that unwraps the actor's vault keys. Throws `encryption_not_configured` if the integration has no wrapped MEK. */
  mek(actor: AgentActor | PersonActor): KeyObject
  vault(mek: KeyObject, userId: string, vaultId: string, wrapped: readonly WrappedVaultKey[]): ScopeKeys
  /** The keys for a user's data outside of vaults. The scope's id is the user's id. */
  privateScope(mek: KeyObject, userId: string, wrapped: readonly WrappedVaultKey[]): ScopeKeys
  /** `rootKey`: the current one, from `holdRootKey`. */
  newMek(userId: string, rootKey: WrappingKey): { mek: KeyObject; mekVersion: number; wrappedMek: Buffer }
  wrapMekForIntegration(owner: MekOwner, integrationId: string, rootKey: WrappingKey): Buffer
  /** Wraps the same key for the same holder under another root key. Throws a KeyWrapError if it can't be unwrapped. */
  rewrapMek(wrap: WrappedMek, rootKey: WrappingKey): Buffer
  newVaultKey(mek: KeyObject, userId: string, vaultId: string, mekVersion: number): WrappedVaultKey
  newPrivateKey(mek: KeyObject, userId: string, mekVersion: number): WrappedVaultKey
  /** Clears the cache. */
  forgetKeys(): void
}

interface MekOwner {
  userId: string
  mek: KeyObject
  mekVersion: number
}

const cachedKeys = 10_000
const cachedForMs = 5 * 60_000
const firstVersion = 1

export function createKeyring(instance: Instance): Keyring {
  const meks = new LRUCache<string, KeyObject>({ max: cachedKeys, ttl: cachedForMs, ttlAutopurge: true })
  const scopes = new LRUCache<string, ScopeKeys>({ max: cachedKeys, ttl: cachedForMs, ttlAutopurge: true })
  const openScope = (mek: KeyObject, holder: ScopeHolder, wrapped: readonly WrappedVaultKey[]): ScopeKeys => {
    const keys = wrapped.map((key) => `${key.generation} ${base64(key.wrappedKey)}`)
    const name = [holder.userId, holder.holderKind, holder.holderId, ...keys].join(' ')
    return remember(scopes, name, () => unwrapScope(instance, mek, holder, wrapped))
  }
  return {
    mek(actor) {
      if (actor.wrappedMek === undefined) throw encryptionNotConfigured()
      const { wrappedMek, userId, mekVersion } = actor
      const holder: MekHolder =
        actor.kind === 'agent'
          ? { userId, holderKind: 'integration', holderId: actor.integrationId }
          : { userId, holderKind: 'user', holderId: userId }
      const name = [userId, holder.holderKind, holder.holderId, mekVersion, base64(wrappedMek)].join(' ')
      return remember(meks, name, () =>
        unwrapKey(instance.rootKeys.byId, wrappedMek, contextOf(instance, holder, mekVersion)),
      )
    },
    vault: (mek, userId, vaultId, wrapped) => openScope(mek, vaultHolder(userId, vaultId), wrapped),
    privateScope: (mek, userId, wrapped) => openScope(mek, privateHolder(userId), wrapped),
    newMek(userId, rootKey) {
      const mek = createRandomKey()
      const context = contextOf(instance, { userId, holderKind: 'user', holderId: userId }, firstVersion)
      return { mek, mekVersion: firstVersion, wrappedMek: wrapKey(rootKey, mek, context) }
    },
    wrapMekForIntegration({ userId, mek, mekVersion }, integrationId, rootKey) {
      const holder: MekHolder = { userId, holderKind: 'integration', holderId: integrationId }
      return wrapKey(rootKey, mek, contextOf(instance, holder, mekVersion))
    },
    rewrapMek({ holder: holderKind, userId, id: holderId, wrappedMek, mekVersion }, rootKey) {
      const context = contextOf(instance, { userId, holderKind, holderId }, mekVersion)
      return wrapKey(rootKey, unwrapKey(instance.rootKeys.byId, wrappedMek, context), context)
    },
    newVaultKey: (mek, userId, vaultId, mekVersion) =>
      wrapNewScope(instance, mek, vaultHolder(userId, vaultId), mekVersion),
    newPrivateKey: (mek, userId, mekVersion) => wrapNewScope(instance, mek, privateHolder(userId), mekVersion),
    forgetKeys() {
      meks.clear()
      scopes.clear()
    },
  }
}

interface MekHolder {
  userId: string
  holderKind: 'user' | 'integration'
  holderId: string
}

interface ScopeHolder {
  userId: string
  holderKind: 'vault' | 'private'
  holderId: string
}

const vaultHolder = (userId: string, vaultId: string): ScopeHolder => ({
  userId,
  holderKind: 'vault',
  holderId: vaultId,
})
const privateHolder = (userId: string): ScopeHolder => ({ userId, holderKind: 'private', holderId: userId })

const contextOf = (instance: Instance, holder: MekHolder | ScopeHolder, version: number): WrapContext => ({
  instanceId: instance.id,
  ...holder,
  version,
})

const unwrapScope = (
  instance: Instance,
  mek: KeyObject,
  holder: ScopeHolder,
  wrapped: readonly WrappedVaultKey[],
): ScopeKeys =>
  scopeKeys(
    holder.holderId,
    wrapped.map(({ generation, wrappedKey }) => ({
      generation,
      key: unwrapKey({ id: mekId, key: mek }, wrappedKey, contextOf(instance, holder, generation)),
    })),
  )

const wrapNewScope = (
  instance: Instance,
  mek: KeyObject,
  holder: ScopeHolder,
  mekVersion: number,
): WrappedVaultKey => ({
  generation: firstVersion,
  wrappedKey: wrapKey({ id: mekId, key: mek }, createRandomKey(), contextOf(instance, holder, firstVersion)),
  mekVersion,
})

// Wraps contain the id of their wrapping key. All MEKs share one id, since a MEK is found by its owner.
const mekId = 'mek'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

function remember<V extends object>(cache: LRUCache<string, V>, name: string, make: () => V): V {
  const known = cache.get(name)
  if (known !== undefined) return known
  const made = make()
  cache.set(name, made)
  return made
}
