import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import { uuidBytes } from '../crypto/encode.ts'
import * as fields from '../operation/fields.ts'
import type { Passkey } from './passkey-store.ts'

/** A passkey on the wire, as its owner sees it. */
export const passkeyRecord = z
  .looseObject({
    id: z.uuid(),
    name: z.string(),
    createdAt: fields.timestamp,
    lastUsedAt: fields.timestamp.nullable().describe('When it last signed somebody in; null where it never did.'),
  })
  .meta({ id: 'Passkey' })

export const passkeyId = z.uuid().describe('Id of the passkey.')
export const passkeyName = z.string().min(1).max(100).describe('What you call it, 1 to 100 characters.')

/** Bytes as browsers write them; at most so many characters. */
export const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, 'must be base64url')

export const passkeyOrigin = z
  .string()
  .nullable()
  .describe(
    'The address at which passkeys of this server work; null where they cannot, since it has no name or no TLS.',
  )

/** By which a passkey says whose it is. */
export const userHandle = (userId: string): string => uuidBytes(userId).toString('base64url')

/** More than anybody has devices. */
export const mostPasskeys = 20

export const describePasskey = ({ id, name, createdAt, lastUsedAt }: Passkey): z.infer<typeof passkeyRecord> => ({
  id,
  name,
  createdAt: isoTime(createdAt),
  lastUsedAt: lastUsedAt === undefined ? null : isoTime(lastUsedAt),
})

export const examplePasskey: z.infer<typeof passkeyRecord> = {
  id: '0198c5f0-0000-7000-8000-000000000032',
  name: 'Firefox on Linux',
  createdAt: '2026-11-21T09:00:00.000Z',
  lastUsedAt: '2026-11-21T10:30:00.000Z',
}
