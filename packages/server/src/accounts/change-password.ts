import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { confirmPassword, ownPassword, refuseChangedPassword } from './confirm-password.ts'
import { endSessions } from './credential-store.ts'
import { hashPassword, password as newPassword, refuseWeakPassword } from './password.ts'
import { updatePassword } from './store.ts'

export const changePassword = operation({
  name: 'change-password',
  for: { person: 'POST /api/auth/password' },
  summary:
    'Change your password. It ends all your sessions but this one; passkeys, dashboard tokens and agent keys stay.',
  effect: 'write',
  changes: ['account'],
  input: z.object({
    password: ownPassword,
    newPassword: newPassword.describe('The new one, at least 8 characters of any kind; 15 or more are better.'),
  }),
  output: z.looseObject({ changed: z.literal(true), endedSessions: z.int() }),
  examples: {
    input: { password: 'a long and private sentence', newPassword: 'another long and private sentence' },
    output: { changed: true, endedSessions: 2 },
  },
  async run(given, ctx) {
    const { userId, credentialId } = ctx.actor
    const user = await confirmPassword(ctx, given.password)
    refuseWeakPassword(given.newPassword, user.email, 'newPassword')
    const passwordHash = await hashPassword(given.newPassword)
    const endedSessions = await ctx.db.write(async (tx) => {
      await refuseChangedPassword(tx, user)
      await updatePassword(tx, userId, passwordHash)
      return endSessions(tx, userId, credentialId)
    })
    return { changed: true, endedSessions } as const
  },
})
