import { z } from 'zod'
import { ensurePrivateScope } from '../auth/private-scope-store.ts'
import { conflict, forbidden } from '../core/errors.ts'
import { newTotpSecret, totpUri } from '../crypto/totp.ts'
import { operation } from '../operation/operation.ts'
import { confirmPassword, ownPassword } from './confirm-password.ts'
import { insertFactor } from './factor-store.ts'
import { setUpMs } from './second-factor.ts'

/** Later than any clock says: another server's may be ahead of this one's. */
const everMs = Number.MAX_SAFE_INTEGER

export const setUpTotp = operation({
  name: 'set-up-totp',
  for: { person: 'POST /api/auth/totp' },
  summary: 'Begin a second factor: makes the secret for an authenticator app. Nothing asks for it before confirm-totp.',
  effect: 'write',
  changes: ['account'],
  input: z.object({
    password: ownPassword,
    anew: z
      .boolean()
      .default(false)
      .describe(
        'Also where one was begun in the last 15 minutes and waits for its code, which is a 409 otherwise: its secret counts no longer then.',
      ),
  }),
  output: z.looseObject({
    secret: z.string().describe('For typing into an app, in base32; shown once.'),
    uri: z.string().describe('The same as an `otpauth:` address, for the picture that apps read.'),
  }),
  examples: {
    input: { password: 'a long and private sentence' },
    output: {
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      uri: 'otpauth://totp/Holdfast:ada%40example.org?issuer=Holdfast&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
    },
  },
  created: () => true,
  async run({ password, anew }, ctx) {
    const { email } = await confirmPassword(ctx, password)
    const { userId, mekVersion } = ctx.actor
    const at = ctx.now()
    const secret = newTotpSecret()
    const there = await ctx.db.write(async (tx) => {
      const keys = await ensurePrivateScope(tx, ctx.keyring, { userId, mek: ctx.mek, mekVersion }, at)
      return insertFactor(tx, keys, { userId, secret, at, openSince: anew ? everMs : at - setUpMs })
    })
    if (there?.confirmedAt !== undefined)
      throw forbidden('There is a second factor already. Remove it before you set up another.')
    // Two windows would show two secrets, and an app that has scanned the wrong one only wrong codes.
    if (there !== undefined)
      throw conflict(
        'A second factor was begun just now, maybe in another window. Finish it there, or begin `anew`: the secret that was shown there counts no longer then.',
      )
    return { secret, uri: totpUri(secret, email) }
  },
})
