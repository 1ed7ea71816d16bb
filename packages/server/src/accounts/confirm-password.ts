import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import type { Tx } from '../db/dialect.ts'
import type { PersonContext } from '../operation/context.ts'
import { emailTag } from './email.ts'
import { findFactor } from './factor-store.ts'
import { judgeGuess, type Verdict } from './judge-guess.ts'
import { verifyPassword } from './password.ts'
import { getUserWithPassword, hasPasswordHash, type UserWithPassword } from './store.ts'

export const ownPassword = z
  .string()
  .min(1)
  .max(1000)
  .describe('Your password, asked for anew: whoever found the page open does not know it.')

/**
 * Whose password it is, before they change how they sign in. Throws 400 for a wrong one, and slows guesses as at the
 * log-in. Not 401, which says that the session is over.
 */
export async function confirmPassword(ctx: PersonContext, password: string): Promise<UserWithPassword> {
  return judgeOwn(ctx, password, async (user) => {
    const factor = await findFactor(ctx.db.read, user.userId)
    return factor?.confirmedAt === undefined ? { proven: user } : { right: user }
  })
}

/** The same, where the password is not all that is to be shown: `judgeRest` is asked once it was right. */
export async function judgeOwn<T>(
  ctx: PersonContext,
  password: string,
  judgeRest: (user: UserWithPassword) => Promise<Verdict<T>>,
): Promise<T> {
  const user = await getUserWithPassword(ctx.db.read, ctx.instance, ctx.actor.userId)
  return judgeGuess(ctx, emailTag(ctx.instance, user.email), async () =>
    (await verifyPassword(user.passwordHash, password))
      ? judgeRest(user)
      : { wrong: invalid({ password: 'is not your password' }) },
  )
}

/** In the transaction of the change: of two at once with one password, the second comes too late. */
export async function refuseChangedPassword(tx: Tx, { userId, passwordHash }: UserWithPassword): Promise<void> {
  if (!(await hasPasswordHash(tx, userId, passwordHash))) throw invalid({ password: 'was changed just now' })
}
