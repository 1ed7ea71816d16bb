import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { endSessions } from './credential-store.ts'

export const endOtherSessions = operation({
  name: 'end-other-sessions',
  for: { person: 'POST /api/auth/sessions/end-others' },
  summary: 'Sign out everywhere else: ends all your sessions but this one. Dashboard tokens stay.',
  effect: 'destructive',
  changes: ['account'],
  input: z.object({}),
  output: z.looseObject({ endedSessions: z.int() }),
  examples: { input: {}, output: { endedSessions: 2 } },
  async run(_input, { actor: { userId, credentialId }, db }) {
    return { endedSessions: await db.write((tx) => endSessions(tx, userId, credentialId)) }
  },
})
