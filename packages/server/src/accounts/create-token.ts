import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { confirmPassword, ownPassword, refuseChangedPassword } from './confirm-password.ts'
import { issueDashboardToken } from './credential-store.ts'

export const createToken = operation({
  name: 'create-token',
  for: { person: 'POST /api/auth/tokens' },
  summary:
    'Make a dashboard token, for a program that works as you. It holds until you end it, and asks for no second factor.',
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
