import { z } from 'zod'
import type { User } from './store.ts'

/** A person on the wire, as they see themselves. */
export const userRecord = z
  .looseObject({
    userId: z.uuid(),
    email: z.string(),
    name: z.string().nullable().describe('What they want to be called; null where they have not said.'),
    isOwner: z.boolean().describe('The one who set this instance up.'),
  })
  .meta({ id: 'User' })

export const describeUser = ({ userId, email, name, isOwner }: User): z.infer<typeof userRecord> => ({
  userId,
  email,
  name: name ?? null,
  isOwner,
})

export const exampleUser: z.infer<typeof userRecord> = {
  userId: '0198c5f0-0000-7000-8000-000000000010',
  email: 'ada@example.org',
  name: 'Ada',
  isOwner: true,
}
