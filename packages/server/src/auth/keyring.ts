import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createRandomKey, scopeKeys, unwrapKey, wrapKey, type ScopeKeys, type WrapContext } from '../crypto/keys.ts'
import { encryptionNotConfigured } from '../core/errors.ts'
import type { Instance } from '../instance/instance.ts'
import type { AgentActor, DashboardActor } from './actor.ts'

/** A scope's key (a vault's, or a user's own) of one generation as it lies in the database, wrapped under the owner's MEK. */
export interface WrappedVaultKey {
  generation: number
  wrappedKey: Uint8Array
  mekVersion: number
}

/**
 * Unwraps keys and keeps them, in memory only, for a few minutes. An entry is found by the wrapped bytes together with
 * all that they were wrapped for (owner, holder, version), so that a wrap that was deleted, replaced or moved in the
 * database finds nothing here.
 */
export interface Keyring {
  /** The key that unwraps the actor's vault keys. Throws `encryption_not_configured` where the integration holds no wrap. */
  mek(actor: AgentActor | DashboardActor): KeyObject
  vault(mek: KeyObject, userId: string, vaultId: string, wrapped: readonly WrappedVaultKey[]): ScopeKeys
  /** The keys of what a user has outside of vaults; the scope's id is the user's. */
  privateScope(mek: KeyObject, userId: string, wrapped: readonly WrappedVaultKey[]): ScopeKeys
  newMek(userId: string): { mek: KeyObject; mekVersion: number; wrappedMek: Buffer }
  wrapMekForIntegration(mek: KeyObject, userId: string, integrationId: string, mekVersion: number): Buffer
  newVaultKey(mek: KeyObject, userId: string, vaultId: string, mekVersion: number): WrappedVaultKey
  newPrivateKey(mek: KeyObject, userId: string, mekVersion: number): WrappedVaultKey
}

const cachedKeys = 10_000
const cachedForMs = 5 * 60_000
const firstVersion = 1

export function createKeyring(instance: Instance): Keyring {
  const meks = new LRUCache<string, KeyObject>({ max: cachedKeys, ttl: cachedForMs, ttlAutopurge: true })
  const scopes = new LRUCache<string, ScopeKeys>({ max: cachedKeys, ttl: cachedForMs, ttlAutopurge: true })
  const context = (
    userId: string,
    holderKind: WrapContext['holderKind'],
    holderId: string,
    version: number,
  ): WrapContext => ({
    instanceId: instance.id,
    userId,
    holderKind,
    holderId,
    version,
  })
  const openScope = (
    mek: KeyObject,
    userId: string,
    kind: 'vault' | 'private',
    scopeId: string,
    wrapped: readonly WrappedVaultKey[],
  ): ScopeKeys => {
    const keys = wrapped.map((key) => `${key.generation} ${base64(key.wrappedKey)}`)
    return remember(scopes, [userId, kind, scopeId, ...keys].join(' '), () =>
      scopeKeys(
        scopeId,
        wrapped.map(({ generation, wrappedKey }) => ({
          generation,
          key: unwrapKey({ id: mekId, key: mek }, wrappedKey, context(userId, kind, scopeId, generation)),
        })),
      ),
    )
  }
  const wrapNew = (
    mek: KeyObject,
    userId: string,
    kind: 'vault' | 'private',
    scopeId: string,
    mekVersion: number,
  ): WrappedVaultKey => ({
    generation: firstVersion,
    wrappedKey: wrapKey({ id: mekId, key: mek }, createRandomKey(), context(userId, kind, scopeId, firstVersion)),
    mekVersion,
  })
  return {
    mek(actor) {
      if (actor.wrappedMek === undefined) throw encryptionNotConfigured()
      const { wrappedMek, userId, mekVersion } = actor
      const holder =
        actor.kind === 'agent'
          ? context(userId, 'integration', actor.integrationId, mekVersion)
          : context(userId, 'user', userId, mekVersion)
      const name = [userId, holder.holderKind, holder.holderId, mekVersion, base64(wrappedMek)].join(' ')
      return remember(meks, name, () => unwrapKey(instance.rootKeys.byId, wrappedMek, holder))
    },
    vault: (mek, userId, vaultId, wrapped) => openScope(mek, userId, 'vault', vaultId, wrapped),
    privateScope: (mek, userId, wrapped) => openScope(mek, userId, 'private', userId, wrapped),
    newMek(userId) {
      const mek = createRandomKey()
      return {
        mek,
        mekVersion: firstVersion,
        wrappedMek: wrapKey(instance.rootKeys.primary, mek, context(userId, 'user', userId, firstVersion)),
      }
    },
    wrapMekForIntegration: (mek, userId, integrationId, mekVersion) =>
      wrapKey(instance.rootKeys.primary, mek, context(userId, 'integration', integrationId, mekVersion)),
    newVaultKey: (mek, userId, vaultId, mekVersion) => wrapNew(mek, userId, 'vault', vaultId, mekVersion),
    newPrivateKey: (mek, userId, mekVersion) => wrapNew(mek, userId, 'private', userId, mekVersion),
  }
}

// Wraps carry the name of the key that made them; a MEK needs no other, since it is found by its owner.
const mekId = 'mek'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

function remember<V extends object>(cache: LRUCache<string, V>, name: string, make: () => V): V {
  const known = cache.get(name)
  if (known !== undefined) return known
  const made = make()
  cache.set(name, made)
  return made
}
