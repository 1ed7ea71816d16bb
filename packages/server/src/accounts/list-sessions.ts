import { z } from 'zod'
import { sessionIdleMs } from '../auth/authenticate.ts'
import { findPrivateScope } from '../auth/private-scope-store.ts'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { type Credential, listCredentials } from './credential-store.ts'
import { clientOrigins } from './session-client.ts'

const kinds = ['session', 'token'] as const

/** A session or dashboard token as the API returns it, without its secret. */
const sessionRecord = z
  .looseObject({
    id: z.uuid(),
    kind: z.enum(kinds).describe('`token`: a dashboard token for programs.'),
    isCurrent: z.boolean().describe('Whether this request used it.'),
    name: z
      .string()
      .nullable()
      .describe('What its owner calls a token; null for a session, and for a token without a name.'),
    browser: z.string().nullable().describe('Browser and operating system; null if unknown.'),
    origin: z
      .enum(clientOrigins)
      .nullable()
      .describe('Where it signed in from: this machine (or a proxy on it), its network, or the internet.'),
    createdAt: fields.timestamp,
    lastUsedAt: fields.timestamp,
    expiresAt: fields.timestamp,
  })
  .meta({ id: 'Session' })

const describeSession = (
  { id, kind, client, name, createdAt, lastUsedAt, expiresAt }: Credential,
  currentId: string | undefined,
): z.infer<typeof sessionRecord> => ({
  id,
  kind,
  isCurrent: id === currentId,
  name: name ?? null,
  browser: client?.browser ?? null,
  origin: client?.origin ?? null,
  createdAt: isoTime(createdAt),
  lastUsedAt: isoTime(lastUsedAt),
  expiresAt: isoTime(expiresAt),
})

const exampleSession: z.infer<typeof sessionRecord> = {
  id: '0198c5f0-0000-7000-8000-000000000031',
  kind: 'session',
  isCurrent: true,
  name: null,
  browser: 'Firefox on Linux',
  origin: 'network',
  createdAt: '2026-11-21T09:00:00.000Z',
  lastUsedAt: '2026-11-21T10:30:00.000Z',
  expiresAt: '2026-11-28T09:00:00.000Z',
}

export const listSessions = operation({
  name: 'list-sessions',
  for: { person: 'GET /api/auth/sessions' },
  summary: 'List your sessions and dashboard tokens, most recently used first.',
  effect: 'read',
  outdatedBy: ['account'],
  input: z.object({
    kind: z.enum(kinds).optional().describe('Only sessions, or only tokens.'),
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.looseObject({ sessions: z.array(sessionRecord), ...page }),
  examples: { input: {}, output: { sessions: [exampleSession], total: 1, limit: 20, offset: 0, hasMore: false } },
  async run(wanted, { actor: { userId, credentialId }, mek, db, keyring, lastUsed, now }) {
    await lastUsed.flush({ table: 'dashboardCredentials', userId })
    const keys = await findPrivateScope(db.read, keyring, { userId, mek })
    const valid = { userId, now: now(), idleMs: sessionIdleMs, ...wanted }
    const { credentials, total } = await listCredentials(db.read, keys, valid)
    return {
      sessions: credentials.map((credential) => describeSession(credential, credentialId)),
      ...pageOf(wanted, total),
    }
  },
})
