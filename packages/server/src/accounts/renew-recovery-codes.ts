import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { ownPassword } from './confirm-password.ts'
import { withBothFactors } from './prove-factor.ts'
import { code, makeRecoveryCodes } from './second-factor.ts'

export const renewRecoveryCodes = operation({
  name: 'renew-recovery-codes',
  for: { person: 'POST /api/auth/totp/recovery-codes' },
  summary: 'New recovery codes, with password and code: all former ones count no longer.',
  effect: 'destructive',
  changes: ['account'],
  input: z.object({
    password: ownPassword,
    code: code.describe('What the authenticator app shows now, or a recovery code.'),
  }),
  output: z.looseObject({
    recoveryCodes: z.array(z.string()).describe('Ten; each lets you in once without the app. Shown once.'),
  }),
  examples: {
    input: { password: 'a long and private sentence', code: '492039' },
    output: { recoveryCodes: ['3M8V-K2QX-9TDH-6WBN-0RFZ-C5JA'] },
  },
  run: async (given, ctx) => ({
    recoveryCodes: await withBothFactors(ctx, given, (tx, at) => makeRecoveryCodes(tx, ctx.actor.userId, at)),
  }),
})
