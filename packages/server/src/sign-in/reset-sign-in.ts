import { z } from 'zod'
import { endSessions, revokeTokens } from '../accounts/credential-store.ts'
import { password, refuseWeakPassword } from '../accounts/password.ts'
import { getUserByEmail, setPasswordHash } from '../accounts/store.ts'
import { email } from '../operation/fields.ts'
import { refs } from '../calls/records.ts'
import { invalid } from '../core/errors.ts'
import { operation } from '../operation/operation.ts'
import { deleteFactor } from './factor-store.ts'
import { deletePasskeys } from './passkey-store.ts'

export const resetRecord = z.looseObject({
  userId: z.uuid(),
  endedSessions: z.int(),
  revokedTokens: z.int(),
  removedFactor: z.boolean().describe('Whether a second factor was removed.'),
  removedPasskeys: z.int(),
})

export const resetSignIn = operation({
  name: 'reset-sign-in',
  for: { operator: 'POST /api/operator/users/reset' },
  summary:
    'Help a user who lost their password, second factor or passkeys, or whose account is in the wrong hands. This ends all their sessions. What the call does not name stays.',
  effect: 'destructive',
  changes: ['account'],
  errors: ['not_found'],
  needs: [['password'], ['factors'], ['tokens']],
  input: z.object({
    email,
    password: password.optional().describe('A new password.'),
    factors: z.boolean().default(false).describe('Remove the second factor, recovery codes and passkeys.'),
    tokens: z.boolean().default(false).describe('Revoke all their dashboard tokens.'),
  }),
  output: resetRecord,
  returns: ({ userId }) => refs('user', userId),
  examples: {
    input: { email: 'ada@example.org', password: 'another long and private sentence' },
    output: {
      userId: '0198c5f0-0000-7000-8000-000000000010',
      endedSessions: 1,
      revokedTokens: 0,
      removedFactor: false,
      removedPasskeys: 0,
    },
  },
  async run(given, { db, instance, passwords }) {
    if (given.password === undefined && !given.factors && !given.tokens)
      throw invalid({ '': 'give a new password, or set factors or tokens' })
    const { userId } = await getUserByEmail(db.read, instance, given.email)
    if (given.password !== undefined) refuseWeakPassword(given.password, given.email)
    const passwordHash = given.password === undefined ? undefined : await passwords.hash(given.password)
    return db.write(async (tx) => {
      if (passwordHash !== undefined) await setPasswordHash(tx, userId, passwordHash)
      return {
        userId,
        removedFactor: given.factors && (await deleteFactor(tx, userId)),
        // Before the sessions, so that a session that a passkey starts in the meantime ends too.
        removedPasskeys: given.factors ? await deletePasskeys(tx, userId) : 0,
        endedSessions: await endSessions(tx, userId, undefined),
        revokedTokens: given.tokens ? await revokeTokens(tx, userId, undefined) : 0,
      }
    })
  },
})
