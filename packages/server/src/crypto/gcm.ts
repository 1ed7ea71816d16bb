import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { hmacSha256, sha256 } from './hash.ts'

/**
 * AES-256-GCM with a 96-bit nonce and a 128-bit tag, and nothing else. Only this file calls ciphers: by default, Node's GCM
 * accepts nonces of other lengths and, without `authTagLength`, tags of 4 bytes, which can be guessed.
 */

export const nonceBytes = 12
export const tagBytes = 16

const algorithm = 'aes-256-gcm'
const options = { authTagLength: tagBytes }

/** Returns the ciphertext (as long as the plaintext) followed by the 16-byte tag. Never use a nonce twice with one key. */
export function gcmSeal(key: KeyObject, nonce: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Buffer {
  checkNonce(nonce)
  const cipher = createCipheriv(algorithm, key, nonce, options).setAAD(aad)
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

/**
 * Returns the plaintext, or undefined if key, nonce, associated data, ciphertext and tag don't belong together. Bytes
 * that fail the check are never returned. Throws a RangeError if the key or nonce has the wrong length.
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
    // All inputs have been checked, so only the tag can be wrong here.
    return undefined
  }
  return plaintext
}

// Node itself refuses other key sizes.
function checkNonce(nonce: Uint8Array): void {
  if (nonce.length !== nonceBytes) throw new RangeError('AES-256-GCM is used with nonces of 12 bytes only')
}

/** How many random bytes go into each nonce. */
const nonceRandomBytes = 16

// Filled for 256 nonces at a time: one by one, random bytes would take about a third of a nonce's time.
const pool = Buffer.alloc(256 * nonceRandomBytes)
let nextAt = pool.length

/** 16 random bytes, valid until the next call: they are a view into a pool that is refilled. */
export function nextNonceRandom(): Buffer {
  if (nextAt === pool.length) {
    randomFillSync(pool)
    nextAt = 0
  }
  nextAt += nonceRandomBytes
  return pool.subarray(nextAt - nonceRandomBytes, nextAt)
}

/**
 * The first 12 bytes of HMAC-SHA256(nonce key, random ‖ AAD ‖ SHA-256(plaintext)). Random nonces alone would repeat
 * if the generator repeats (a virtual machine restored from a snapshot, a cloned container), and a repeated nonce breaks GCM
 * completely. These repeat only for the same text in the same cell, which gives the same ciphertext.
 * Unambiguous without lengths: the first part has 16 bytes and the last 32.
 */
export const hedgedNonce = (key: KeyObject, random: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Buffer =>
  hmacSha256(key, random, aad, sha256(plaintext)).subarray(0, nonceBytes)
