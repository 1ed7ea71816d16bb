import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { ownPassword } from './confirm-password.ts'
import { endSessions } from './credential-store.ts'
import { deleteFactor } from './factor-store.ts'
import { withBothFactors } from './prove-factor.ts'
import { code } from './second-factor.ts'

export const removeTotp = operation({
  name: 'remove-totp',
  for: { person: 'POST /api/auth/totp/remove' },
  summary: 'Switch the second factor off, with password and code. It ends all your other sessions.',
  effect: 'destructive',
  changes: ['account'],
  input: z.object({
    password: ownPassword,
    code: code.describe('What the authenticator app shows now, or a recovery code.'),
  }),
  output: z.looseObject({ removed: z.literal(true), endedSessions: z.int() }),
  examples: {
    input: { password: 'a long and private sentence', code: '492039' },
    output: { removed: true, endedSessions: 1 },
  },
  async run(given, ctx) {
    const { userId, credentialId } = ctx.actor
    const endedSessions = await withBothFactors(ctx, given, async (tx) => {
      await deleteFactor(tx, userId)
      return endSessions(tx, userId, credentialId)
    })
    return { removed: true, endedSessions } as const
  },
})
