import { z } from 'zod'
import { invalid, rateLimited } from '../core/errors.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import { newRecoveryCode, recoveryCodeHash } from '../crypto/recovery-code.ts'
import { matchTotpStep } from '../crypto/totp.ts'
import type { Tx } from '../db/dialect.ts'
import {
  claimRecoveryCode,
  claimStep,
  findSecret,
  findWrongCodes,
  replaceRecoveryCodes,
  setWrongCodes,
  type WrongCodes,
} from './factor-store.ts'

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

/**
 * Uses up an authenticator code or recovery code, so that it never works again. Returns false if it is neither.
 *
 * Only someone who knows the password gets here, so many wrong codes are no accident. After ten, each further one has to wait,
 * up to an hour: guessing at the pace of the log-in throttle would find a code within months. Recovery codes are too long to be
 * guessed and never wait, so nobody is locked out. Throws 429 during the wait.
 */
export async function takeCode(tx: Tx, keys: ScopeKeys, { userId, code: typed, at }: TypedCode): Promise<boolean> {
  const wrong = await findWrongCodes(tx, userId)
  const recovery = recoveryCodeHash(typed)
  const isRight =
    recovery === undefined
      ? await takeTotp(tx, keys, { userId, code: typed, at }, wrong)
      : await claimRecoveryCode(tx, userId, recovery)
  if (isRight && wrong !== undefined) await setWrongCodes(tx, userId, undefined)
  if (!isRight && recovery === undefined)
    await setWrongCodes(tx, userId, { count: (wrong?.count ?? 0) + 1, lastAt: at })
  return isRight
}

async function takeTotp(
  tx: Tx,
  keys: ScopeKeys,
  { userId, code: typed, at }: TypedCode,
  wrong: WrongCodes | undefined,
): Promise<boolean> {
  const waitMs = wrong === undefined ? 0 : delayMs(wrong.count) - Math.abs(at - wrong.lastAt)
  if (waitMs > 0) throw rateLimited(Math.ceil(waitMs / 1000), 'login_throttle')
  const secret = await findSecret(tx, keys, userId)
  const step = secret === undefined ? undefined : matchTotpStep(secret, plainCode(typed), at)
  return step !== undefined && (await claimStep(tx, userId, step))
}

const freeCodes = 10
const firstDelayMs = 60_000
const longestDelayMs = 60 * 60_000

const delayMs = (wrongCodes: number): number =>
  wrongCodes < freeCodes ? 0 : Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(wrongCodes - freeCodes, 20))

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
