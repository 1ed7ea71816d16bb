import { randomFillSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { nonceBytes } from './gcm.ts'
import { hmacSha256, sha256 } from './hash.ts'

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
