import { z } from 'zod'
import { findFactor } from './factor-store.ts'
import { code as anyCode, takeCode, wrongCode } from './second-factor.ts'
import { getUserWithPassword, hasPasswordHash, type UserWithPassword } from '../accounts/store.ts'
import type { Subjects } from '../auth/log-in-throttle.ts'
import { emailTag } from '../auth/person-store.ts'
import { ensurePrivateScope } from '../auth/private-scope-store.ts'
import { forbidden, invalid, type ServiceError } from '../core/errors.ts'
import type { Tx } from '../db/dialect.ts'
import type { PersonActor } from '../auth/actor.ts'
import type { PersonContext, PublicContext } from '../operation/context.ts'

/** The result of an attempt to sign in or to prove one's identity. */
export type Verdict<T> =
  /** Everything that the account requires was correct. Resets the count of failures. */
  | { proven: T }
  /**
   * Correct so far, but not everything was asked for. Doesn't count as a failure and doesn't reset the count; otherwise
   * anyone who knows the password could guess codes without limit.
   */
  | { right: T }
  /** Like `right`, but the request fails with this error. */
  | { unfinished: ServiceError }
  /** Counts as a failed guess. */
  | { wrong: ServiceError }

/** Throttles guesses per account and address. Attempts that an outage interrupted don't count. `account` is a keyed tag. */
export async function judgeGuess<T>(
  { logInThrottle, request }: Pick<PublicContext, 'logInThrottle' | 'request'>,
  { account, method = 'password' }: { account: Buffer; method?: Subjects['method'] },
  judge: () => Promise<Verdict<T>>,
): Promise<T> {
  const subjects = { account: account.toString('hex'), address: request.clientAddress, method }
  await logInThrottle.begin(subjects)
  const verdict = await judge().catch(async (error: unknown) => {
    // If the store is what failed, the attempt stays counted: the first error says more.
    await logInThrottle.abandon(subjects).catch(() => {})
    throw error
  })
  if ('wrong' in verdict) throw verdict.wrong
  if ('proven' in verdict) {
    await logInThrottle.succeed(subjects)
    return verdict.proven
  }
  await logInThrottle.abandon(subjects)
  if ('unfinished' in verdict) throw verdict.unfinished
  return verdict.right
}

export const ownPassword = z
  .string()
  .min(1)
  .max(1000)
  .describe("Your current password, as proof that it's you and not someone at an unlocked screen.")

export const ownCode = anyCode
  .optional()
  .describe('If you have a second factor, required: the code that the authenticator app shows now, or a recovery code.')

type PasswordContext = Pick<PersonContext, 'actor' | 'db' | 'instance' | 'passwords' | 'logInThrottle' | 'request'>

/**
 * Confirms the password before people change how they sign in. Guesses are throttled as on sign-in. A wrong password is a
 * 400, because a 401 means that the session has ended.
 */
export async function confirmPassword(ctx: PasswordContext, password: string): Promise<UserWithPassword> {
  return judgeOwn(ctx, password, async (user) => {
    const factor = await findFactor(ctx.db.read, user.userId)
    return factor?.confirmedAt === undefined ? { proven: user } : { right: user }
  })
}

/** The same when more than the password is required. `judgeRest` runs once the password was correct. */
async function judgeOwn<T>(
  ctx: PasswordContext,
  password: string,
  judgeRest: (user: UserWithPassword) => Promise<Verdict<T>>,
): Promise<T> {
  const user = await getUserWithPassword(ctx.db.read, ctx.instance, ctx.actor.userId)
  return judgeGuess(ctx, { account: emailTag(ctx.instance, user.email) }, async () =>
    (await ctx.passwords.verify(user.passwordHash, password))
      ? judgeRest(user)
      : { wrong: invalid({ password: 'is not your password' }) },
  )
}

/** Call it in the transaction of the change. If two changes use the same password at once, the second one fails. */
export async function refuseChangedPassword(tx: Tx, { userId, passwordHash }: UserWithPassword): Promise<void> {
  if (!(await hasPasswordHash(tx, userId, passwordHash))) throw invalid({ password: 'was changed just now' })
}

type FactorContext = PasswordContext & Pick<PersonContext, 'keyring' | 'mek' | 'now'>

/**
 * Makes a change that removes or weakens the second factor. Requires both the password and a code, which is used up in the
 * same transaction.
 */
export function withBothFactors<T>(
  ctx: FactorContext,
  { password, code }: { password: string; code: string },
  change: (tx: Tx, at: number) => Promise<T>,
): Promise<T> {
  const { userId } = ctx.actor
  return judgeOwn(ctx, password, () =>
    ctx.db.write(async (tx) => {
      const at = ctx.now()
      const factor = await findFactor(tx, userId)
      if (factor?.confirmedAt === undefined) return { unfinished: forbidden('There is no second factor.') }
      const keys = await ensurePrivateScope(tx, ctx.keyring, { userId, mek: ctx.mek }, at)
      if (!(await takeCode(tx, keys, { userId, code, at }))) return { wrong: wrongCode('code') }
      return { proven: await change(tx, at) }
    }),
  )
}

/** Requires everything that signing in requires: the password, and a code if there is a second factor. Returns the user. */
export function proveAll(
  ctx: FactorContext,
  { password, code }: { password: string; code: string | undefined },
): Promise<UserWithPassword> {
  const { userId } = ctx.actor
  return judgeOwn(ctx, password, (user) =>
    ctx.db.write(async (tx) => {
      const at = ctx.now()
      const factor = await findFactor(tx, userId)
      if (factor?.confirmedAt === undefined) return { proven: user }
      if (code === undefined) return { unfinished: invalid({ code: 'needed: this account has a second factor' }) }
      const keys = await ensurePrivateScope(tx, ctx.keyring, { userId, mek: ctx.mek }, at)
      return (await takeCode(tx, keys, { userId, code, at })) ? { proven: user } : { wrong: wrongCode('code') }
    }),
  )
}

/** For operations that ask for the proof only when they give away lasting access. */
export const proofOfLastingAccess = {
  password: ownPassword
    .optional()
    .describe(
      'Your current password. If you have a second factor, required to give admin access, a write policy that allows more, a key with either, or a key that is valid for more than 91 days.',
    ),
  code: ownCode.describe(
    'Required with the password: the code that the authenticator app shows now, or a recovery code.',
  ),
}

/** Checks the proof if the caller sent one. Pass the result to `requireProof` in the transaction of the change. */
export const proveIfGiven = async (
  ctx: FactorContext,
  { password, code }: { password?: string | undefined; code?: string | undefined },
): Promise<UserWithPassword | undefined> => (password === undefined ? undefined : proveAll(ctx, { password, code }))

/**
 * Refuses access that outlives the session, such as an agent key, without the proof: someone with a stolen session or at an unlocked
 * screen could otherwise keep a way in that the second factor doesn't guard. Doesn't ask people without a second factor, nor the
 * operator, who can read the keys anyway.
 */
export async function requireProof(
  tx: Tx,
  { userId, credentialId }: Pick<PersonActor, 'userId' | 'credentialId'>,
  proven: UserWithPassword | undefined,
): Promise<void> {
  if (proven !== undefined) return refuseChangedPassword(tx, proven)
  if (credentialId === undefined) return
  const factor = await findFactor(tx, userId)
  if (factor?.confirmedAt === undefined) return
  const why = 'needed: what this allows lasts longer than your session, and this account has a second factor'
  throw invalid({ password: why, code: why })
}
