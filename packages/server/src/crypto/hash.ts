import { createHmac, hash, hkdfSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/**
 * SHA-256, HMAC-SHA256 and HKDF-SHA256 (RFC 5869). Keys are KeyObjects throughout: they stay outside the JavaScript
 * heap, and on Node 24 an HMAC takes 2.5 µs with one, 12.6 µs with a raw buffer.
 */

/** Text is hashed as UTF-8. */
export const sha256 = (data: Uint8Array | string): Buffer => hash('sha256', data, 'buffer')

/** The 32-byte HMAC of the parts, one behind the other: whoever passes several sees to it that they cannot be cut elsewhere. */
export function hmacSha256(key: KeyObject, ...parts: (Uint8Array | string)[]): Buffer {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return mac.digest()
}

/** Node throws for 0 bytes and for more than 8,160. */
export const hkdfSha256 = (key: KeyObject, salt: Uint8Array, info: Uint8Array | string, lengthBytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, lengthBytes))
