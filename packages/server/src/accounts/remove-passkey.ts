import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { confirmPassword, ownPassword } from './confirm-password.ts'
import { endSessions } from './credential-store.ts'
import { deletePasskey } from './passkey-store.ts'
import { examplePasskey, passkeyId } from './passkey.ts'

export const removePasskey = operation({
  name: 'remove-passkey',
  for: { person: 'POST /api/auth/passkeys/remove' },
  summary: 'Remove one of your passkeys: it lets nobody in from this answer on. It ends all your other sessions.',
  effect: 'destructive',
  changes: ['account'],
  about: ({ id }) => refs('passkey', id),
  input: z.object({ id: passkeyId, password: ownPassword }),
  output: z.looseObject({ id: z.uuid(), removed: z.literal(true), endedSessions: z.int() }),
  examples: {
    input: { id: examplePasskey.id, password: 'a long and private sentence' },
    output: { id: examplePasskey.id, removed: true, endedSessions: 1 },
  },
  async run({ id, password }, ctx) {
    const { userId, credentialId } = ctx.actor
    await confirmPassword(ctx, password)
    const endedSessions = await ctx.db.write(async (tx) => {
      // First: a session that the passkey opens meanwhile ends with the others.
      await deletePasskey(tx, userId, id)
      return endSessions(tx, userId, credentialId)
    })
    return { id, removed: true, endedSessions } as const
  },
})
