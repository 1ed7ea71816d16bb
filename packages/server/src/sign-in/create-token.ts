import { z } from 'zod'
import { issueDashboardToken } from '../accounts/credential-store.ts'
import { operation } from '../operation/operation.ts'
import { ownCode, ownPassword, proveAll, refuseChangedPassword } from './prove-identity.ts'

export const createToken = operation({
  name: 'create-token',
  for: { person: 'POST /api/auth/tokens' },
  summary:
    'Create a dashboard token for a program that acts as you. Calls with it need no second factor, but creating it does.',
  effect: 'write',
  changes: ['account'],
  input: z.object({ password: ownPassword, code: ownCode }),
  output: z.looseObject({ dashboardToken: z.string().describe('For the dashboard API; shown once.') }),
  examples: { input: { password: 'a long and private sentence' }, output: { dashboardToken: 'hfd_…' } },
  created: () => true,
  async run({ password, code }, ctx) {
    const user = await proveAll(ctx, { password, code })
    return ctx.db.write(async (tx) => {
      await refuseChangedPassword(tx, user)
      return { dashboardToken: await issueDashboardToken(tx, user.userId, ctx.now()) }
    })
  },
})
