import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import {
  createRandomKey,
  KeyWrapError,
  type ScopeKeys,
  type ScopeKind,
  scopeKeys,
  type TagKeys,
  tagKeys,
  unwrapKey,
  wrapKey,
  type WrapContext,
  type WrappingKey,
} from '../crypto/keys.ts'
import { encryptionNotConfigured } from '../core/errors.ts'
import type { Instance } from '../instance/instance.ts'
import type { WrappedMek } from '../instance/wrap-store.ts'
import type { Actor } from './actor.ts'

/** A vault, or a user's data outside of vaults, whose scope id is the user's. */
export interface ScopeName {
  userId: string
  scopeId: string
}

/** A key of a vault or of a user's private scope, of one generation, as stored: wrapped under the owner's MEK. */
export interface WrappedVaultKey {
  generation: number
  wrappedKey: Uint8Array
  mekVersion: number
  /** From when on it seals. Until then it is only known, so that no call meets a cell whose key it lacks. */
  sealsFrom: number
  /** The scope's tag keys, kept because the generation they come from is replaced. */
  wrappedWords: Uint8Array | null
  wrappedExact: Uint8Array | null
}

/** A user's master key: the version in use, and the next one while it is being replaced. */
export interface Mek {
  version: number
  key: KeyObject
  next: KeyObject | undefined
}

/** What of an actor opens their master key. */
type MekHolder = Pick<Actor, 'kind' | 'userId' | 'integrationId' | 'wrappedMek' | 'nextWrappedMek' | 'mekVersion'>

/** How many cells were sealed with a key. */
export interface SealedCells extends ScopeName {
  generation: number
  cells: number
}

/** Where keys count what they seal: sums by name. */
interface SealCounts {
  pending(name: string, make: () => SealedCells): SealedCells
}

/**
 * Unwraps keys and caches them in memory for a few minutes. The cache key contains the wrapped bytes and their context (owner,
 * holder, version), so a wrap that was deleted, replaced or moved in the database finds no cached key.
 */
export interface Keyring {
  /** The key that unwraps the actor's vault keys. Throws `encryption_not_configured` if the integration has no wrapped MEK. */
  mek(actor: MekHolder): Mek
  vault(mek: Mek, userId: string, vaultId: string, wrapped: readonly WrappedVaultKey[]): ScopeKeys
  /** The keys for a user's data outside of vaults. The scope's id is the user's id. */
  privateScope(mek: Mek, userId: string, wrapped: readonly WrappedVaultKey[]): ScopeKeys
  newMek(): Mek
  /** Wraps a version of a user's MEK for the user or for one of their integrations. `rootKey`: the current one, from `holdRootKey`. */
  wrapMek(
    holder: Pick<WrappedMek, 'userId' | 'holder' | 'id'>,
    mek: Pick<Mek, 'version' | 'key'>,
    rootKey: WrappingKey,
  ): Buffer
  /** Wraps the same key for the same holder under another root key. Throws a KeyWrapError if it can't be unwrapped. */
  rewrapMek(wrap: WrappedMek, rootKey: WrappingKey): Buffer
  newVaultKey(mek: Mek, userId: string, vaultId: string): WrappedVaultKey
  newPrivateKey(mek: Mek, userId: string): WrappedVaultKey
  /** The key of a scope's next generation, which seals from `sealsFrom` on. */
  nextScopeKey(mek: Mek, userId: string, scope: ScopeKeys, sealsFrom: number): WrappedVaultKey
  /** Wraps a scope's keys under the next MEK. Throws a KeyWrapError if one can't be unwrapped. */
  rewrapScopeKey(
    mek: Mek & { next: KeyObject },
    userId: string,
    scopeId: string,
    wrapped: WrappedVaultKey,
  ): WrappedVaultKey
  /** Clears the cache. */
  forgetKeys(): void
}

const cachedKeys = 10_000
const cachedForMs = 5 * 60_000
const firstVersion = 1

export function createKeyring(instance: Instance, now: () => number = Date.now, seals?: SealCounts): Keyring {
  const meks = new LRUCache<string, KeyObject>({ max: cachedKeys, ttl: cachedForMs, ttlAutopurge: true })
  const scopes = new LRUCache<string, ScopeKeys>({ max: cachedKeys, ttl: cachedForMs, ttlAutopurge: true })
  const openMek = (holder: MekWrapHolder, wrapped: Uint8Array, version: number): KeyObject => {
    const name = [holder.userId, holder.holderKind, holder.holderId, version, base64(wrapped)].join(' ')
    return remember(meks, name, () => unwrapKey(instance.rootKeys.byId, wrapped, contextOf(instance, holder, version)))
  }
  const openScope = (mek: Mek, holder: ScopeHolder, wrapped: readonly WrappedVaultKey[]): ScopeKeys => {
    const current = sealingGeneration(wrapped, now())
    const name = [holder.userId, holder.holderKind, holder.holderId, current, ...wrapped.map(describeWrap)].join(' ')
    const opened = remember(scopes, name, () => {
      const keys = wrapped.map((key) => unwrapGeneration(instance, mek, holder, key))
      return scopeKeys(holder.holderId, keys, current)
    })
    return seals === undefined
      ? opened
      : { ...opened, countSeal: counterOf(seals, { userId: holder.userId, scopeId: holder.holderId }, current) }
  }
  return {
    mek(actor) {
      if (actor.wrappedMek === undefined) throw encryptionNotConfigured()
      const { wrappedMek, nextWrappedMek, userId, mekVersion } = actor
      const holder: MekWrapHolder =
        actor.kind === 'agent'
          ? { userId, holderKind: 'integration', holderId: actor.integrationId ?? '' }
          : { userId, holderKind: 'user', holderId: userId }
      const next = nextWrappedMek === undefined ? undefined : openMek(holder, nextWrappedMek, mekVersion + 1)
      return { version: mekVersion, key: openMek(holder, wrappedMek, mekVersion), next }
    },
    vault: (mek, userId, vaultId, wrapped) => openScope(mek, vaultHolder(userId, vaultId), wrapped),
    privateScope: (mek, userId, wrapped) => openScope(mek, privateHolder(userId), wrapped),
    newMek: () => ({ version: firstVersion, key: createRandomKey(), next: undefined }),
    wrapMek: ({ userId, holder: holderKind, id: holderId }, { version, key }, rootKey) =>
      wrapKey(rootKey, key, contextOf(instance, { userId, holderKind, holderId }, version)),
    rewrapMek({ holder: holderKind, userId, id: holderId, wrappedMek, mekVersion }, rootKey) {
      const context = contextOf(instance, { userId, holderKind, holderId }, mekVersion)
      return wrapKey(rootKey, unwrapKey(instance.rootKeys.byId, wrappedMek, context), context)
    },
    newVaultKey: (mek, userId, vaultId) => wrapNewScope(instance, mek, vaultHolder(userId, vaultId)),
    newPrivateKey: (mek, userId) => wrapNewScope(instance, mek, privateHolder(userId)),
    nextScopeKey: (mek, userId, scope, sealsFrom) =>
      wrapGeneration(instance, mek, holderOf(userId, scope.scopeId), {
        generation: Math.max(...scope.generations.keys()) + 1,
        key: createRandomKey(),
        tags: tagKeys(scope),
        sealsFrom,
      }),
    rewrapScopeKey(mek, userId, scopeId, wrapped) {
      const holder = holderOf(userId, scopeId)
      const opened = unwrapGeneration(instance, mek, holder, wrapped)
      const next = { version: mek.version + 1, key: mek.next }
      return wrapGeneration(instance, next, holder, { ...opened, sealsFrom: wrapped.sealsFrom })
    },
    forgetKeys() {
      meks.clear()
      scopes.clear()
    },
  }
}

interface MekWrapHolder {
  userId: string
  holderKind: 'user' | 'integration'
  holderId: string
}

interface ScopeHolder {
  userId: string
  holderKind: ScopeKind
  holderId: string
}

const vaultHolder = (userId: string, vaultId: string): ScopeHolder => ({
  userId,
  holderKind: 'vault',
  holderId: vaultId,
})
const privateHolder = (userId: string): ScopeHolder => ({ userId, holderKind: 'private', holderId: userId })

const holderOf = (userId: string, scopeId: string): ScopeHolder =>
  scopeId === userId ? privateHolder(userId) : vaultHolder(userId, scopeId)

const contextOf = (
  instance: Instance,
  holder: Pick<WrapContext, 'userId' | 'holderKind' | 'holderId'>,
  version: number,
): WrapContext => ({ instanceId: instance.id, ...holder, version })

/** Counts one more cell under a generation of a scope's keys at each call. */
export function counterOf(seals: SealCounts, { userId, scopeId }: ScopeName, generation: number): () => void {
  const name = `${userId} ${scopeId} ${generation}`
  return () => void seals.pending(name, () => ({ userId, scopeId, generation, cells: 0 })).cells++
}

/** The highest generation that seals at this time; the lowest if none does, because a clock was moved back. */
function sealingGeneration(wrapped: readonly WrappedVaultKey[], at: number): number {
  const sealing = wrapped.filter(({ sealsFrom }) => sealsFrom <= at).map(({ generation }) => generation)
  return sealing.length > 0 ? Math.max(...sealing) : Math.min(...wrapped.map(({ generation }) => generation))
}

interface OpenGeneration {
  generation: number
  key: KeyObject
  tags: TagKeys | undefined
}

function unwrapGeneration(instance: Instance, mek: Mek, holder: ScopeHolder, wrapped: WrappedVaultKey): OpenGeneration {
  const { generation, mekVersion, wrappedKey, wrappedWords, wrappedExact } = wrapped
  const key = mekVersion === mek.version ? mek.key : mekVersion === mek.version + 1 ? mek.next : undefined
  if (key === undefined) throw new KeyWrapError('unknown_wrapping_key')
  const open = (bytes: Uint8Array, kind: WrapContext['holderKind']) =>
    unwrapKey({ id: mekId, key }, bytes, contextOf(instance, { ...holder, holderKind: kind }, generation))
  const { holderKind } = holder
  return {
    generation,
    key: open(wrappedKey, holderKind),
    tags:
      wrappedWords === null || wrappedExact === null
        ? undefined
        : { words: open(wrappedWords, `${holderKind} words`), exact: open(wrappedExact, `${holderKind} exact`) },
  }
}

function wrapGeneration(
  instance: Instance,
  { version: mekVersion, key: mek }: Pick<Mek, 'version' | 'key'>,
  holder: ScopeHolder,
  { generation, key, tags, sealsFrom }: OpenGeneration & { sealsFrom: number },
): WrappedVaultKey {
  const wrap = (wrapped: KeyObject, kind: WrapContext['holderKind']) =>
    wrapKey({ id: mekId, key: mek }, wrapped, contextOf(instance, { ...holder, holderKind: kind }, generation))
  const { holderKind } = holder
  return {
    generation,
    wrappedKey: wrap(key, holderKind),
    mekVersion,
    sealsFrom,
    wrappedWords: tags === undefined ? null : wrap(tags.words, `${holderKind} words`),
    wrappedExact: tags === undefined ? null : wrap(tags.exact, `${holderKind} exact`),
  }
}

const wrapNewScope = (instance: Instance, mek: Mek, holder: ScopeHolder): WrappedVaultKey =>
  wrapGeneration(instance, mek, holder, {
    generation: firstVersion,
    key: createRandomKey(),
    tags: undefined,
    sealsFrom: 0,
  })

// Wraps contain the id of their wrapping key. All MEKs share one id, since a MEK is found by its owner.
const mekId = 'mek'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

const describeWrap = ({ generation, wrappedKey, wrappedWords, wrappedExact }: WrappedVaultKey): string =>
  [generation, ...[wrappedKey, wrappedWords, wrappedExact].map((bytes) => (bytes === null ? '' : base64(bytes)))].join(
    ' ',
  )

function remember<V extends object>(cache: LRUCache<string, V>, name: string, make: () => V): V {
  const known = cache.get(name)
  if (known !== undefined) return known
  const made = make()
  cache.set(name, made)
  return made
}
