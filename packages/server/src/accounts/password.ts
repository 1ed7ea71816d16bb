import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { normalizePassword } from '../auth/passwords.ts'
import { invalid } from '../core/errors.ts'
import { assetsFolder } from '../core/program.ts'
import { isPattern } from './password-pattern.ts'

/** Words that guessers try for any account of this product. docs/self-hosting.md lists them. */
const productWords = ['holdfast']

/**
 * 11,700 of the passwords that leak most often, those with at least eight characters, in lower case. It blocks the first guesses, and the
 * throttle slows the ones after that. Read each time: people rarely choose a password, and it takes less than a millisecond.
 */
export const readCommonPasswords = (): string[] =>
  readFileSync(join(assetsFolder, 'common-passwords.txt'), 'utf8').trimEnd().split('\n')

const minLength = 8

export const password = z
  .string()
  .min(minLength)
  .max(1000)
  .describe('Password, at least 8 characters of any kind; 15 or more are better.')

/** Throws `invalid` for passwords that attackers try first. The contract checks the length. */
export function refuseWeakPassword(text: string, email: string, field: 'password' | 'newPassword' = 'password'): void {
  const plain = normalizePassword(text).toLowerCase()
  if (plain === email.toLowerCase()) throw invalid({ [field]: 'must not be the email address' })
  if (readCommonPasswords().includes(plain))
    throw invalid({ [field]: 'is one of the most common passwords; choose another' })
  if (isPattern(plain))
    throw invalid({ [field]: 'is one short part repeated, or a row of letters, digits or keys; choose another' })
  if (isMadeOf(plain, [...productWords, ...wordsIn(email)]))
    throw invalid({ [field]: 'is made of your email address or the name of this product; choose another' })
}

/** The parts of an address that its owner may use as a password. Shorter ones are in too many other words. */
const wordsIn = (email: string): string[] => email.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []

/** Whether it contains one of the words, and what remains without them would be too short for a password. */
function isMadeOf(plain: string, words: readonly string[]): boolean {
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), plain)
  return rest.length < plain.length && rest.length < minLength
}
