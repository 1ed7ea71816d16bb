import { z } from 'zod'
import { endSessions } from '../accounts/credential-store.ts'
import { password as anyPassword, refuseWeakPassword } from '../accounts/password.ts'
import { findUserByEmail, getUser, setPasswordHash, updateProfile, type UserWithPassword } from '../accounts/store.ts'
import { describeUser, exampleUser, userRecord } from '../accounts/user.ts'
import { newEmail } from '../operation/fields.ts'
import { invalid, ServiceError } from '../core/errors.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { PersonContext } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'
import { judgeGuess, ownCode, ownPassword, proveAll, refuseChangedPassword } from './prove-identity.ts'

export const updateSignIn = operation({
  name: 'update-sign-in',
  for: { person: 'PATCH /api/auth/sign-in' },
  summary:
    'Change the email address that you sign in with, your password, or both. No email is sent. A new password ends all your other sessions. Passkeys, dashboard tokens and agent keys keep working.',
  effect: 'write',
  changes: ['account'],
  needs: [['email'], ['newPassword']],
  input: z.object({
    password: ownPassword,
    code: ownCode,
    email: newEmail.optional().describe('The new address, to sign in with from now on.'),
    newPassword: anyPassword
      .optional()
      .describe('The new password: at least 8 characters of any kind; 15 or more are better.'),
  }),
  output: z.looseObject({
    user: userRecord,
    endedSessions: z.int().describe('How many other sessions a new password has ended.'),
  }),
  examples: {
    input: { password: 'a long and private sentence', email: 'ada@example.org' },
    output: { user: exampleUser, endedSessions: 0 },
  },
  async run({ password, code, email: address, newPassword }, ctx) {
    if (address === undefined && newPassword === undefined) throw invalid({ '': 'give email, newPassword or both' })
    // Before the proof, which uses up the code.
    await refuseWeak(ctx, { password, address, newPassword })
    const change = async () => {
      const proven = await proveAll(ctx, { password, code })
      const passwordHash = newPassword === undefined ? undefined : await ctx.passwords.hash(newPassword)
      return save(ctx, proven, { address, passwordHash })
    }
    const { user, endedSessions } = address === undefined ? await change() : await slowIfTaken(ctx, change)
    return { user: describeUser(user), endedSessions }
  },
})

const taken = 'already belongs to a user'

/**
 * A change to an address that someone else has must fail, so it shows that they have an account. To find out much in this way takes long:
 * each further try has to wait, as after wrong passwords. Only this waits, and a change to a free address resets nothing.
 */
const slowIfTaken = <T>(
  ctx: Pick<PersonContext, 'actor' | 'logInThrottle' | 'request'>,
  change: () => Promise<T>,
): Promise<T> =>
  judgeGuess(ctx, { account: Buffer.from(`new address of ${ctx.actor.userId}`), method: 'new address' }, () =>
    change().then(
      (changed) => ({ right: changed }),
      (error: unknown) => {
        if (error instanceof ServiceError && error.fields?.['email'] === taken) return { wrong: error }
        throw error
      },
    ),
  )

/** The password that will be used, with the address that will be. */
async function refuseWeak(
  { actor: { userId }, db, instance }: Pick<PersonContext, 'actor' | 'db' | 'instance'>,
  {
    password,
    address,
    newPassword,
  }: { password: string; address: string | undefined; newPassword: string | undefined },
): Promise<void> {
  const used = address ?? (await getUser(db.read, instance, userId)).email
  if (newPassword === undefined) refuseWeakPassword(password, used)
  else refuseWeakPassword(newPassword, used, 'newPassword')
}

async function save(
  { actor: { userId, credentialId }, db, instance }: Pick<PersonContext, 'actor' | 'db' | 'instance'>,
  proven: UserWithPassword,
  { address, passwordHash }: { address: string | undefined; passwordHash: string | undefined },
) {
  const refuseTaken = async (reader: Reader) => {
    const owner = address === undefined ? undefined : await findUserByEmail(reader, instance, address)
    if (owner !== undefined && owner.userId !== userId) throw invalid({ email: taken })
  }
  const savePassword = async (tx: Tx) => {
    if (passwordHash === undefined) return 0
    await setPasswordHash(tx, userId, passwordHash)
    return endSessions(tx, userId, credentialId)
  }
  try {
    return await db.write(async (tx) => {
      await refuseChangedPassword(tx, proven)
      await refuseTaken(tx)
      const endedSessions = await savePassword(tx)
      const user =
        address === undefined
          ? await getUser(tx, instance, userId)
          : await updateProfile(tx, instance, userId, { email: address })
      return { user, endedSessions }
    })
  } catch (error) {
    // Another user may have taken the address at the same moment, which the database rejects.
    await refuseTaken(db.read)
    throw error
  }
}
