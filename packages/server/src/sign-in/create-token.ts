import { z } from 'zod'
import { ensurePrivateScope } from '../auth/private-scope-store.ts'
import { issueDashboardToken } from '../accounts/credential-store.ts'
import { dayMs, isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { ownCode, ownPassword, proveAll, refuseChangedPassword } from './prove-identity.ts'

export const createToken = operation({
  name: 'create-token',
  for: { person: 'POST /api/auth/tokens' },
  summary:
    'Create a dashboard token for a program that acts as you, until it expires. Calls with it need no second factor, but creating it does.',
  effect: 'write',
  changes: ['account'],
  input: z.object({
    password: ownPassword,
    code: ownCode,
    name: fields
      .shownName(100)
      .optional()
      .describe('What it is for, so that you can tell your tokens apart. At most 100 characters.'),
    expiresInDays: z.int().min(1).max(365).default(90).describe('Days until the token expires.'),
  }),
  output: z.looseObject({
    dashboardToken: z.string().describe('For the dashboard API; shown once.'),
    expiresAt: fields.timestamp,
  }),
  examples: {
    input: { password: 'a long and private sentence', name: 'Deploy script', expiresInDays: 30 },
    output: { dashboardToken: 'hfd_…', expiresAt: '2026-12-21T09:00:00.000Z' },
  },
  created: () => true,
  async run({ password, code, name, expiresInDays }, ctx) {
    const user = await proveAll(ctx, { password, code })
    return ctx.db.write(async (tx) => {
      await refuseChangedPassword(tx, user)
      const [at, lifetimeMs] = [ctx.now(), expiresInDays * dayMs]
      const keys = await ensurePrivateScope(tx, ctx.keyring, { userId: user.userId, mek: ctx.mek }, at)
      const named = name === undefined ? undefined : { name: name.trim(), keys }
      const dashboardToken = await issueDashboardToken(tx, user.userId, { at, lifetimeMs, named })
      return { dashboardToken, expiresAt: isoTime(at + lifetimeMs) }
    })
  },
})
