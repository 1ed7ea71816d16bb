import { randomBytes } from 'node:crypto'
import { sha256 } from './hash.ts'

/**
 * Codes for people who lost their second factor: 140 random bits in Crockford's base32, which omits letters that look like
 * digits. 140 bits can't be searched, so storing a plain hash is enough.
 */

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeChars = 28
/** The codes of the first version had 24 characters. */
const codePattern = /^[0-9A-HJKMNP-TV-Z]{24}(?:[0-9A-HJKMNP-TV-Z]{4})?$/

/** Formatted as seven groups of four. */
export function newRecoveryCode(): string {
  // 256 is a multiple of 32, so each letter is as likely as any other.
  const letters = Array.from(randomBytes(codeChars), (byte) => alphabet.charAt(byte % alphabet.length))
  return letters.join('').replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** The hash that is stored and compared. Ignores case, spaces and dashes. Undefined if the text isn't a recovery code. */
export function recoveryCodeHash(typed: string): Buffer | undefined {
  const plain = typed.replaceAll(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return codePattern.test(plain) ? sha256(plain) : undefined
}
