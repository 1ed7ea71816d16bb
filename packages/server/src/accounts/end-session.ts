import { z } from 'zod'
import { dashboardOperation } from '../operation/operation.ts'
import { deleteCredential } from './credential-store.ts'
import { exampleSession, sessionId } from './session-record.ts'

export const endSession = dashboardOperation({
  name: 'end-session',
  method: 'DELETE',
  path: '/api/auth/sessions',
  summary: 'End one of your sessions, or take back a dashboard token: it is refused from this answer on.',
  effect: 'destructive',
  input: z.object({ id: sessionId }),
  output: z.looseObject({ id: z.uuid(), deleted: z.literal(true) }),
  examples: { input: { id: exampleSession.id }, output: { id: exampleSession.id, deleted: true } },
  async run({ id }, { actor: { userId }, db }) {
    await db.write((tx) => deleteCredential(tx, userId, id))
    return { id, deleted: true } as const
  },
})
