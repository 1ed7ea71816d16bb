import { z } from 'zod'
import { endSessions } from '../accounts/credential-store.ts'
import { operation } from '../operation/operation.ts'
import { deleteFactor } from './factor-store.ts'
import { ownPassword, withBothFactors } from './prove-identity.ts'
import { code, makeRecoveryCodes } from './second-factor.ts'

export const deleteTotp = operation({
  name: 'delete-totp',
  for: { person: 'POST /api/auth/totp/delete' },
  summary: 'Turn off the second factor, with your password and a code. This ends all your other sessions.',
  effect: 'destructive',
  changes: ['account'],
  input: z.object({
    password: ownPassword,
    code: code.describe('The code that the authenticator app shows now, or a recovery code.'),
  }),
  output: z.looseObject({ deleted: z.literal(true), endedSessions: z.int() }),
  examples: {
    input: { password: 'a long and private sentence', code: '492039' },
    output: { deleted: true, endedSessions: 1 },
  },
  async run(given, ctx) {
    const { userId, credentialId } = ctx.actor
    const endedSessions = await withBothFactors(ctx, given, async (tx) => {
      await deleteFactor(tx, userId)
      return endSessions(tx, userId, credentialId)
    })
    return { deleted: true, endedSessions } as const
  },
})

export const renewRecoveryCodes = operation({
  name: 'renew-recovery-codes',
  for: { person: 'POST /api/auth/totp/recovery-codes' },
  summary: 'Replace your recovery codes, with your password and a code. The previous codes stop working.',
  effect: 'destructive',
  changes: ['account'],
  input: z.object({
    password: ownPassword,
    code: code.describe('The code that the authenticator app shows now, or a recovery code.'),
  }),
  output: z.looseObject({
    recoveryCodes: z.array(z.string()).describe('Ten codes. Each signs you in once without the app. Shown once.'),
  }),
  examples: {
    input: { password: 'a long and private sentence', code: '492039' },
    output: { recoveryCodes: ['3M8V-K2QX-9TDH-6WBN-0RFZ-C5JA-7EGP'] },
  },
  run: async (given, ctx) => ({
    recoveryCodes: await withBothFactors(ctx, given, (tx, at) => makeRecoveryCodes(tx, ctx.actor.userId, at)),
  }),
})
