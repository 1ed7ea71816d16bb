import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/**
 * AES-256-GCM with a 96-bit nonce and a 128-bit tag, and nothing else. The only file that calls ciphers: left alone,
 * Node's GCM takes nonces of other lengths and, without `authTagLength`, tags of 4 bytes, which can be guessed.
 */

export const nonceBytes = 12
export const tagBytes = 16

const algorithm = 'aes-256-gcm'
const options = { authTagLength: tagBytes }

/** The ciphertext (as long as the plaintext) and the 16-byte tag behind it. A nonce must never be used twice with one key. */
export function gcmSeal(key: KeyObject, nonce: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Buffer {
  checkNonce(nonce)
  const cipher = createCipheriv(algorithm, key, nonce, options).setAAD(aad)
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

/**
 * The plaintext, or undefined where key, nonce, associated data, ciphertext and tag do not belong together; bytes
 * that failed the check are never returned. A key or nonce of a wrong length throws a RangeError.
 */
export function gcmOpen(key: KeyObject, nonce: Uint8Array, aad: Uint8Array, sealed: Uint8Array): Buffer | undefined {
  checkNonce(nonce)
  if (sealed.length < tagBytes) return undefined
  const tagAt = sealed.length - tagBytes
  const decipher = createDecipheriv(algorithm, key, nonce, options).setAAD(aad).setAuthTag(sealed.subarray(tagAt))
  const plaintext = decipher.update(sealed.subarray(0, tagAt))
  try {
    decipher.final()
  } catch {
    // All inputs have been checked, so the tag is all that can be wrong here.
    return undefined
  }
  return plaintext
}

// Node refuses other key sizes by itself.
function checkNonce(nonce: Uint8Array): void {
  if (nonce.length !== nonceBytes) throw new RangeError('AES-256-GCM is used with nonces of 12 bytes only')
}
