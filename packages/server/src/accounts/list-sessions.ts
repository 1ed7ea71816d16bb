import { z } from 'zod'
import { sessionIdleMs } from '../auth/authenticate.ts'
import { findPrivateScope } from '../auth/private-scope-store.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { listCredentials } from './credential-store.ts'
import { describeSession, exampleSession, sessionRecord } from './session-record.ts'

export const listSessions = operation({
  name: 'list-sessions',
  for: { person: 'GET /api/auth/sessions' },
  summary:
    'Where you are signed in, and your dashboard tokens: all that opens the dashboard as you, the last used first.',
  effect: 'read',
  outdatedBy: ['account'],
  input: z.object({ limit: fields.limit, offset: fields.offset }),
  output: z.looseObject({ sessions: z.array(sessionRecord), ...page }),
  examples: { input: {}, output: { sessions: [exampleSession], total: 1, limit: 20, offset: 0, hasMore: false } },
  async run(wanted, { actor: { userId, credentialId }, mek, db, keyring, lastUsed, now }) {
    await lastUsed.flush()
    const keys = await findPrivateScope(db.read, keyring, { userId, mek })
    const valid = { userId, now: now(), idleMs: sessionIdleMs, ...wanted }
    const { credentials, total } = await listCredentials(db.read, keys, valid)
    return {
      sessions: credentials.map((credential) => describeSession(credential, credentialId)),
      ...pageOf(wanted, total),
    }
  },
})
