import { z } from 'zod'
import { describeClient } from '../accounts/session-client.ts'
import { ensurePrivateScope, findPrivateScope } from '../auth/private-scope-store.ts'
import { refs } from '../calls/records.ts'
import { forbidden, invalid } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { passkeyAlgorithms, verifyNewPasskey } from '../crypto/passkey.ts'
import { operation } from '../operation/operation.ts'
import {
  challengeMs,
  findAddingChallenge,
  getRelyingParty,
  newAddingChallenge,
  takeChallenge,
} from './passkey-challenges.ts'
import { insertPasskey, listCredentials } from './passkey-store.ts'
import {
  base64url,
  describePasskey,
  examplePasskey,
  maxPasskeys,
  passkeyName,
  passkeyRecord,
  userHandle,
} from './passkeys.ts'
import { ownCode, ownPassword, proveAll } from './prove-identity.ts'

export const beginPasskey = operation({
  name: 'begin-passkey',
  for: { person: 'POST /api/auth/passkeys/begin' },
  summary:
    'Start adding a passkey: get the options for `navigator.credentials.create`. They are valid for five minutes.',
  effect: 'write',
  changes: ['account'],
  input: z.object({
    password: ownPassword,
    code: ownCode,
  }),
  output: z.looseObject({
    options: z
      .looseObject({
        rp: z.looseObject({ id: z.string(), name: z.string() }),
        user: z.looseObject({ id: z.string(), name: z.string(), displayName: z.string() }),
        challenge: z.string(),
        pubKeyCredParams: z.array(z.looseObject({ type: z.literal('public-key'), alg: z.int() })),
        timeout: z.int(),
        excludeCredentials: z.array(
          z.looseObject({ type: z.literal('public-key'), id: z.string(), transports: z.array(z.string()) }),
        ),
        authenticatorSelection: z.looseObject({
          residentKey: z.literal('required'),
          requireResidentKey: z.literal(true),
          userVerification: z.literal('required'),
        }),
        attestation: z.literal('none'),
      })
      .describe('A `PublicKeyCredentialCreationOptionsJSON` of the WebAuthn standard.'),
  }),
  examples: {
    input: { password: 'a long and private sentence' },
    output: {
      options: {
        rp: { id: 'memory.example.org', name: 'Holdfast' },
        user: { id: 'AZjF8AAAcACAAAAAAAAAEA', name: 'ada@example.org', displayName: 'ada@example.org' },
        challenge: 'AZ2x…',
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        timeout: 300_000,
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
      },
    },
  },
  async run({ password, code }, ctx) {
    const party = getRelyingParty(ctx)
    const { userId, email } = await proveAll(ctx, { password, code })
    const keys = await findPrivateScope(ctx.db.read, ctx.keyring, { userId, mek: ctx.mek })
    const known = keys === undefined ? [] : await listCredentials(ctx.db.read, keys, userId)
    if (known.length >= maxPasskeys) throw forbidden(`You already have ${maxPasskeys} passkeys. Remove one first.`)
    const type = 'public-key' as const
    return {
      options: {
        rp: { id: party.id, name: 'Holdfast' },
        user: { id: userHandle(userId), name: email, displayName: email },
        challenge: newAddingChallenge(ctx, party),
        pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type, alg })),
        timeout: challengeMs,
        excludeCredentials: known.map(({ id, transports }) => ({ type, id, transports })),
        // The device finds the passkey itself, so signing in asks for no name, and it verifies who is using it.
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
      },
    } as const
  },
})

export const createPasskey = operation({
  name: 'create-passkey',
  for: { person: 'POST /api/auth/passkeys' },
  summary: 'Add the passkey that a device created from the options of begin-passkey, within five minutes. Works once.',
  effect: 'write',
  changes: ['account'],
  input: z.object({
    name: passkeyName
      .optional()
      .describe('Name of the passkey, 1 to 100 characters. Default: your browser and system.'),
    credentialId: base64url(1400).describe('`id` of the credential that the browser returned.'),
    clientDataJSON: base64url(4000).describe('Its `response.clientDataJSON`.'),
    attestationObject: base64url(20_000).describe('Its `response.attestationObject`.'),
    transports: z
      .array(z.string().min(1).max(30))
      .max(10)
      .default([])
      .describe('Its `response.transports`: how the browser reaches the device.'),
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
    if (challenge === undefined) throw unknownChallenge()
    const made = await verifyNewPasskey(given, { party, challenge: challenge.text })
    if (made === undefined)
      throw invalid({ attestationObject: 'not a passkey that was just created here; start again with begin-passkey' })
    const { credential, counter } = made
    const { userId } = ctx.actor
    const at = ctx.now()
    const passkey = { id: newId(), name: name ?? describeClient(ctx.request).browser, credential, counter }
    await ctx.db.write(async (tx) => {
      const keys = await ensurePrivateScope(tx, ctx.keyring, { userId, mek: ctx.mek }, at)
      if (!(await takeChallenge(tx, challenge, { userId, at }))) throw unknownChallenge()
      if (!(await insertPasskey(tx, ctx.instance, keys, { ...passkey, userId, at })))
        throw invalid({ credentialId: 'already added' })
      ctx.about('passkey', passkey.id)
    })
    return { passkey: describePasskey({ ...passkey, createdAt: at, lastUsedAt: undefined }) }
  },
})

const unknownChallenge = () => invalid({ clientDataJSON: 'matches no pending request; start again with begin-passkey' })
