import { randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { sha256 } from './hash.ts'

/**
 * Bearer secrets: a prefix for the kind, 43 base62 characters of 32 random bytes, and 6 base62 characters of the CRC-32
 * of everything before. The checksum lets scanners recognize leaked secrets and lets the server refuse typos without a
 * look-up. It adds no security. Only the hash is stored.
 */

/**
 * Agent keys, dashboard tokens, the operator's token, one-time set-up tokens, both halves of dashboard sessions (the cookie
 * and the session key), and of connections: codes, access tokens and the parts of refresh tokens.
 */
export type SecretPrefix = 'svc_' | 'hfd_' | 'hfo_' | 'hfs_' | 'hfc_' | 'hfk_' | 'hfg_' | 'hfa_' | 'hfr_'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomChars = 43
const checksumChars = 6
const bodyPattern = /^[0-9A-Za-z]{49}$/

/** A new secret with 256 bits of randomness, 53 characters long. */
export function newSecret(prefix: SecretPrefix): string {
  const random = BigInt(`0x${randomBytes(32).toString('hex')}`)
  const text = prefix + toBase62(random, randomChars)
  return text + checksumOf(text)
}

/** Whether the text has the form and checksum of such a secret, not whether the secret exists. */
export function isWellFormedSecret(prefix: SecretPrefix, text: string): boolean {
  if (!text.startsWith(prefix) || !bodyPattern.test(text.slice(prefix.length))) return false
  return text.endsWith(checksumOf(text.slice(0, -checksumChars)))
}

/** What is stored and looked up. 256 random bits can't be searched, so no slow hash is needed. */
export const hashSecret = (text: string): Buffer => sha256(text)

/** Compares bytes in a time that doesn't depend on where they differ (it may depend on their lengths). */
export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)

/** The part of a secret that people may see later to identify it. Contains only checksum characters. */
export const lastFour = (text: string): string => text.slice(-4)

const checksumOf = (text: string): string => toBase62(BigInt(crc32(text)), checksumChars)

function toBase62(value: bigint, chars: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = alphabet.charAt(Number(rest % 62n)) + text
  return text.padStart(chars, '0')
}
