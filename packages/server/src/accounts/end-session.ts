import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { deleteCredential } from './credential-store.ts'
import { exampleSession, sessionId } from './session-record.ts'

export const endSession = operation({
  name: 'end-session',
  for: { person: 'DELETE /api/auth/sessions' },
  summary: 'End one of your sessions, or take back a dashboard token: it is refused from this answer on.',
  effect: 'destructive',
  changes: ['account'],
  about: ({ id }) => refs('session', id),
  input: z.object({ id: sessionId }),
  output: z.looseObject({ id: z.uuid(), deleted: z.literal(true) }),
  examples: { input: { id: exampleSession.id }, output: { id: exampleSession.id, deleted: true } },
  async run({ id }, { actor: { userId }, db }) {
    await db.write((tx) => deleteCredential(tx, userId, id))
    return { id, deleted: true } as const
  },
})
