import { z } from 'zod'
import { endSessions, revokeTokens } from '../accounts/credential-store.ts'
import { deleteFactor } from './factor-store.ts'
import { deletePasskeys } from './passkey-store.ts'
import { hashPassword, password, refuseWeakPassword } from '../accounts/password.ts'
import { getUserByEmail, setPasswordHash } from '../accounts/store.ts'
import { email } from '../accounts/user.ts'
import { refs } from '../calls/records.ts'
import { operation } from '../operation/operation.ts'

export const resetPasswordRecord = z.looseObject({
  userId: z.uuid(),
  endedSessions: z.int(),
  revokedTokens: z.int(),
})

export const resetPassword = operation({
  name: 'reset-password',
  for: { operator: 'POST /api/operator/users/reset-password' },
  summary:
    'Set a new password for a user who lost theirs. This ends all their sessions. Their second factor and passkeys stay.',
  effect: 'write',
  changes: ['account'],
  recordedAs: 'account-change',
  errors: ['not_found'],
  input: z.object({
    email,
    password,
    tokens: z.boolean().default(false).describe('Also revoke all their dashboard tokens.'),
  }),
  output: resetPasswordRecord,
  returns: ({ userId }) => refs('user', userId),
  examples: {
    input: { email: 'ada@example.org', password: 'another long and private sentence' },
    output: { userId: '0198c5f0-0000-7000-8000-000000000010', endedSessions: 1, revokedTokens: 0 },
  },
  async run(given, { db, instance }) {
    const { userId } = await getUserByEmail(db.read, instance, given.email)
    refuseWeakPassword(given.password, given.email)
    const passwordHash = await hashPassword(given.password)
    return db.write(async (tx) => {
      await setPasswordHash(tx, userId, passwordHash)
      return {
        userId,
        endedSessions: await endSessions(tx, userId, undefined),
        revokedTokens: given.tokens ? await revokeTokens(tx, userId, undefined) : 0,
      }
    })
  },
})

export const resetFactorRecord = z.looseObject({
  userId: z.uuid(),
  removed: z.boolean().describe('False if there was no second factor.'),
  removedPasskeys: z.int(),
  endedSessions: z.int(),
})

export const resetFactor = operation({
  name: 'reset-factor',
  for: { operator: 'POST /api/operator/users/reset-factor' },
  summary:
    'Remove the second factor, recovery codes and passkeys of a user who lost them. This ends all their sessions.',
  effect: 'destructive',
  changes: ['account'],
  recordedAs: 'account-change',
  errors: ['not_found'],
  input: z.object({ email }),
  output: resetFactorRecord,
  returns: ({ userId }) => refs('user', userId),
  examples: {
    input: { email: 'ada@example.org' },
    output: { userId: '0198c5f0-0000-7000-8000-000000000010', removed: true, removedPasskeys: 1, endedSessions: 1 },
  },
  async run({ email: address }, { db, instance }) {
    const { userId } = await getUserByEmail(db.read, instance, address)
    return db.write(async (tx) => ({
      userId,
      removed: await deleteFactor(tx, userId),
      // Before the sessions, so that a session that a passkey starts in the meantime ends too.
      removedPasskeys: await deletePasskeys(tx, userId),
      endedSessions: await endSessions(tx, userId, undefined),
    }))
  },
})
