import { z } from 'zod'
import { findPrivateScope } from '../auth/private-scope-store.ts'
import { forbidden } from '../core/errors.ts'
import { passkeyAlgorithms } from '../crypto/passkey.ts'
import { operation } from '../operation/operation.ts'
import { ownPassword } from './confirm-password.ts'
import { challengeMs, newAddingChallenge } from './passkey-challenges.ts'
import { listCredentials } from './passkey-store.ts'
import { mostPasskeys, userHandle } from './passkey.ts'
import { proveAll } from './prove-factor.ts'
import { getRelyingParty } from './relying-party.ts'
import { code } from './second-factor.ts'

export const beginPasskey = operation({
  name: 'begin-passkey',
  for: { person: 'POST /api/auth/passkeys/begin' },
  summary: 'Begin a passkey: answers with what `navigator.credentials.create` takes, good for five minutes.',
  effect: 'write',
  changes: ['account'],
  input: z.object({
    password: ownPassword,
    code: code
      .optional()
      .describe(
        'What the authenticator app shows now, or a recovery code: needed where you have a second factor, since a passkey stands for both.',
      ),
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
  async run({ password, code: typed }, ctx) {
    const party = getRelyingParty(ctx)
    const { userId, email } = await proveAll(ctx, { password, code: typed })
    const keys = await findPrivateScope(ctx.db.read, ctx.keyring, { userId, mek: ctx.mek })
    const known = keys === undefined ? [] : await listCredentials(ctx.db.read, keys, userId)
    if (known.length >= mostPasskeys) throw forbidden(`There are ${mostPasskeys} passkeys already. Remove one first.`)
    const type = 'public-key' as const
    return {
      options: {
        rp: { id: party.id, name: 'Holdfast' },
        user: { id: userHandle(userId), name: email, displayName: email },
        challenge: newAddingChallenge(ctx, party),
        pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type, alg })),
        timeout: challengeMs,
        excludeCredentials: known.map(({ id, transports }) => ({ type, id, transports })),
        // Found by the device itself, so that the log-in asks for no name; and it recognises who is there.
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
      },
    } as const
  },
})
