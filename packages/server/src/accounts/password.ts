import { hash, verify } from '@node-rs/argon2'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { invalid, overloaded } from '../core/errors.ts'

/** Words that guessers try for any account of this product. docs/self-hosting.md lists them. */
const productWords = ['holdfast']

/**
 * 11,700 of the passwords that leak most often, those with at least eight characters, in lower case. It blocks the first guesses, and the
 * throttle slows the ones after that. Read anew each time: people rarely choose a password, and it takes less than a millisecond.
 */
export const readCommonPasswords = (): string[] =>
  readFileSync(join(import.meta.dirname, '../../assets/common-passwords.txt'), 'utf8')
    .trimEnd()
    .split('\n')

/**
 * argon2id as in RFC 9106 with 64 MiB, 3 passes and one lane: 70 to 140 ms per hash on two shared cores (November 2026),
 * at least five times the work of OWASP's minimum (19 MiB, 2 passes: 13 ms on the same machine). Each hash contains its
 * parameters, so they can be raised later.
 */
const argon2 = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 } as const

/** For the whole process: at most 2 × 64 MiB of memory and two of the four threads that Node also uses for files and DNS. */
const hashesAtOnce = 2
const maxWaiting = 32

const minLength = 8

export const password = z
  .string()
  .min(minLength)
  .max(1000)
  .describe('Password, at least 8 characters of any kind; 15 or more are better.')

/** Throws `invalid` for passwords that attackers try first. The contract checks the length. */
export function refuseWeakPassword(text: string, email: string, field: 'password' | 'newPassword' = 'password'): void {
  const plain = normalize(text).toLowerCase()
  if (plain === email.toLowerCase()) throw invalid({ [field]: 'must not be the email address' })
  if (readCommonPasswords().includes(plain))
    throw invalid({ [field]: 'is one of the most common passwords; choose another' })
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

export const hashPassword = (text: string): Promise<string> => inTurn(() => hash(normalize(text), argon2))

/** Without a hash (no such user) it does the same work, so response times don't reveal which addresses exist. */
export async function verifyPassword(passwordHash: string | undefined, text: string): Promise<boolean> {
  if (passwordHash !== undefined) return inTurn(() => verify(passwordHash, normalize(text)))
  await hashPassword(text)
  return false
}

// Keyboards differ in whether they send composed or decomposed characters.
const normalize = (text: string) => text.normalize('NFKC')

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= maxWaiting) throw overloaded('too many sign-ins at once', 2)
  if (running >= hashesAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    // The slot passes directly to the next in line, so no newcomer can take it first.
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}
