import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { updateProfile } from './store.ts'
import { describeUser, exampleUser, userRecord } from './user.ts'

export const updateUser = operation({
  name: 'update-user',
  for: { person: 'PATCH /api/auth/user' },
  summary: 'Change your display name.',
  effect: 'write',
  changes: ['account'],
  input: z.object({
    name: z
      .string()
      .min(1)
      .max(100)
      .regex(/\S/, 'must not be blank')
      .nullable()
      .optional()
      .describe(
        "Your display name, up to 100 characters; null to show your email address. If omitted, it doesn't change.",
      ),
  }),
  output: z.looseObject({ user: userRecord }),
  examples: { input: { name: 'Ada' }, output: { user: exampleUser } },
  async run({ name }, { actor: { userId }, db, instance }) {
    const user = await db.write((tx) =>
      updateProfile(tx, instance, userId, name === undefined ? {} : { name: name ?? undefined }),
    )
    return { user: describeUser(user) }
  },
})
