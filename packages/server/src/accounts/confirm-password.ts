import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import type { DashboardContext } from '../operation/context.ts'
import { emailTag } from './email.ts'
import { findFactor } from './factor-store.ts'
import { judgeGuess, type Verdict } from './judge-guess.ts'
import { verifyPassword } from './password.ts'
import { getUserWithPassword, type User } from './store.ts'

export const ownPassword = z
  .string()
  .min(1)
  .max(1000)
  .describe('Your password, asked for anew: whoever found the page open does not know it.')

/**
 * Whose password it is, before they change how they sign in. Throws 400 for a wrong one, and slows guesses as at the
 * log-in. Not 401, which says that the session is over.
 */
export async function confirmPassword(ctx: DashboardContext, password: string): Promise<User> {
  return judgeOwn(ctx, password, async (user) => {
    const factor = await findFactor(ctx.db.read, user.userId)
    return factor?.confirmedAt === undefined ? { proven: user } : { right: user }
  })
}

/** The same, where the password is not all that is to be shown: `judgeRest` is asked once it was right. */
export async function judgeOwn<T>(
  ctx: DashboardContext,
  password: string,
  judgeRest: (user: User) => Promise<Verdict<T>>,
): Promise<T> {
  const { passwordHash, ...user } = await getUserWithPassword(ctx.db.read, ctx.instance, ctx.actor.userId)
  return judgeGuess(ctx, emailTag(ctx.instance, user.email), async () =>
    (await verifyPassword(passwordHash, password))
      ? judgeRest(user)
      : { wrong: invalid({ password: 'is not your password' }) },
  )
}
