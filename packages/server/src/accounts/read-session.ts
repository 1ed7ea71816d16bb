import { z } from 'zod'
import { dataDirOption } from '../core/program.ts'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { findSession } from './credential-store.ts'
import { getUser } from './store.ts'
import { describeUser, exampleUser, userRecord } from './user.ts'

export const readSession = operation({
  name: 'read-session',
  for: { person: 'GET /api/auth/session' },
  summary: 'Get the signed-in user and when the session expires.',
  effect: 'read',
  outdatedBy: ['account'],
  input: z.object({}),
  output: z.looseObject({
    user: userRecord,
    session: z
      .looseObject({ createdAt: fields.timestamp, expiresAt: fields.timestamp })
      .nullable()
      .describe('Null if the request used a token.'),
    newsId: z
      .string()
      .describe('Id of the newest event. Pass it to `/api/events?after=` to receive changes since then.'),
    canAsk: z.boolean().describe('Whether a language model can answer questions here (`POST /api/ask`).'),
    commandOptions: z
      .string()
      .describe(
        "What `holdfast` commands on the server's machine need to find this server's data folder. Empty if that is the default one, and unless you are the owner.",
      ),
  }),
  examples: {
    input: {},
    output: {
      user: exampleUser,
      session: { createdAt: '2026-11-21T09:00:00.000Z', expiresAt: '2026-11-28T09:00:00.000Z' },
      newsId: '5f2d9c01-7',
      canAsk: true,
      commandOptions: ' --data-dir /var/lib/holdfast',
    },
  },
  async run(_input, { actor: { userId, credentialId, isOwner }, db, instance, news, dataDir, hasLanguageModel }) {
    // Read first, so that no change between the reads gets lost.
    const newsId = news.latestId(userId)
    const user = await getUser(db.read, instance, userId)
    const found = credentialId === undefined ? undefined : await findSession(db.read, userId, credentialId)
    return {
      user: describeUser(user),
      newsId,
      canAsk: hasLanguageModel,
      commandOptions: isOwner ? dataDirOption(dataDir) : '',
      session:
        found === undefined ? null : { createdAt: isoTime(found.createdAt), expiresAt: isoTime(found.expiresAt) },
    }
  },
})
