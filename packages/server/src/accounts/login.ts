import { z } from 'zod'
import { sessionIdleMs } from '../auth/authenticate.ts'
import { wrongLogIn } from '../core/errors.ts'
import type { Reader } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'
import { publicOperation } from '../operation/operation.ts'
import { deleteExpiredSessions, issueSession, sessionLifetimeMs } from './credential-store.ts'
import { email, emailTag } from './email.ts'
import { verifyPassword } from './password.ts'
import { findUserByEmail, type User } from './store.ts'
import { describeUser, exampleUser, userRecord } from './user.ts'

export const login = publicOperation({
  name: 'login',
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Sign in: sets the session cookie, which ends after 12 hours without use and after 7 days in any case.',
  effect: 'write',
  input: z.object({ email, password: z.string().min(1).max(1000).describe('Password.') }),
  output: z.looseObject({ user: userRecord }),
  examples: {
    input: { email: 'ada@example.org', password: 'a long and private sentence' },
    output: { user: exampleUser },
  },
  async run({ email: address, password }, { db, instance, logInThrottle, request, sessionCookie, now }) {
    const subjects = { account: emailTag(instance, address).toString('hex'), address: request.clientAddress }
    logInThrottle.begin(subjects)
    const user = await findByPassword(db.read, instance, address, password).catch((error: unknown) => {
      logInThrottle.abandon(subjects)
      throw error
    })
    if (user === undefined) throw wrongLogIn()
    logInThrottle.succeed(subjects)
    const at = now()
    const secret = await db.write(async (tx) => {
      await deleteExpiredSessions(tx, user.userId, at, sessionIdleMs)
      return issueSession(tx, user.userId, at)
    })
    sessionCookie.set(secret, sessionLifetimeMs / 1000)
    return { user: describeUser(user) }
  },
})

/** Undefined for a wrong password and for an e-mail that nobody has; the work is the same. */
async function findByPassword(
  db: Reader,
  instance: Instance,
  address: string,
  password: string,
): Promise<User | undefined> {
  const user = await findUserByEmail(db, instance, address)
  const isRight = await verifyPassword(user?.passwordHash, password)
  return isRight ? user : undefined
}
