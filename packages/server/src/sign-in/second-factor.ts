import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import { newRecoveryCode, recoveryCodeHash } from '../crypto/recovery-code.ts'
import { matchTotpStep } from '../crypto/totp.ts'
import type { Tx } from '../db/dialect.ts'
import { claimRecoveryCode, claimStep, findSecret, replaceRecoveryCodes } from './factor-store.ts'

/** How long a new secret can be confirmed without giving the password again. */
export const setUpMs = 15 * 60_000

export const code = z.string().min(1).max(100)

/** Removes the spaces and dashes that people type in codes. */
export const plainCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '')

interface TypedCode {
  userId: string
  code: string
  at: number
}

/** Uses up an authenticator code or recovery code, so that it never works again. Returns false if it is neither. */
export async function takeCode(tx: Tx, keys: ScopeKeys, { userId, code: typed, at }: TypedCode): Promise<boolean> {
  const recovery = recoveryCodeHash(typed)
  if (recovery !== undefined) return claimRecoveryCode(tx, userId, recovery)
  const secret = await findSecret(tx, keys, userId)
  const step = secret === undefined ? undefined : matchTotpStep(secret, plainCode(typed), at)
  return step !== undefined && (await claimStep(tx, userId, step))
}

const recoveryCodes = 10

/** Replaces all recovery codes and returns the new ones, which are shown only once. */
export async function makeRecoveryCodes(tx: Tx, userId: string, at: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode)
  const hashes = codes.map((made) => recoveryCodeHash(made)).filter((hash) => hash !== undefined)
  await replaceRecoveryCodes(tx, userId, { hashes, at })
  return codes
}

export const wrongCode = (field: 'totp' | 'code') =>
  invalid({ [field]: 'is wrong: codes change every 30 seconds, and each works once' })
