import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { endSessions } from './credential-store.ts'
import { email } from './email.ts'
import { deleteFactor } from './factor-store.ts'
import { deletePasskeys } from './passkey-store.ts'
import { getUserByEmail } from './store.ts'

export const resetFactorRecord = z.looseObject({
  userId: z.uuid(),
  removed: z.boolean().describe('False where there was no second factor.'),
  removedPasskeys: z.int(),
  endedSessions: z.int(),
})

export const resetFactor = operation({
  name: 'reset-factor',
  for: { operator: 'POST /api/operator/users/reset-factor' },
  summary:
    'Take second factor, recovery codes and passkeys from somebody who has lost them. It ends all their sessions.',
  effect: 'destructive',
  changes: ['account'],
  input: z.object({ email }),
  output: resetFactorRecord,
  returns: ({ userId }) => refs('user', userId),
  examples: {
    input: { email: 'ada@example.org' },
    output: { userId: '0198c5f0-0000-7000-8000-000000000010', removed: true, removedPasskeys: 1, endedSessions: 1 },
  },
  async run({ email: address }, { db, instance }) {
    const { userId } = await getUserByEmail(db.read, instance, address)
    return db.write(async (tx) => ({
      userId,
      removed: await deleteFactor(tx, userId),
      // Before the sessions: one that a passkey opens meanwhile ends with the others.
      removedPasskeys: await deletePasskeys(tx, userId),
      endedSessions: await endSessions(tx, userId, undefined),
    }))
  },
})
