import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { challengeMs, newSignInChallenge } from './passkey-challenges.ts'
import { passkeyOrigin } from './passkey.ts'
import { findRelyingParty } from './relying-party.ts'

export const passkeyChallenge = operation({
  name: 'passkey-challenge',
  for: { anyone: 'GET /api/auth/passkeys/challenge' },
  summary: 'What `navigator.credentials.get` takes to sign somebody in, good for five minutes. It names no account.',
  effect: 'read',
  input: z.object({}),
  output: z.looseObject({
    origin: passkeyOrigin,
    options: z
      .looseObject({
        challenge: z.string(),
        rpId: z.string(),
        timeout: z.int(),
        userVerification: z.literal('required'),
      })
      .nullable()
      .describe('A `PublicKeyCredentialRequestOptionsJSON` of the WebAuthn standard; null where passkeys cannot work.'),
  }),
  examples: {
    input: {},
    output: {
      origin: 'https://memory.example.org',
      options: { challenge: 'AZ2x…', rpId: 'memory.example.org', timeout: 300_000, userVerification: 'required' },
    },
  },
  async run(_input, ctx) {
    const party = findRelyingParty(ctx)
    if (party === undefined) return { origin: null, options: null }
    const challenge = newSignInChallenge(ctx, party)
    const options = { challenge, rpId: party.id, timeout: challengeMs, userVerification: 'required' as const }
    return { origin: party.origin, options }
  },
})
