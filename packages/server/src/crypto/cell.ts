import { lengthPrefixed, prefixedName, uint32, uuidBytes } from './encode.ts'
import { gcmOpen, gcmSeal, nonceBytes, tagBytes } from './gcm.ts'
import type { ScopeKeys, SubKeys } from './keys.ts'
import { hedgedNonce, nextNonceRandom } from './nonce.ts'

/**
 * A cell is one sealed value of one column of one row, bound to that place:
 * cell = version 0x01 ‖ suite 0x01 ‖ generation u32be ‖ nonce 12 ‖ ciphertext ‖ tag 16, 34 bytes more than the plaintext.
 * Not prevented here: a writer of the database who puts back an older cell together with its row's older revision.
 */

const version = 1
const suite = 1
const headerBytes = 6
const ciphertextAt = headerBytes + nonceBytes
const uuidLength = Buffer.of(0, 16)
const aadLabel = Buffer.from('holdfast/aad/1')

declare const sealedBrand: unique symbol

/** The bytes of a cell. The brand keeps plain bytes and text out of sealed columns: only this file makes one. */
export type Sealed = Uint8Array & { readonly [sealedBrand]: true }

/** For bytes that were read from a sealed column, nothing else. They are checked when opened. */
export const asSealed = (bytes: Uint8Array): Sealed => bytes as Sealed

/** Which sub-key seals: texts and fields, or entries and snapshots of the search index. */
export type CellPurpose = 'content' | 'index'

/** Where a cell lies. A cell that is found anywhere else does not open. All ids are lower-case UUIDs. */
export interface CellAddress {
  userId: string
  /** The vault; for what belongs to no vault, the user's own id. */
  scopeId: string
  table: string
  rowId: string
  column: string
  /** Rises when the row's cells are sealed anew, so that an old one cannot be mixed with newer ones. */
  revision: number
}

/** `rejected`: altered, moved from another place, or sealed under another key. */
export class CellError extends Error {
  readonly reason: 'malformed' | 'unknown_generation' | 'rejected'

  constructor(reason: CellError['reason']) {
    super(`sealed cell ${reasonTexts[reason]}`)
    this.name = 'CellError'
    this.reason = reason
  }
}

const reasonTexts = {
  malformed: 'is malformed',
  unknown_generation: 'needs a key generation that was not given',
  rejected: 'does not belong to this place or key',
} as const

/** Seals under the current generation. Every call draws a new nonce, so equal plaintexts give different cells. */
export const sealCell = (keys: ScopeKeys, purpose: CellPurpose, address: CellAddress, plaintext: Uint8Array): Sealed =>
  sealCellWithRandom(keys, purpose, address, { plaintext, random: nextNonceRandom() })

/** `sealCell` with the random part of its nonce given: for known answers in tests only. */
export function sealCellWithRandom(
  keys: ScopeKeys,
  purpose: CellPurpose,
  address: CellAddress,
  { plaintext, random }: { plaintext: Uint8Array; random: Uint8Array },
): Sealed {
  if (keys.scopeId !== address.scopeId) throw new RangeError('the keys are of another scope than the cell')
  const subKeys = subKeysOf(keys, keys.current)
  const header = Buffer.concat([Buffer.of(version, suite), uint32(keys.current)])
  const aad = encodeAad(header, purpose, address)
  const nonce = hedgedNonce(subKeys.nonce, random, aad, plaintext)
  return asSealed(Buffer.concat([header, nonce, gcmSeal(subKeys[purpose], nonce, aad, plaintext)]))
}

/** The plaintext, or a CellError. The header names the generation; no other key is tried. */
export function openCell(keys: ScopeKeys, purpose: CellPurpose, address: CellAddress, cell: Sealed): Buffer {
  if (cell.length < ciphertextAt + tagBytes || cell[0] !== version || cell[1] !== suite)
    throw new CellError('malformed')
  const header = cell.subarray(0, headerBytes)
  const subKeys = subKeysOf(keys, generationOf(cell))
  const aad = encodeAad(header, purpose, address)
  const nonce = cell.subarray(headerBytes, ciphertextAt)
  const plaintext = gcmOpen(subKeys[purpose], nonce, aad, cell.subarray(ciphertextAt))
  if (plaintext === undefined) throw new CellError('rejected')
  return plaintext
}

/** Text goes in as UTF-8; a lone surrogate would become U+FFFD, so requests that hold one are refused before. */
export const sealText = (keys: ScopeKeys, purpose: CellPurpose, address: CellAddress, text: string): Sealed =>
  sealCell(keys, purpose, address, Buffer.from(text))

export const openText = (keys: ScopeKeys, purpose: CellPurpose, address: CellAddress, cell: Sealed): string =>
  openCell(keys, purpose, address, cell).toString()

/** `value` must have a JSON form: plain objects, arrays, strings, finite numbers, booleans, null. */
export const sealJson = (keys: ScopeKeys, purpose: CellPurpose, address: CellAddress, value: object): Sealed =>
  sealText(keys, purpose, address, JSON.stringify(value))

export const openJson = (keys: ScopeKeys, purpose: CellPurpose, address: CellAddress, cell: Sealed): unknown =>
  JSON.parse(openText(keys, purpose, address, cell))

const generationOf = (cell: Sealed): number => new DataView(cell.buffer, cell.byteOffset, cell.byteLength).getUint32(2)

function subKeysOf(keys: ScopeKeys, generation: number): SubKeys {
  const subKeys = keys.generations.get(generation)
  if (subKeys === undefined) throw new CellError('unknown_generation')
  return subKeys
}

function encodeAad(header: Uint8Array, purpose: CellPurpose, address: CellAddress): Buffer {
  return Buffer.concat([
    aadLabel,
    header,
    prefixedName(purpose),
    uuidLength,
    uuidBytes(address.userId),
    uuidLength,
    uuidBytes(address.scopeId),
    prefixedName(address.table),
    uuidLength,
    uuidBytes(address.rowId),
    lengthPrefixed(address.column),
    uint32(address.revision),
  ])
}
