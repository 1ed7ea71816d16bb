import { z } from 'zod'
import { refs } from '../calls/records.ts'
import { invalid, notFound } from '../core/errors.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { setDisabled, updateProfile } from './store.ts'
import { describeUser, exampleUser, otherUserId, userRecord } from './user.ts'

export const updateUser = operation({
  name: 'update-user',
  for: { person: 'PATCH /api/auth/user' },
  summary: 'Change your display name. The owner of the server can also disable other users, and enable them again.',
  effect: 'write',
  changes: ['account'],
  about: ({ userId: other }) => refs('user', other),
  errors: ['conflict'],
  input: z.object({
    userId: otherUserId.optional().describe('Another user, if you are the owner. Default: you.'),
    name: fields.personName
      .nullable()
      .optional()
      .describe(
        "Your display name, up to 100 visible characters on one line, without @; null to show your email address. If omitted, it doesn't change.",
      ),
    disabled: z
      .boolean()
      .optional()
      .describe(
        "Whether the other user's password, passkeys, sessions, tokens and agent keys are refused like unknown ones.",
      ),
  }),
  output: z.looseObject({ user: userRecord }),
  examples: { input: { name: 'Ada' }, output: { user: exampleUser } },
  async run({ userId: other, name, disabled }, { actor, db, instance, callLog, request, now }) {
    const changed = other ?? actor.userId
    const isOther = changed !== actor.userId
    if (isOther && !actor.isOwner) throw notFound('User')
    if (isOther && name !== undefined) throw invalid({ name: 'only they can change it' })
    if (!isOther && disabled !== undefined)
      throw invalid({
        disabled: actor.isOwner
          ? "the owner of the server can't be disabled or enabled"
          : 'only the owner of the server can disable or enable a user',
      })
    const user = await db.write(async (tx) => {
      if (disabled !== undefined) await setDisabled(tx, changed, disabled ? now() : undefined)
      return updateProfile(tx, instance, changed, name === undefined ? {} : { name: name ?? undefined })
    })
    // Also ends their live updates.
    if (disabled !== undefined) callLog.recordOperatorChange(changed, request)
    return { user: describeUser(user) }
  },
})
