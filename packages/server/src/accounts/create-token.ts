import { z } from 'zod'
import { dashboardOperation } from '../operation/operation.ts'
import { confirmPassword, ownPassword } from './confirm-password.ts'
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
    await confirmPassword(ctx, password)
    return { dashboardToken: await ctx.db.write((tx) => issueDashboardToken(tx, ctx.actor.userId, ctx.now())) }
  },
})
