import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { createAccount } from './create-account.ts'
import { email } from './email.ts'
import { hashPassword, password, refuseWeakPassword } from './password.ts'

export const addedUser = z.looseObject({
  userId: z.uuid(),
  vaultId: z.uuid(),
  dashboardToken: z.string().describe('For the dashboard API; shown once.'),
})

export const createUser = operation({
  name: 'create-user',
  for: { operator: 'POST /api/operator/users' },
  summary: 'Add a person, with keys and a first vault of their own.',
  effect: 'write',
  changes: ['account'],
  input: z.object({ email, password }),
  output: addedUser,
  returns: ({ userId }) => refs('user', userId),
  examples: {
    input: { email: 'grace@example.org', password: 'another long and private sentence' },
    output: {
      userId: '0198c5f0-0000-7000-8000-000000000020',
      vaultId: '0198c5f0-0000-7000-8000-000000000021',
      dashboardToken: 'hfd_…',
    },
  },
  created: () => true,
  async run(given, ctx) {
    refuseWeakPassword(given.password, given.email)
    const passwordHash = await hashPassword(given.password)
    const account = { email: given.email, passwordHash, isOwner: false, vaultName: 'Main' }
    return ctx.db.write(async (tx) => {
      const created = await createAccount(tx, ctx, account)
      if (created === undefined) throw invalid({ email: 'belongs to a user already' })
      return { ...created }
    })
  },
})
