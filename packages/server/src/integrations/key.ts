import { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import type { AgentKey } from './key-store.ts'
import type { GrantRequest } from './oauth/grant-store.ts'

/** An agent key in responses, without its secret. */
export const keyRecord = z
  .looseObject({
    id: z.uuid(),
    integrationId: z.uuid(),
    label: z.string().nullable(),
    last4: z.string().describe("The secret's last four characters."),
    createdAt: fields.timestamp,
    expiresAt: fields.timestamp.nullable(),
    revokedAt: fields.timestamp.nullable(),
    lastUsedAt: fields.timestamp.nullable(),
    state: z.enum(['valid', 'revoked', 'expired']),
    client: z
      .looseObject({ name: z.string(), redirectHost: z.string() })
      .nullable()
      .describe(
        'The program that this key belongs to, if it was connected with OAuth: the name that it gives itself, and the host that got the code.',
      ),
  })
  .meta({ id: 'Key' })

export const keyId = z.uuid().describe('Id of the key.')

/** `request`: what was allowed to a program, if the key is its connection. */
export const describeKey = (
  key: AgentKey,
  now: number,
  request?: Pick<GrantRequest, 'clientName' | 'redirectUri'>,
): z.infer<typeof keyRecord> => ({
  id: key.id,
  integrationId: key.integrationId,
  label: key.label ?? null,
  last4: key.lastFour,
  createdAt: isoTime(key.createdAt),
  expiresAt: isoTimeOrNull(key.expiresAt),
  revokedAt: isoTimeOrNull(key.revokedAt),
  lastUsedAt: isoTimeOrNull(key.lastUsedAt),
  state: stateOf(key, now),
  client: request === undefined ? null : describeProgram(request),
})

/** A damaged connection has no address. */
const describeProgram = ({ clientName, redirectUri }: Pick<GrantRequest, 'clientName' | 'redirectUri'>) => ({
  name: clientName,
  redirectHost: URL.parse(redirectUri)?.host ?? '',
})

function stateOf({ revokedAt, expiresAt }: AgentKey, now: number): 'valid' | 'revoked' | 'expired' {
  if (revokedAt !== undefined) return 'revoked'
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'valid'
}

export const exampleKey: z.infer<typeof keyRecord> = {
  id: '0198c5f0-0000-7000-8000-000000000012',
  integrationId: '0198c5f0-0000-7000-8000-000000000011',
  label: 'Laptop',
  last4: 'x7Qp',
  createdAt: '2026-11-21T09:00:00.000Z',
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  state: 'valid',
  client: null,
}
