import { z } from 'zod'
import { issueDashboardToken } from '../accounts/credential-store.ts'
import { operation } from '../operation/operation.ts'
import { confirmPassword, ownPassword, refuseChangedPassword } from './prove-identity.ts'

export const createToken = operation({
  name: 'create-token',
  for: { person: 'POST /api/auth/tokens' },
  summary:
    'Create a dashboard token for a program that acts as you. It needs no second factor and is valid until you revoke it.',
  effect: 'write',
  changes: ['account'],
  input: z.object({ password: ownPassword }),
  output: z.looseObject({ dashboardToken: z.string().describe('For the dashboard API; shown once.') }),
  examples: { input: { password: 'a long and private sentence' }, output: { dashboardToken: 'hfd_…' } },
  created: () => true,
  async run({ password }, ctx) {
    const user = await confirmPassword(ctx, password)
    return ctx.db.write(async (tx) => {
      await refuseChangedPassword(tx, user)
      return { dashboardToken: await issueDashboardToken(tx, user.userId, ctx.now()) }
    })
  },
})
