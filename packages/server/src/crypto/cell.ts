import { lengthPrefixed, prefixedName, uint32, uuidBytes } from './encode.ts'
import { gcmOpen, gcmSeal, nonceBytes, tagBytes, hedgedNonce, nextNonceRandom } from './gcm.ts'
import type { ScopeKeys, SubKeys } from './keys.ts'

/**
 * A cell is the sealed value of one column in one row, bound to that place:
 * cell = version 0x01 ‖ suite 0x01 ‖ generation u32be ‖ nonce 12 ‖ ciphertext ‖ tag 16, 34 bytes more than the plaintext.
 * Not prevented here: someone with write access to the database can restore an older cell together with its row's older revision.
 */

const version = 1
const suite = 1
/** The start of a cell, with the generation of its key. A shorter cell is damaged. */
export const headerBytes = 6
const ciphertextAt = headerBytes + nonceBytes
const uuidLength = Buffer.of(0, 16)
const aadLabel = Buffer.from('holdfast/aad/1')

declare const sealedBrand: unique symbol

/** The bytes of a cell. Only this file creates the brand, which keeps plain bytes and text out of sealed columns. */
export type Sealed = Uint8Array & { readonly [sealedBrand]: true }

/** Only for bytes that were read from a sealed column. Opening checks them. */
export const asSealed = (bytes: Uint8Array): Sealed => bytes as Sealed

/** Selects the sub-key: `content` for texts and fields, `index` for index entries and snapshots. */
export type CellPurpose = 'content' | 'index'

/** The place of a cell. A cell from any other place doesn't open. All ids are lower-case UUIDs. */
export interface CellAddress {
  userId: string
  /** The vault's id, or the user's id for data outside of vaults. */
  scopeId: string
  table: string
  rowId: string
  column: string
  /** Increases when the row's cells are sealed again, so an old cell can't be mixed with newer ones. */
  revision: number
}

/** `rejected`: altered, moved from another place, or sealed under another key. */
export class CellError extends Error {
  readonly reason: 'malformed' | 'unknown_generation' | 'rejected'
  // Private, so that printing the error doesn't print the place.
  readonly #address: CellAddress
  readonly #generation: number | undefined

  /** `generation`: the unknown one. */
  constructor(reason: CellError['reason'], address: CellAddress, generation?: number) {
    super(`sealed cell ${reasonTexts[reason]}`)
    this.name = 'CellError'
    this.reason = reason
    this.#address = address
    this.#generation = generation
  }

  get place(): { address: CellAddress; generation: number | undefined } {
    return { address: this.#address, generation: this.#generation }
  }
}

const reasonTexts = {
  malformed: 'is malformed',
  unknown_generation: 'needs a key generation that was not given',
  rejected: 'does not belong to this place or key',
} as const

/** Seals under the current generation. Each call uses a new nonce, so equal plaintexts give different cells. */
export const sealCell = (keys: ScopeKeys, purpose: CellPurpose, address: CellAddress, plaintext: Uint8Array): Sealed =>
  sealCellWithRandom(keys, purpose, address, { plaintext, random: nextNonceRandom() })

/** `sealCell` with a given random part of the nonce. Only for known-answer tests. */
export function sealCellWithRandom(
  keys: ScopeKeys,
  purpose: CellPurpose,
  address: CellAddress,
  { plaintext, random }: { plaintext: Uint8Array; random: Uint8Array },
): Sealed {
  if (keys.scopeId !== address.scopeId) throw new RangeError('the keys are of another scope than the cell')
  keys.countSeal()
  const subKeys = subKeysOf(keys, keys.current, address)
  const header = Buffer.concat([Buffer.of(version, suite), uint32(keys.current)])
  const aad = encodeAad(header, purpose, address)
  const nonce = hedgedNonce(subKeys.nonce, random, aad, plaintext)
  return asSealed(Buffer.concat([header, nonce, gcmSeal(subKeys[purpose], nonce, aad, plaintext)]))
}

/** Returns the plaintext or throws a CellError. Tries only the key of the generation in the header. */
export function openCell(keys: ScopeKeys, purpose: CellPurpose, address: CellAddress, cell: Sealed): Buffer {
  if (cell.length < ciphertextAt + tagBytes || cell[0] !== version || cell[1] !== suite)
    throw new CellError('malformed', address)
  const header = cell.subarray(0, headerBytes)
  const subKeys = subKeysOf(keys, generationOf(cell), address)
  const aad = encodeStoredAad(header, purpose, address)
  const nonce = cell.subarray(headerBytes, ciphertextAt)
  const plaintext = gcmOpen(subKeys[purpose], nonce, aad, cell.subarray(ciphertextAt))
  if (plaintext === undefined) throw new CellError('rejected', address)
  return plaintext
}

/** Text is sealed as UTF-8. A lone surrogate would become U+FFFD, so requests with one are refused earlier. */
export const sealText = (keys: ScopeKeys, purpose: CellPurpose, address: CellAddress, text: string): Sealed =>
  sealCell(keys, purpose, address, Buffer.from(text))

export const openText = (keys: ScopeKeys, purpose: CellPurpose, address: CellAddress, cell: Sealed): string =>
  openCell(keys, purpose, address, cell).toString()

/** `value` must be representable as JSON: plain objects, arrays, strings, finite numbers, booleans, null. */
export const sealJson = (keys: ScopeKeys, purpose: CellPurpose, address: CellAddress, value: object): Sealed =>
  sealText(keys, purpose, address, JSON.stringify(value))

export const openJson = (keys: ScopeKeys, purpose: CellPurpose, address: CellAddress, cell: Sealed): unknown =>
  JSON.parse(openText(keys, purpose, address, cell))

interface Opener {
  keys: ScopeKeys
  onDamage: OnDamage
}

/**
 * For cells of the instance, without which a person can still work; undefined, once `onDamage` knows, if it can't be opened. The instance's
 * keys include the next generation, so an unknown one is damage.
 */
export function openIntactText({ keys, onDamage }: Opener, address: CellAddress, cell: Sealed): string | undefined {
  try {
    return openText(keys, 'content', address, cell)
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    onDamage(address)
    return undefined
  }
}

/** What takes the place of a name that can't be opened. */
export const damagedName = (rowId: string): string => `Damaged ${rowId.slice(-12)}`

export function openIntactJson(opener: Opener, address: CellAddress, cell: Sealed): unknown {
  const text = openIntactText(opener, address, cell)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Called with each cell that a list leaves out because it is damaged. */
export type OnDamage = (address: CellAddress) => void

/** Also collects the ids of the rows. */
export function collectDamage(onDamage: OnDamage): { ids: ReadonlySet<string>; onDamage: OnDamage } {
  const ids = new Set<string>()
  return {
    ids,
    onDamage(address) {
      ids.add(address.rowId)
      onDamage(address)
    },
  }
}

/** The generation of the key that sealed the cell. */
export const generationOf = (cell: Sealed): number =>
  new DataView(cell.buffer, cell.byteOffset, cell.byteLength).getUint32(2)

function subKeysOf(keys: ScopeKeys, generation: number, address: CellAddress): SubKeys {
  const subKeys = keys.generations.get(generation)
  if (subKeys === undefined) throw new CellError('unknown_generation', address, generation)
  return subKeys
}

/** An id or a revision that can't be one was altered in the store: no cell was ever sealed to it. */
function encodeStoredAad(header: Uint8Array, purpose: CellPurpose, address: CellAddress): Buffer {
  try {
    return encodeAad(header, purpose, address)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new CellError('rejected', address)
  }
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
