import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import { newRecoveryCode, recoveryCodeHash } from '../crypto/recovery-code.ts'
import { matchTotpStep } from '../crypto/totp.ts'
import type { Tx } from '../db/dialect.ts'
import { claimRecoveryCode, claimStep, findSecret, replaceRecoveryCodes } from './factor-store.ts'

/** How long a secret waits for its first code. The password was asked for when it was made; later it is asked for again. */
export const setUpMs = 15 * 60_000

export const code = z.string().min(1).max(100)

/** What an authenticator app shows, however it was typed. */
export const plainCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '')

interface TypedCode {
  userId: string
  code: string
  at: number
}

/** Takes a code of the confirmed factor, or a recovery code, so that it never counts again. False where it is neither. */
export async function takeCode(tx: Tx, keys: ScopeKeys, { userId, code: typed, at }: TypedCode): Promise<boolean> {
  const recovery = recoveryCodeHash(typed)
  if (recovery !== undefined) return claimRecoveryCode(tx, userId, recovery)
  const secret = await findSecret(tx, keys, userId)
  const step = secret === undefined ? undefined : matchTotpStep(secret, plainCode(typed), at)
  return step !== undefined && (await claimStep(tx, userId, step))
}

const recoveryCodes = 10

/** New ones in place of all former ones; in the answer and nowhere else. */
export async function makeRecoveryCodes(tx: Tx, userId: string, at: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode)
  const hashes = codes.map((made) => recoveryCodeHash(made)).filter((hash) => hash !== undefined)
  await replaceRecoveryCodes(tx, userId, { hashes, at })
  return codes
}

export const wrongCode = (field: 'totp' | 'code') =>
  invalid({ [field]: 'is not right: codes change every 30 seconds, and each counts once' })
