import { z } from 'zod'
import { endSessions } from '../accounts/credential-store.ts'
import { getUser } from '../accounts/store.ts'
import { emailTag } from '../auth/person-store.ts'
import { ensurePrivateScope, findPrivateScope } from '../auth/private-scope-store.ts'
import { conflict, forbidden } from '../core/errors.ts'
import { matchTotpStep, newTotpSecret, totpUri } from '../crypto/totp.ts'
import type { Tx } from '../db/dialect.ts'
import type { PersonContext } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'
import { confirmFactor, findFactor, findSecret, insertFactor } from './factor-store.ts'
import { confirmPassword, judgeGuess, ownPassword, type Verdict } from './prove-identity.ts'
import { code, makeRecoveryCodes, plainCode, setUpMs, wrongCode } from './second-factor.ts'

/** Later than any clock, because another server's clock may be ahead. */
const everMs = Number.MAX_SAFE_INTEGER

export const setUpTotp = operation({
  name: 'set-up-totp',
  for: { person: 'POST /api/auth/totp' },
  summary:
    "Start setting up a second factor: create the secret for an authenticator app. Signing in doesn't require a code until confirm-totp.",
  effect: 'write',
  changes: ['account'],
  errors: ['conflict'],
  input: z.object({
    password: ownPassword,
    startOver: z
      .boolean()
      .default(false)
      .describe(
        'Replace a setup that was started in the last 15 minutes and not confirmed. Without this, the answer is a 409. The earlier secret stops working.',
      ),
  }),
  output: z.looseObject({
    secret: z.string().describe('In base32, to type into an app. Shown once.'),
    uri: z.string().describe('The same as an `otpauth:` URI, for a QR code.'),
  }),
  examples: {
    input: { password: 'a long and private sentence' },
    output: {
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      uri: 'otpauth://totp/Holdfast:ada%40example.org?issuer=Holdfast&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
    },
  },
  created: () => true,
  async run({ password, startOver }, ctx) {
    const { email } = await confirmPassword(ctx, password)
    const { userId } = ctx.actor
    const at = ctx.now()
    const secret = newTotpSecret()
    const there = await ctx.db.write(async (tx) => {
      const keys = await ensurePrivateScope(tx, ctx.keyring, { userId, mek: ctx.mek }, at)
      return insertFactor(tx, keys, { userId, secret, at, openSince: startOver ? everMs : at - setUpMs })
    })
    if (there?.confirmedAt !== undefined)
      throw forbidden('The account already has a second factor. Remove it before you set up another.')
    // Two browser windows would show two secrets, and an app that scanned the wrong one would only show wrong codes.
    if (there !== undefined)
      throw conflict(
        'A second factor is already being set up, maybe in another window. Finish it there, or send `startOver: true`, which invalidates the secret that was shown there.',
      )
    return { secret, uri: totpUri(secret, email) }
  },
})

type Confirmed = { recoveryCodes: string[]; endedSessions: number }

export const confirmTotp = operation({
  name: 'confirm-totp',
  for: { person: 'POST /api/auth/totp/confirm' },
  summary:
    'Turn on the second factor with a code from the app. This ends all your other sessions and returns recovery codes.',
  effect: 'write',
  changes: ['account'],
  input: z.object({ code: code.describe('The code that the authenticator app shows now.') }),
  output: z.looseObject({
    recoveryCodes: z.array(z.string()).describe('Ten codes. Each signs you in once without the app. Shown once.'),
    endedSessions: z.int(),
  }),
  examples: {
    input: { code: '492039' },
    output: { recoveryCodes: ['3M8V-K2QX-9TDH-6WBN-0RFZ-C5JA-7EGP'], endedSessions: 1 },
  },
  async run({ code: typed }, ctx) {
    const { email } = await getUser(ctx.db.read, ctx.instance, ctx.actor.userId)
    // Guesses are throttled here too, in case someone else uses an open page at this step.
    return judgeGuess(ctx, { account: emailTag(ctx.instance, email) }, () =>
      ctx.db.write((tx) => confirm(tx, ctx, typed)),
    )
  },
})

async function confirm(
  tx: Tx,
  { actor: { userId, credentialId }, mek, keyring, now }: Pick<PersonContext, 'actor' | 'mek' | 'keyring' | 'now'>,
  typed: string,
): Promise<Verdict<Confirmed>> {
  const at = now()
  const factor = await findFactor(tx, userId)
  const keys = await findPrivateScope(tx, keyring, { userId, mek })
  const secret = keys && (await findSecret(tx, keys, userId))
  const isOpen = factor?.confirmedAt === undefined && factor !== undefined && at - factor.createdAt < setUpMs
  if (secret === undefined || !isOpen)
    return { unfinished: forbidden('There is no second factor to confirm. Begin setting it up again.') }
  const step = matchTotpStep(secret, plainCode(typed), at)
  if (step === undefined) return { wrong: wrongCode('code') }
  if (!(await confirmFactor(tx, userId, { step, at })))
    return { unfinished: forbidden('The second factor was already confirmed.') }
  const recoveryCodes = await makeRecoveryCodes(tx, userId, at)
  return { right: { recoveryCodes, endedSessions: await endSessions(tx, userId, credentialId) } }
}
