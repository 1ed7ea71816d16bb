import { hash, verify } from '@node-rs/argon2'
import { z } from 'zod'
import { invalid, overloaded } from '../core/errors.ts'
import { commonPasswords } from './common-passwords.ts'

/**
 * argon2id as in RFC 9106 with 64 MiB, 3 passes and one lane: 70 to 140 ms a hash on two shared cores (November 2026), five
 * times and more what OWASP asks at least (19 MiB, 2 passes: 13 ms there). The parameters stand in each hash, so that
 * they can rise later.
 */
const argon2 = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 } as const

/** Of the whole process: 2 × 64 MiB at most, and two of the four threads that also serve files and names. */
const hashesAtOnce = 2
const waitingAtMost = 32

export const password = z
  .string()
  .min(8)
  .max(1000)
  .describe('Password, at least 8 characters of any kind; 15 or more are better.')

/** Throws `invalid` for what is guessed first. The length is the contract's matter. */
export function refuseWeakPassword(text: string, email: string, field: 'password' | 'newPassword' = 'password'): void {
  const plain = normalise(text).toLowerCase()
  if (plain === email.toLowerCase()) throw invalid({ [field]: 'must not be the e-mail address' })
  if (commonPasswords.has(plain)) throw invalid({ [field]: 'is one of the most common passwords; choose another' })
}

export const hashPassword = (text: string): Promise<string> => inTurn(() => hash(normalise(text), argon2))

/** Without a hash (nobody has this e-mail) it takes the same work to say no, so that time tells nothing. */
export async function verifyPassword(passwordHash: string | undefined, text: string): Promise<boolean> {
  if (passwordHash !== undefined) return inTurn(() => verify(passwordHash, normalise(text)))
  await hashPassword(text)
  return false
}

// The same characters come composed from one keyboard and decomposed from another.
const normalise = (text: string) => text.normalize('NFKC')

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= waitingAtMost) throw overloaded('too many log-ins at once', 2)
  if (running >= hashesAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    // A place is handed on, not given back, so that nobody slips in between.
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}
