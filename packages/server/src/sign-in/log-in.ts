import { z } from 'zod'
import { deleteExpired, issueSession, type SessionSecrets, sessionLifetimeMs } from '../accounts/credential-store.ts'
import { findFactor } from './factor-store.ts'
import { code, takeCode, wrongCode } from './second-factor.ts'
import { describeClient } from '../accounts/session-client.ts'
import { findUserByEmail, hasPasswordHash, type User, type UserWithPassword } from '../accounts/store.ts'
import { emailTag } from '../auth/person-store.ts'
import { describeUser, exampleUser, userRecord } from '../accounts/user.ts'
import { email } from '../operation/fields.ts'
import { sessionIdleMs } from '../auth/authenticate.ts'
import { ensurePrivateScope } from '../auth/private-scope-store.ts'
import { findCallingUser } from '../auth/store.ts'
import { refs } from '../calls/records.ts'
import { invalid, wrongLogIn } from '../core/errors.ts'
import type { Tx } from '../db/dialect.ts'
import type { PublicContext } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'
import { judgeGuess, type Verdict } from './prove-identity.ts'

export const sessionKey = z
  .string()
  .describe(
    'The other half of the session. Send it as the header `X-Session-Key` with every request, together with the cookie. Returned once.',
  )

export const logIn = operation({
  name: 'log-in',
  for: { anyone: 'POST /api/auth/login' },
  summary:
    'Sign in: set the session cookie and return the session key. Both are needed. The session ends after 12 hours without use and after 7 days at the latest.',
  effect: 'write',
  changes: ['account'],
  input: z.object({
    email,
    password: z.string().min(1).max(1000).describe('Password.'),
    totp: code
      .optional()
      .describe(
        'A code from the authenticator app or a recovery code; each works once. If the account needs one and it is missing, the answer is a 400 that names this field.',
      ),
  }),
  output: z.looseObject({ user: userRecord, sessionKey }),
  returns: ({ user }) => refs('user', user.userId),
  examples: {
    input: { email: 'ada@example.org', password: 'a long and private sentence' },
    output: { user: exampleUser, sessionKey: 'hfk_…' },
  },
  async run({ email: address, password, totp }, ctx) {
    const { db, instance, sessionCookie } = ctx
    const { user, secrets } = await judgeGuess(ctx, { account: emailTag(instance, address) }, async () => {
      const found = await findByPassword(ctx, address, password)
      if (found === undefined) return { wrong: wrongLogIn() }
      const verdict = await db.write((tx) => enter(tx, ctx, found, totp))
      // The password was correct, so the owner should see this attempt.
      if ('wrong' in verdict) ctx.callLog.recordSignIn(found.userId, ctx.request, 400)
      return verdict
    })
    sessionCookie.set(secrets.cookie, sessionLifetimeMs / 1000)
    return { user: describeUser(user), sessionKey: secrets.sessionKey }
  },
})

/** Returns undefined for a wrong password and for an unknown address, after the same amount of work. */
async function findByPassword(
  {
    db,
    instance,
    passwords,
    callLog,
    request,
  }: Pick<PublicContext, 'db' | 'instance' | 'passwords' | 'callLog' | 'request'>,
  address: string,
  password: string,
): Promise<UserWithPassword | undefined> {
  const user = await findUserByEmail(db.read, instance, address)
  const isRight = await passwords.verify(user?.passwordHash, password)
  if (user !== undefined && !isRight) callLog.recordSignIn(user.userId, request, 401)
  return isRight ? user : undefined
}

/** Starts a session after a correct password, and a correct code if there is a second factor. */
async function enter(
  tx: Tx,
  { keyring, now, request }: Pick<PublicContext, 'keyring' | 'now' | 'request'>,
  { passwordHash, ...user }: UserWithPassword,
  totp: string | undefined,
): Promise<Verdict<{ user: User; secrets: SessionSecrets }>> {
  const { userId } = user
  const at = now()
  const actor = await findCallingUser(tx, userId)
  // The password changed in the meantime, which ends all sessions. This one must not outlive that.
  if (actor === undefined || !(await hasPasswordHash(tx, userId, passwordHash))) return { wrong: wrongLogIn() }
  const keys = await ensurePrivateScope(tx, keyring, { ...actor, mek: keyring.mek(actor) }, at)
  const factor = await findFactor(tx, userId)
  if (factor?.confirmedAt !== undefined) {
    if (totp === undefined) return { unfinished: invalid({ totp: 'needed: this account has a second factor' }) }
    if (!(await takeCode(tx, keys, { userId, code: totp, at }))) return { wrong: wrongCode('totp') }
  }
  await deleteExpired(tx, userId, at, sessionIdleMs)
  const secrets = await issueSession(tx, keys, { userId, client: describeClient(request), at })
  return { proven: { user, secrets } }
}
