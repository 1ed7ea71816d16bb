import { z } from 'zod'
import { refs } from '../calls/records.ts'
import { invalid } from '../core/errors.ts'
import { operation } from '../operation/operation.ts'
import { deleteCredential, deleteSession, endSessions as endAllSessions, revokeTokens } from './credential-store.ts'

export const endSessions = operation({
  name: 'end-sessions',
  for: { person: 'POST /api/auth/sessions/end' },
  summary:
    'End one of your sessions, all your other sessions, or dashboard tokens. They stop working at once. This session ends only by its id.',
  effect: 'destructive',
  changes: ['account'],
  needs: [['id'], ['sessions'], ['tokens']],
  about: ({ id }) => (id === undefined ? [] : refs('session', id)),
  input: z.object({
    id: z.uuid().optional().describe('A session or token.'),
    sessions: z.boolean().default(false).describe('All your sessions except the one of this request.'),
    tokens: z.boolean().default(false).describe('All your dashboard tokens except the one of this request.'),
  }),
  output: z.looseObject({ endedSessions: z.int(), revokedTokens: z.int() }),
  examples: { input: { sessions: true, tokens: true }, output: { endedSessions: 2, revokedTokens: 1 } },
  run({ id, sessions, tokens }, { actor: { userId, credentialId }, db }) {
    if (id === undefined && !sessions && !tokens) throw invalid({ '': 'give an id, or set sessions or tokens' })
    return db.write(async (tx) => {
      const kind = id === undefined ? undefined : await deleteCredential(tx, userId, id)
      const ended = sessions ? await endAllSessions(tx, userId, credentialId) : 0
      const revoked = tokens ? await revokeTokens(tx, userId, credentialId) : 0
      return {
        endedSessions: ended + Number(kind === 'session'),
        revokedTokens: revoked + Number(kind === 'token'),
      }
    })
  },
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
