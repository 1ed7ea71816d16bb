import { z } from 'zod'
import { endSessions } from '../accounts/credential-store.ts'
import { deletePasskey as deleteStored, findPasskeys, type Passkey, updatePasskeyName } from './passkey-store.ts'
import { findRelyingParty } from './passkey-challenges.ts'
import { ensurePrivateScope, findPrivateScope } from '../auth/private-scope-store.ts'
import { refs } from '../calls/records.ts'
import { isoTime } from '../core/time.ts'
import { uuidBytes } from '../crypto/encode.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { confirmPassword, ownPassword } from './prove-identity.ts'

/** A passkey as the API returns it to its owner. */
export const passkeyRecord = z
  .looseObject({
    id: z.uuid(),
    name: z.string(),
    createdAt: fields.timestamp,
    lastUsedAt: fields.timestamp.nullable().describe('When it was last used to sign in; null if never.'),
  })
  .meta({ id: 'Passkey' })

const passkeyId = z.uuid().describe('Id of the passkey.')
export const passkeyName = fields.shownName(100).describe('Name of the passkey, 1 to 100 characters.')

/** Bytes as browsers send them, with a limit in characters. */
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
    "The origin at which passkeys work with this server; null if they can't, because it has no host name or no TLS.",
  )

/** Identifies the owner of a passkey when it signs in. */
export const userHandle = (userId: string): string => uuidBytes(userId).toString('base64url')

/** More than people have devices. */
export const maxPasskeys = 20

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

export const listPasskeys = operation({
  name: 'list-passkeys',
  for: { person: 'GET /api/auth/passkeys' },
  summary: 'List your passkeys, oldest first, and the origin at which they work.',
  effect: 'read',
  outdatedBy: ['account'],
  input: z.object({}),
  output: z.looseObject({ passkeys: z.array(passkeyRecord), origin: passkeyOrigin }),
  examples: { input: {}, output: { passkeys: [examplePasskey], origin: 'https://memory.example.org' } },
  async run(_input, ctx) {
    const { userId } = ctx.actor
    const keys = await findPrivateScope(ctx.db.read, ctx.keyring, { userId, mek: ctx.mek })
    const found = keys === undefined ? [] : await findPasskeys(ctx.db.read, keys, userId)
    return { passkeys: found.map(describePasskey), origin: findRelyingParty(ctx)?.origin ?? null }
  },
})

export const updatePasskey = operation({
  name: 'update-passkey',
  for: { person: 'PATCH /api/auth/passkeys' },
  summary: "Rename one of your passkeys. The name on your device doesn't change.",
  effect: 'write',
  changes: ['account'],
  about: ({ id }) => refs('passkey', id),
  input: z.object({ id: passkeyId, name: passkeyName }),
  output: z.looseObject({ passkey: passkeyRecord }),
  examples: {
    input: { id: examplePasskey.id, name: 'Laptop' },
    output: { passkey: { ...examplePasskey, name: 'Laptop' } },
  },
  async run(given, { actor: { userId }, mek, db, keyring, now }) {
    const renamed = await db.write(async (tx) => {
      const keys = await ensurePrivateScope(tx, keyring, { userId, mek }, now())
      return updatePasskeyName(tx, keys, { userId, ...given })
    })
    return { passkey: describePasskey(renamed) }
  },
})

export const deletePasskey = operation({
  name: 'delete-passkey',
  for: { person: 'POST /api/auth/passkeys/delete' },
  summary: 'Remove one of your passkeys. It stops working at once, and all your other sessions end.',
  effect: 'destructive',
  changes: ['account'],
  about: ({ id }) => refs('passkey', id),
  input: z.object({ id: passkeyId, password: ownPassword }),
  output: z.looseObject({ id: z.uuid(), deleted: z.literal(true), endedSessions: z.int() }),
  examples: {
    input: { id: examplePasskey.id, password: 'a long and private sentence' },
    output: { id: examplePasskey.id, deleted: true, endedSessions: 1 },
  },
  async run({ id, password }, ctx) {
    const { userId, credentialId } = ctx.actor
    await confirmPassword(ctx, password)
    const endedSessions = await ctx.db.write(async (tx) => {
      // First, so that a session that the passkey starts in the meantime ends too.
      await deleteStored(tx, userId, id)
      return endSessions(tx, userId, credentialId)
    })
    return { id, deleted: true, endedSessions } as const
  },
})
