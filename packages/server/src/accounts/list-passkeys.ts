import { z } from 'zod'
import { findPrivateScope } from '../auth/private-scope-store.ts'
import { operation } from '../operation/operation.ts'
import { listPasskeys as list } from './passkey-store.ts'
import { describePasskey, examplePasskey, passkeyOrigin, passkeyRecord } from './passkey.ts'
import { findRelyingParty } from './relying-party.ts'

export const listPasskeys = operation({
  name: 'list-passkeys',
  for: { person: 'GET /api/auth/passkeys' },
  summary: 'Your passkeys, in the order in which you added them, and the address at which they work.',
  effect: 'read',
  outdatedBy: ['account'],
  input: z.object({}),
  output: z.looseObject({ passkeys: z.array(passkeyRecord), origin: passkeyOrigin }),
  examples: { input: {}, output: { passkeys: [examplePasskey], origin: 'https://memory.example.org' } },
  async run(_input, ctx) {
    const { userId } = ctx.actor
    const keys = await findPrivateScope(ctx.db.read, ctx.keyring, { userId, mek: ctx.mek })
    const found = keys === undefined ? [] : await list(ctx.db.read, keys, userId)
    return { passkeys: found.map(describePasskey), origin: findRelyingParty(ctx)?.origin ?? null }
  },
})
