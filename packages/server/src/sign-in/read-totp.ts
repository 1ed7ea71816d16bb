import { z } from 'zod'
import { countRefusedSignIns } from '../calls/activity-store.ts'
import { dayMs, isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { countRecoveryCodes, findFactor } from './factor-store.ts'

export const readTotp = operation({
  name: 'read-totp',
  for: { person: 'GET /api/auth/totp' },
  summary: 'Check whether signing in requires a code from an authenticator app.',
  effect: 'read',
  outdatedBy: ['account'],
  input: z.object({}),
  output: z.looseObject({
    totp: z
      .looseObject({
        confirmedAt: fields.timestamp,
        recoveryCodesLeft: z.int().describe('Of ten. Each works once.'),
        wrongCodes: z
          .looseObject({ count: z.int(), lastAt: fields.timestamp })
          .nullable()
          .describe('Sign-ins with the right password and a wrong code in the last 30 days; null if there were none.'),
      })
      .nullable()
      .describe('Null if only the password is required.'),
  }),
  examples: {
    input: {},
    output: { totp: { confirmedAt: '2026-11-21T09:00:00.000Z', recoveryCodesLeft: 10, wrongCodes: null } },
  },
  async run(_input, { actor: { userId }, db, activity, now }) {
    const factor = await findFactor(db.read, userId)
    if (factor?.confirmedAt === undefined) return { totp: null }
    const recoveryCodesLeft = await countRecoveryCodes(db.read, userId)
    await activity.flush()
    const wrong = { operation: 'log-in', status: 400, since: now() - 30 * dayMs }
    const found = await countRefusedSignIns(db.read, userId, wrong)
    const wrongCodes = found === undefined ? null : { count: found.count, lastAt: isoTime(found.lastAt) }
    return { totp: { confirmedAt: isoTime(factor.confirmedAt), recoveryCodesLeft, wrongCodes } }
  },
})
