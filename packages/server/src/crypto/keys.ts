import { createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { lengthPrefixed, uint32, uuidBytes } from './encode.ts'
import { gcmOpen, gcmSeal, nonceBytes, tagBytes } from './gcm.ts'
import { hkdfSha256 } from './hash.ts'

/**
 * Terms. **Root key**: given to the process from outside the database. **MEK**: a user's master encryption key.
 * **Scope**: a vault, or the data of a user or of the instance outside of vaults. **Scope key**: random, one per scope and
 * **generation**; the newest generation seals, older ones are kept for reading. **Sub-key**: derived from a
 * scope key for one purpose. Root keys and MEKs only wrap other keys. Only sub-keys seal data. **Tag keys**: the two sub-keys of
 * a scope's first generation that key its tags. They stay when that generation is deleted, so tags stay comparable.
 */

const keyBytes = 32
const noSalt = Buffer.alloc(0)

/** A key that wraps others. `id` is derived from the key and stored in every wrap. */
export interface WrappingKey {
  id: string
  key: KeyObject
}

export interface RootKeys {
  /**
   * The first key given: the key of a new instance, and the target of a rotation. The database records which key is in use.
   */
  primary: WrappingKey
  /** The primary key and all others that may still be needed to unwrap. */
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

/** The keys for all tags of a scope. */
export type TagKeys = Pick<SubKeys, 'words' | 'exact'>

/** All generations of one scope's keys. */
export interface ScopeKeys {
  scopeId: string
  /** The generation that seals: the highest one that was in use when the keys were unwrapped. */
  current: number
  generations: ReadonlyMap<number, SubKeys>
  tags: TagKeys
  /** Called before a cell is sealed. */
  countSeal: () => void
}

/** A vault with its owner and keys. For data outside of vaults, `id` is the user's id. */
export interface VaultScope {
  id: string
  userId: string
  keys: ScopeKeys
  /** Whether a webhook wants events about its memories, tasks or notes. Imports leave it out, because they send none. */
  isWatched?: boolean
}

/** 32 new random bytes. */
export const createRandomKey = (): KeyObject => moveToKey(randomBytes(keyBytes))

/** Copies the bytes; the caller wipes the originals. Throws a RangeError unless there are 32. */
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

/** 16 bytes that may be stored unencrypted: they show whether a key is the right one and reveal nothing about it. */
export const keyCheckValue = (key: KeyObject): Buffer => hkdfSha256(key, noSalt, 'holdfast/v1/kcv', 16)

/** The id is the first half of the key's check value in hexadecimal. */
export const wrappingKeyFrom = (key: KeyObject): WrappingKey => ({
  id: keyCheckValue(key).toString('hex', 0, 8),
  key,
})

/** The first key is the primary. Throws a RangeError if there are no keys. */
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

/** A key of a scope. `tags`: the scope's tag keys, if they were kept when the first generation was deleted. */
interface Generation {
  generation: number
  key: KeyObject
  tags?: TagKeys | undefined
}

/**
 * `current`: the generation that seals; by default the highest. Throws a RangeError if there are no keys, a generation occurs twice or
 * `current` is none of them.
 */
export function scopeKeys(
  scopeId: string,
  keys: readonly Generation[],
  current = Math.max(...keys.map(({ generation }) => generation)),
  countSeal = () => {},
): ScopeKeys {
  const generations = new Map(keys.map(({ generation, key }) => [generation, deriveSubKeys(key, scopeId, generation)]))
  if (generations.size < keys.length) throw new RangeError('a scope has two keys of one generation')
  const first = Math.min(...generations.keys())
  const tags = keys.find(({ generation }) => generation === first)?.tags ?? generations.get(first)
  if (tags === undefined || !generations.has(current)) throw new RangeError('a scope needs at least one key')
  return { scopeId, current, generations, tags, countSeal }
}

/** The keys for all tags of a scope: those of its first generation, so tags stay comparable when a new generation seals. */
export const tagKeys = ({ tags }: ScopeKeys): TagKeys => tags

// One key sealed under another: AES-256-GCM under a one-time key that HKDF derives from the wrapping key, a random salt
// and the context. The same derivation gives a commitment, because GCM alone lets one ciphertext open under two keys.
// wrapped = 0x01 ‖ 0x01 ‖ lp(id of the wrapping key) ‖ salt 32 ‖ commitment 32 ‖ sealed key 48

const wrapVersion = 1
const wrapType = 1
const saltBytes = 32
const commitmentBytes = 32
const sealedKeyBytes = keyBytes + tagBytes
// The key is derived for this one wrap, so the nonce can be constant.
const zeroNonce = Buffer.alloc(nonceBytes)

/** A vault, or a user's data outside of vaults. */
export type ScopeKind = 'vault' | 'private'

/**
 * The holder of a wrapped key. A wrap that was moved to another holder, user, instance or version is refused.
 * All ids are UUIDs. For the instance's own key `userId` and `holderId` are the instance's id.
 */
export interface WrapContext {
  instanceId: string
  userId: string
  holderKind: 'user' | 'integration' | ScopeKind | `${ScopeKind} ${keyof TagKeys}` | 'instance'
  holderId: string
  /** The version of a wrapped MEK, or the generation of a wrapped scope key. */
  version: number
}

/** `rejected`: altered, moved from another holder, or not wrapped by the key with that id. */
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

/** `wrapKey` with a given salt. Only for known-answer tests: using a salt twice uses a key twice. */
export function wrapKeyWithSalt(wrapping: WrappingKey, key: KeyObject, context: WrapContext, salt: Uint8Array): Buffer {
  if (key.symmetricKeySize !== keyBytes) throw new RangeError('only keys of 32 bytes are wrapped')
  const aad = encodeContext(context)
  const { oneTimeKey, commitment } = drawOneTimeKey(wrapping.key, salt, aad)
  const plainKey = key.export()
  const sealedKey = gcmSeal(oneTimeKey, zeroNonce, aad, plainKey)
  plainKey.fill(0)
  return Buffer.concat([Buffer.of(wrapVersion, wrapType), lengthPrefixed(wrapping.id), salt, commitment, sealedKey])
}

/** Accepts several wrapping keys for rotations. The wrap contains the id of the key it needs; no other is tried. */
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

/** The id of the wrapping key, as stored in the wrap. */
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
