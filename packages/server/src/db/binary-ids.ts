import { uuidBytes } from '../crypto/encode.ts'

/** Ids as 16 bytes, for tables with many rows that are seldom read: elsewhere ids are text, which is faster to read. */

declare const idBrand: unique symbol

/** The bytes of an id. Only this file creates the brand, so no other bytes get into a column of ids. */
export type BinaryId = Uint8Array & { readonly [idBrand]: true }

/** Throws a RangeError for anything but a lower-case UUID. */
export const idToBytes = (id: string): BinaryId => uuidBytes(id) as unknown as BinaryId

export function idFromBytes(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export const optionalIdToBytes = (id: string | null): BinaryId | null => (id === null ? null : idToBytes(id))
export const optionalIdFromBytes = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : idFromBytes(bytes)
