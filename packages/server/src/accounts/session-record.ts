import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import type { Credential } from './credential-store.ts'
import { clientOrigins } from './session-client.ts'

/** A session or dashboard token on the wire: never its secret. */
export const sessionRecord = z
  .looseObject({
    id: z.uuid(),
    kind: z.enum(['session', 'token']).describe('`token`: a dashboard token, for programs; it has no end.'),
    isCurrent: z.boolean().describe('The one that this request came with.'),
    browser: z.string().nullable().describe('Browser and system in words; null where nothing is known.'),
    origin: z
      .enum(clientOrigins)
      .nullable()
      .describe('Where it signed in from: this machine (or a proxy on it), its network, or the internet.'),
    createdAt: fields.timestamp,
    lastUsedAt: fields.timestamp,
    expiresAt: fields.timestamp.nullable(),
  })
  .meta({ id: 'Session' })

export const sessionId = z.uuid().describe('Id of the session or token.')

export const describeSession = (
  { id, kind, client, createdAt, lastUsedAt, expiresAt }: Credential,
  currentId: string | undefined,
): z.infer<typeof sessionRecord> => ({
  id,
  kind,
  isCurrent: id === currentId,
  browser: client?.browser ?? null,
  origin: client?.origin ?? null,
  createdAt: isoTime(createdAt),
  lastUsedAt: isoTime(lastUsedAt),
  expiresAt: expiresAt === undefined ? null : isoTime(expiresAt),
})

export const exampleSession: z.infer<typeof sessionRecord> = {
  id: '0198c5f0-0000-7000-8000-000000000031',
  kind: 'session',
  isCurrent: true,
  browser: 'Firefox on Linux',
  origin: 'network',
  createdAt: '2026-11-21T09:00:00.000Z',
  lastUsedAt: '2026-11-21T10:30:00.000Z',
  expiresAt: '2026-11-28T09:00:00.000Z',
}
