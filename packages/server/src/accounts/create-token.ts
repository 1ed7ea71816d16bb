import { z } from 'zod'
import { dashboardOperation } from '../operation/operation.ts'
import { confirmPassword, ownPassword, refuseChangedPassword } from './confirm-password.ts'
import { issueDashboardToken } from './credential-store.ts'

export const createToken = dashboardOperation({
  name: 'create-token',
  method: 'POST',
  path: '/api/auth/tokens',
  summary:
    'Make a dashboard token, for a program that works as you. It holds until you end it, and asks for no second factor.',
  effect: 'write',
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
