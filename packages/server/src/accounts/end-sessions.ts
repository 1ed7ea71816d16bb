import { z } from 'zod'
import { refs } from '../calls/records.ts'
import { operation } from '../operation/operation.ts'
import { deleteCredential, deleteSession, endSessions, revokeTokens } from './credential-store.ts'
import { exampleSession, sessionId } from './list-sessions.ts'

export const endSession = operation({
  name: 'end-session',
  for: { person: 'DELETE /api/auth/sessions' },
  summary: 'End one of your sessions or revoke a dashboard token. It stops working at once.',
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

export const endOtherSessions = operation({
  name: 'end-other-sessions',
  for: { person: 'POST /api/auth/sessions/end-others' },
  summary:
    'Sign out everywhere else: end all your sessions except this one, and on request revoke all your dashboard tokens.',
  effect: 'destructive',
  changes: ['account'],
  input: z.object({
    tokens: z
      .boolean()
      .default(false)
      .describe('Also revoke all your dashboard tokens, except one that this request uses.'),
  }),
  output: z.looseObject({ endedSessions: z.int(), revokedTokens: z.int() }),
  examples: { input: { tokens: true }, output: { endedSessions: 2, revokedTokens: 1 } },
  run: ({ tokens }, { actor: { userId, credentialId }, db }) =>
    db.write(async (tx) => ({
      endedSessions: await endSessions(tx, userId, credentialId),
      revokedTokens: tokens ? await revokeTokens(tx, userId, credentialId) : 0,
    })),
})

export const logOut = operation({
  name: 'log-out',
  for: { person: 'POST /api/auth/logout' },
  summary: 'Sign out: end the session and clear its cookie. Dashboard tokens keep working.',
  effect: 'write',
  changes: ['account'],
  input: z.object({}),
  output: z.looseObject({ ended: z.boolean().describe('False if the request used a token.') }),
  examples: { input: {}, output: { ended: true } },
  async run(_input, { actor: { userId, credentialId }, db, sessionCookie }) {
    const ended = credentialId !== undefined && (await db.write((tx) => deleteSession(tx, userId, credentialId)))
    sessionCookie.clear()
    return { ended }
  },
})
