import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { endSessions } from './credential-store.ts'
import { email } from './email.ts'
import { hashPassword, password, refuseWeakPassword } from './password.ts'
import { getUserByEmail, updatePassword } from './store.ts'

export const resetPasswordRecord = z.looseObject({ userId: z.uuid(), endedSessions: z.int() })

export const resetPassword = operation({
  name: 'reset-password',
  for: { operator: 'POST /api/operator/users/reset-password' },
  summary:
    'Give somebody who has lost it another password. It ends all their sessions; second factor and passkeys stay.',
  effect: 'write',
  changes: ['account'],
  input: z.object({ email, password }),
  output: resetPasswordRecord,
  returns: ({ userId }) => refs('user', userId),
  examples: {
    input: { email: 'ada@example.org', password: 'another long and private sentence' },
    output: { userId: '0198c5f0-0000-7000-8000-000000000010', endedSessions: 1 },
  },
  async run(given, { db, instance }) {
    const { userId } = await getUserByEmail(db.read, instance, given.email)
    refuseWeakPassword(given.password, given.email)
    const passwordHash = await hashPassword(given.password)
    return db.write(async (tx) => {
      await updatePassword(tx, userId, passwordHash)
      return { userId, endedSessions: await endSessions(tx, userId, undefined) }
    })
  },
})
