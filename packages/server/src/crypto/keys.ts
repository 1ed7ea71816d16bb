import { createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { lengthPrefixed, uint32, uuidBytes } from './encode.ts'
import { gcmOpen, gcmSeal, nonceBytes, tagBytes } from './gcm.ts'
import { hkdfSha256 } from './hash.ts'

/**
 * Terms. **Root key**: given to the process from outside the database. **MEK**: a user's master encryption key.
 * **Scope**: a vault, or what belongs to a user or to the instance alone. **Scope key**: random, one per scope and
 * **generation**; a new generation takes all new writes, old ones are kept for reading. **Sub-key**: derived from a
 * scope key for one purpose. Root keys and MEKs only wrap other keys; sub-keys alone touch data.
 */

const keyBytes = 32
const noSalt = Buffer.alloc(0)

/** A key that wraps others; `id` is derived from the key and names it inside what it wrapped. */
export interface WrappingKey {
  id: string
  key: KeyObject
}

export interface RootKeys {
  /**
   * The first that was given: wraps for a new instance, and is what a change of the root key changes to. Which one is in use, the
   * database says.
   */
  primary: WrappingKey
  /** The primary and all that may still be needed to unwrap. */
  byId: Map<string, WrappingKey>
}

export interface SubKeys {
  /** Seals text and other fields. */
  content: KeyObject
  /** Seals index entries and snapshots. */
  index: KeyObject
  words: KeyObject
  exact: KeyObject
  nonce: KeyObject
}

/** All generations of one scope's keys. */
export interface ScopeKeys {
  scopeId: string
  /** The generation that seals: the highest. */
  current: number
  generations: ReadonlyMap<number, SubKeys>
}

/** Whose rows, in which vault, and the keys that open them; or of what lies outside of vaults, where `id` is the user's own. */
export interface VaultScope {
  id: string
  userId: string
  keys: ScopeKeys
}

/** 32 fresh random bytes. */
export const createRandomKey = (): KeyObject => moveToKey(randomBytes(keyBytes))

/** Copies the bytes: wiping the given ones stays with the caller. RangeError unless they are 32. */
export function keyFromBytes(bytes: Uint8Array): KeyObject {
  if (bytes.length !== keyBytes) throw new RangeError('a key is 32 bytes long')
  return createSecretKey(bytes)
}

// Key bytes that passed through the JavaScript heap are wiped, as far as JavaScript allows.
function moveToKey(bytes: Uint8Array): KeyObject {
  const key = keyFromBytes(bytes)
  bytes.fill(0)
  return key
}

/** 16 bytes that may be stored in the open: they tell whether the right key was given, and nothing about it. */
export const keyCheckValue = (key: KeyObject): Buffer => hkdfSha256(key, noSalt, 'holdfast/v1/kcv', 16)

/** The id is the first half of the key's check value in hexadecimal. */
export const wrappingKeyFrom = (key: KeyObject): WrappingKey => ({
  id: keyCheckValue(key).toString('hex', 0, 8),
  key,
})

/** The first key is the primary. RangeError where there is none. */
export function rootKeysFrom(keys: readonly KeyObject[]): RootKeys {
  const all = keys.map(wrappingKeyFrom)
  const [primary] = all
  if (primary === undefined) throw new RangeError('at least one root key is needed')
  return { primary, byId: new Map(all.map((root) => [root.id, root])) }
}

/** HKDF-SHA256 with salt = scope id ‖ u32be(generation) and info = "holdfast/v1/" ‖ purpose. About 35 µs for all five. */
export function deriveSubKeys(key: KeyObject, scopeId: string, generation: number): SubKeys {
  const salt = Buffer.concat([uuidBytes(scopeId), uint32(generation)])
  const derive = (purpose: keyof SubKeys) => moveToKey(hkdfSha256(key, salt, `holdfast/v1/${purpose}`, keyBytes))
  return {
    content: derive('content'),
    index: derive('index'),
    words: derive('words'),
    exact: derive('exact'),
    nonce: derive('nonce'),
  }
}

/** RangeError where no key is given or a generation comes twice. */
export function scopeKeys(scopeId: string, keys: readonly { generation: number; key: KeyObject }[]): ScopeKeys {
  const generations = new Map(keys.map(({ generation, key }) => [generation, deriveSubKeys(key, scopeId, generation)]))
  if (generations.size === 0) throw new RangeError('a scope needs at least one key')
  if (generations.size < keys.length) throw new RangeError('a scope has two keys of one generation')
  return { scopeId, current: Math.max(...generations.keys()), generations }
}

/**
 * The keys of all keyed tags of a scope: its first generation's, so that tags stay comparable when a new generation
 * takes over the sealing.
 */
export function tagKeys({ generations }: ScopeKeys): SubKeys {
  const first = generations.get(Math.min(...generations.keys()))
  if (first === undefined) throw new RangeError('a scope needs at least one key')
  return first
}

// One key sealed under another: AES-256-GCM under a one-time key that HKDF draws from the wrapping key, a random salt
// and the context. The same call draws a commitment, because GCM alone lets one ciphertext open under two keys.
// wrapped = 0x01 ‖ 0x01 ‖ lp(id of the wrapping key) ‖ salt 32 ‖ commitment 32 ‖ sealed key 48

const wrapVersion = 1
const wrapType = 1
const saltBytes = 32
const commitmentBytes = 32
const sealedKeyBytes = keyBytes + tagBytes
// The key it is used with is drawn for this one wrap, so the nonce need not vary.
const zeroNonce = Buffer.alloc(nonceBytes)

/**
 * Who holds the wrapped key: a wrap that was moved to another holder, user, instance or version is refused.
 * All ids are UUIDs. For the instance's own key `userId` and `holderId` are the instance's id.
 */
export interface WrapContext {
  instanceId: string
  userId: string
  holderKind: 'user' | 'integration' | 'vault' | 'private' | 'instance'
  holderId: string
  /** Of the wrapped key: a MEK's version, a scope key's generation. */
  version: number
}

/** `rejected`: altered, moved from another holder, or not wrapped by the key of that name. */
export class KeyWrapError extends Error {
  readonly reason: 'malformed' | 'unknown_wrapping_key' | 'rejected'

  constructor(reason: KeyWrapError['reason']) {
    super(`wrapped key ${reasonTexts[reason]}`)
    this.name = 'KeyWrapError'
    this.reason = reason
  }
}

const reasonTexts = {
  malformed: 'is malformed',
  unknown_wrapping_key: 'needs a wrapping key that was not given',
  rejected: 'does not belong to this holder or wrapping key',
} as const

export const wrapKey = (wrapping: WrappingKey, key: KeyObject, context: WrapContext): Buffer =>
  wrapKeyWithSalt(wrapping, key, context, randomBytes(saltBytes))

/** `wrapKey` with its random salt given: for known answers in tests only, as a salt used twice gives a key used twice. */
export function wrapKeyWithSalt(wrapping: WrappingKey, key: KeyObject, context: WrapContext, salt: Uint8Array): Buffer {
  if (key.symmetricKeySize !== keyBytes) throw new RangeError('only keys of 32 bytes are wrapped')
  const aad = encodeContext(context)
  const { oneTimeKey, commitment } = drawOneTimeKey(wrapping.key, salt, aad)
  const plainKey = key.export()
  const sealedKey = gcmSeal(oneTimeKey, zeroNonce, aad, plainKey)
  plainKey.fill(0)
  return Buffer.concat([Buffer.of(wrapVersion, wrapType), lengthPrefixed(wrapping.id), salt, commitment, sealedKey])
}

/** Several wrapping keys may be given during a rotation; the wrap names the one it needs, and no other is tried. */
export function unwrapKey(
  wrapping: WrappingKey | Map<string, WrappingKey>,
  wrapped: Uint8Array,
  context: WrapContext,
): KeyObject {
  const { id, salt, commitment, sealedKey } = parseWrapped(wrapped)
  const named = wrapping instanceof Map ? wrapping.get(id) : wrapping.id === id ? wrapping : undefined
  if (named === undefined) throw new KeyWrapError('unknown_wrapping_key')
  const aad = encodeContext(context)
  const drawn = drawOneTimeKey(named.key, salt, aad)
  if (!timingSafeEqual(drawn.commitment, commitment)) throw new KeyWrapError('rejected')
  const opened = gcmOpen(drawn.oneTimeKey, zeroNonce, aad, sealedKey)
  if (opened === undefined) throw new KeyWrapError('rejected')
  return moveToKey(opened)
}

/** The id of the key that a wrap was made with, as it says itself. */
export const wrappedUnder = (wrapped: Uint8Array): string => parseWrapped(wrapped).id

function drawOneTimeKey(wrappingKey: KeyObject, salt: Uint8Array, aad: Uint8Array) {
  const info = Buffer.concat([Buffer.from('holdfast/v1/wrap'), aad])
  const drawn = hkdfSha256(wrappingKey, salt, info, keyBytes + commitmentBytes)
  const oneTimeKey = moveToKey(drawn.subarray(0, keyBytes))
  return { oneTimeKey, commitment: drawn.subarray(keyBytes) }
}

function encodeContext(context: WrapContext): Buffer {
  return Buffer.concat([
    lengthPrefixed(uuidBytes(context.instanceId)),
    lengthPrefixed(uuidBytes(context.userId)),
    lengthPrefixed(context.holderKind),
    lengthPrefixed(uuidBytes(context.holderId)),
    uint32(context.version),
  ])
}

function parseWrapped(wrapped: Uint8Array) {
  const bytes = Buffer.from(wrapped.buffer, wrapped.byteOffset, wrapped.byteLength)
  if (bytes.length < 4 || bytes[0] !== wrapVersion || bytes[1] !== wrapType) throw new KeyWrapError('malformed')
  const saltAt = 4 + bytes.readUInt16BE(2)
  const commitmentAt = saltAt + saltBytes
  const sealedAt = commitmentAt + commitmentBytes
  if (bytes.length !== sealedAt + sealedKeyBytes) throw new KeyWrapError('malformed')
  return {
    id: bytes.toString('utf8', 4, saltAt),
    salt: bytes.subarray(saltAt, commitmentAt),
    commitment: bytes.subarray(commitmentAt, sealedAt),
    sealedKey: bytes.subarray(sealedAt),
  }
}
