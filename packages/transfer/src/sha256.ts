import { sha256 as hash } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** SHA-256 in hexadecimal. Implemented in JavaScript, because browsers offer their own only over TLS. */

export const sha256Hex = (text: string): string => bytesToHex(hash(utf8ToBytes(text)))

/** Computes SHA-256 piece by piece. Text counts as UTF-8. */
export function sha256InPieces(): { update(piece: Uint8Array | string): void; hex(): string } {
  const running = hash.create()
  return {
    update: (piece) => void running.update(typeof piece === 'string' ? utf8ToBytes(piece) : piece),
    hex: () => bytesToHex(running.digest()),
  }
}
