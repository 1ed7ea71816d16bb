import { z } from 'zod'
import { isoTime } from '../core/time.ts'
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
      })
      .nullable()
      .describe('Null if only the password is required.'),
  }),
  examples: { input: {}, output: { totp: { confirmedAt: '2026-11-21T09:00:00.000Z', recoveryCodesLeft: 10 } } },
  async run(_input, { actor: { userId }, db }) {
    const factor = await findFactor(db.read, userId)
    if (factor?.confirmedAt === undefined) return { totp: null }
    const recoveryCodesLeft = await countRecoveryCodes(db.read, userId)
    return { totp: { confirmedAt: isoTime(factor.confirmedAt), recoveryCodesLeft } }
  },
})
