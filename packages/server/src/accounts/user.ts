import { z } from 'zod'
import { isoTimeOrNull } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import type { User } from './store.ts'

export const otherUserId = z.uuid().describe('Id of the user.')

/** A person as the API returns them. */
export const userRecord = z
  .looseObject({
    userId: z.uuid(),
    email: z.string().describe('Empty if it is damaged.'),
    name: z.string().nullable().describe('Display name; null if not set.'),
    isOwner: z.boolean().describe('Whether this person set up the instance.'),
    isDamaged: z
      .boolean()
      .describe(
        "Whether the stored email address and name can't be read. Signing in with the address works; set it again to repair it.",
      ),
    disabledAt: fields.timestamp.nullable().describe('When the owner disabled this user; null if not disabled.'),
  })
  .meta({ id: 'User' })

export const describeUser = (user: User): z.infer<typeof userRecord> => ({
  userId: user.userId,
  email: user.email,
  name: user.name ?? null,
  isOwner: user.isOwner,
  isDamaged: user.isDamaged === true,
  disabledAt: isoTimeOrNull(user.disabledAt),
})

export const exampleUser: z.infer<typeof userRecord> = {
  userId: '0198c5f0-0000-7000-8000-000000000010',
  email: 'ada@example.org',
  name: 'Ada',
  isOwner: true,
  isDamaged: false,
  disabledAt: null,
}
