import { z } from 'zod'
import { ensurePrivateScope } from '../auth/private-scope-store.ts'
import { forbidden } from '../core/errors.ts'
import { newTotpSecret, totpUri } from '../crypto/totp.ts'
import { dashboardOperation } from '../operation/operation.ts'
import { confirmPassword, ownPassword } from './confirm-password.ts'
import { insertFactor } from './factor-store.ts'

export const setUpTotp = dashboardOperation({
  name: 'set-up-totp',
  method: 'POST',
  path: '/api/auth/totp',
  summary: 'Begin a second factor: makes the secret for an authenticator app. Nothing asks for it before confirm-totp.',
  effect: 'write',
  input: z.object({ password: ownPassword }),
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
  async run({ password }, ctx) {
    const { email } = await confirmPassword(ctx, password)
    const { userId, mekVersion } = ctx.actor
    const at = ctx.now()
    const secret = newTotpSecret()
    const isSaved = await ctx.db.write(async (tx) => {
      const keys = await ensurePrivateScope(tx, ctx.keyring, { userId, mek: ctx.mek, mekVersion }, at)
      return insertFactor(tx, keys, { userId, secret, at })
    })
    if (!isSaved) throw forbidden('There is a second factor already. Remove it before you set up another.')
    return { secret, uri: totpUri(secret, email) }
  },
})
