import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { endSession } from './credential-store.ts'

export const logout = operation({
  name: 'logout',
  for: { person: 'POST /api/auth/logout' },
  summary: 'Sign out: ends the session and clears its cookie. A dashboard token is no session and stays.',
  effect: 'write',
  changes: ['account'],
  input: z.object({}),
  output: z.looseObject({ ended: z.boolean().describe('False where the caller came with a token.') }),
  examples: { input: {}, output: { ended: true } },
  async run(_input, { actor: { userId, credentialId }, db, sessionCookie }) {
    const ended = credentialId !== undefined && (await db.write((tx) => endSession(tx, userId, credentialId)))
    sessionCookie.clear()
    return { ended }
  },
})
