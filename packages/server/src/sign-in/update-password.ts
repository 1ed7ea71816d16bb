import { z } from 'zod'
import { endSessions } from '../accounts/credential-store.ts'
import { password as newPassword, refuseWeakPassword } from '../accounts/password.ts'
import { getUser, setPasswordHash } from '../accounts/store.ts'
import { operation } from '../operation/operation.ts'
import { ownCode, ownPassword, proveAll, refuseChangedPassword } from './prove-identity.ts'

export const updatePassword = operation({
  name: 'update-password',
  for: { person: 'POST /api/auth/password' },
  summary:
    'Change your password. This ends all your other sessions. Passkeys, dashboard tokens and agent keys keep working.',
  effect: 'write',
  changes: ['account'],
  input: z.object({
    password: ownPassword,
    code: ownCode,
    newPassword: newPassword.describe('The new password: at least 8 characters of any kind; 15 or more are better.'),
  }),
  output: z.looseObject({ changed: z.literal(true), endedSessions: z.int() }),
  examples: {
    input: { password: 'a long and private sentence', newPassword: 'another long and private sentence' },
    output: { changed: true, endedSessions: 2 },
  },
  async run({ password, code, newPassword: chosen }, ctx) {
    const { userId, credentialId } = ctx.actor
    // Before the proof, which uses up the code.
    refuseWeakPassword(chosen, (await getUser(ctx.db.read, ctx.instance, userId)).email, 'newPassword')
    const user = await proveAll(ctx, { password, code })
    const passwordHash = await ctx.passwords.hash(chosen)
    const endedSessions = await ctx.db.write(async (tx) => {
      await refuseChangedPassword(tx, user)
      await setPasswordHash(tx, userId, passwordHash)
      return endSessions(tx, userId, credentialId)
    })
    return { changed: true, endedSessions } as const
  },
})
