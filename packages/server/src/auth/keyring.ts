import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createRandomKey, scopeKeys, unwrapKey, wrapKey, type ScopeKeys, type WrapContext } from '../crypto/keys.ts'
import { encryptionNotConfigured } from '../core/errors.ts'
import type { Instance } from '../instance/instance.ts'
import type { AgentActor, DashboardActor } from './actor.ts'

/** A vault's key of one generation as it lies in the database, wrapped under the owner's MEK. */
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
  newMek(userId: string): { mek: KeyObject; mekVersion: number; wrappedMek: Buffer }
  wrapMekForIntegration(mek: KeyObject, userId: string, integrationId: string, mekVersion: number): Buffer
  newVaultKey(mek: KeyObject, userId: string, vaultId: string, mekVersion: number): WrappedVaultKey
}

const cachedKeys = 10_000
const cachedForMs = 5 * 60_000
const firstVersion = 1

export function createKeyring(instance: Instance): Keyring {
  const meks = new LRUCache<string, KeyObject>({ max: cachedKeys, ttl: cachedForMs, ttlAutopurge: true })
  const vaults = new LRUCache<string, ScopeKeys>({ max: cachedKeys, ttl: cachedForMs, ttlAutopurge: true })
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
    vault(mek, userId, vaultId, wrapped) {
      const keys = wrapped.map((key) => `${key.generation} ${base64(key.wrappedKey)}`)
      const name = [userId, vaultId, ...keys].join(' ')
      return remember(vaults, name, () =>
        scopeKeys(
          vaultId,
          wrapped.map((key) => ({
            generation: key.generation,
            key: unwrapKey({ id: mekId, key: mek }, key.wrappedKey, context(userId, 'vault', vaultId, key.generation)),
          })),
        ),
      )
    },
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
    newVaultKey: (mek, userId, vaultId, mekVersion) => ({
      generation: firstVersion,
      wrappedKey: wrapKey({ id: mekId, key: mek }, createRandomKey(), context(userId, 'vault', vaultId, firstVersion)),
      mekVersion,
    }),
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
