import { z } from 'zod'
import { ensurePrivateScope } from '../auth/private-scope-store.ts'
import { invalid } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { verifyNewPasskey } from '../crypto/passkey.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { findAddingChallenge, takeChallenge } from './passkey-challenges.ts'
import { insertPasskey } from './passkey-store.ts'
import { base64url, describePasskey, examplePasskey, passkeyName, passkeyRecord } from './passkey.ts'
import { getRelyingParty } from './relying-party.ts'
import { describeClient } from './session-client.ts'

export const addPasskey = operation({
  name: 'add-passkey',
  for: { person: 'POST /api/auth/passkeys' },
  summary: 'Add the passkey that a device has made of the answer of begin-passkey, within five minutes and once.',
  effect: 'write',
  changes: ['account'],
  input: z.object({
    name: passkeyName.optional().describe('What you call it, 1 to 100 characters. Default: your browser and system.'),
    credentialId: base64url(1400).describe('`id` of what the browser returned.'),
    clientDataJSON: base64url(4000).describe('`response.clientDataJSON` of it.'),
    attestationObject: base64url(20_000).describe('`response.attestationObject` of it.'),
    transports: z
      .array(z.string().min(1).max(30))
      .max(10)
      .default([])
      .describe('`response.transports` of it: how the device is reached.'),
  }),
  output: z.looseObject({ passkey: passkeyRecord }),
  returns: ({ passkey }) => refs('passkey', passkey.id),
  examples: {
    input: {
      name: 'Laptop',
      credentialId: 'q2ZkXw',
      clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
      attestationObject: 'o2NmbXRkbm9uZQ',
      transports: ['internal'],
    },
    output: { passkey: { ...examplePasskey, name: 'Laptop', lastUsedAt: null } },
  },
  created: () => true,
  async run({ name, ...given }, ctx) {
    const party = getRelyingParty(ctx)
    const challenge = findAddingChallenge(ctx, party, given.clientDataJSON)
    if (challenge === undefined) throw answersNothing()
    const made = await verifyNewPasskey(given, { party, challenge: challenge.text })
    if (made === undefined)
      throw invalid({ attestationObject: 'is no passkey that was made here just now; begin anew' })
    const { credential, counter } = made
    const { userId, mekVersion } = ctx.actor
    const at = ctx.now()
    const passkey = { id: newId(), name: name ?? describeClient(ctx.request).browser, credential, counter }
    await ctx.db.write(async (tx) => {
      if (!(await takeChallenge(tx, challenge, { userId, at }))) throw answersNothing()
      const keys = await ensurePrivateScope(tx, ctx.keyring, { userId, mek: ctx.mek, mekVersion }, at)
      if (!(await insertPasskey(tx, ctx.instance, keys, { ...passkey, userId, at })))
        throw invalid({ credentialId: 'was added before' })
    })
    return { passkey: describePasskey({ ...passkey, createdAt: at, lastUsedAt: undefined }) }
  },
})

const answersNothing = () => invalid({ clientDataJSON: 'answers nothing that waits for an answer; begin anew' })
