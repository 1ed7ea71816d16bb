import { uuidBytes } from '../crypto/encode.ts'

/** Ids as 16 bytes, for tables with many rows that are seldom read: elsewhere ids are text, which is faster to read. */

export const idToBytes = (id: string): Buffer => uuidBytes(id)

export function idFromBytes(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export const optionalIdToBytes = (id: string | null): Buffer | null => (id === null ? null : idToBytes(id))
export const optionalIdFromBytes = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : idFromBytes(bytes)
