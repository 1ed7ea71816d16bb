import { randomBytes } from 'node:crypto'
import { sha256 } from './hash.ts'

/**
 * Codes for people who lost their second factor: 120 random bits in Crockford's base32, which omits letters that look like
 * digits. 120 bits can't be searched, so storing a plain hash is enough.
 */

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeBytes = 15
const codeChars = 24
const codePattern = /^[0-9A-HJKMNP-TV-Z]{24}$/

/** Formatted as six groups of four. */
export function newRecoveryCode(): string {
  let rest = BigInt(`0x${randomBytes(codeBytes).toString('hex')}`)
  let text = ''
  for (let at = 0; at < codeChars; at++) {
    text = alphabet.charAt(Number(rest % 32n)) + text
    rest /= 32n
  }
  return text.replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** The hash that is stored and compared. Ignores case, spaces and dashes. Undefined if the text isn't a recovery code. */
export function recoveryCodeHash(typed: string): Buffer | undefined {
  const plain = typed.replaceAll(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return codePattern.test(plain) ? sha256(plain) : undefined
}
