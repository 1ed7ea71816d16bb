import { z } from 'zod'
import { findPrivateScope } from '../auth/private-scope-store.ts'
import { forbidden } from '../core/errors.ts'
import { matchTotpStep } from '../crypto/totp.ts'
import type { Tx } from '../db/dialect.ts'
import type { PersonContext } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'
import { endSessions } from './credential-store.ts'
import { emailTag } from './email.ts'
import { confirmFactor, findFactor, findSecret } from './factor-store.ts'
import { judgeGuess, type Verdict } from './judge-guess.ts'
import { code, makeRecoveryCodes, plainCode, setUpMs, wrongCode } from './second-factor.ts'
import { getUser } from './store.ts'

type Confirmed = { recoveryCodes: string[]; endedSessions: number }

export const confirmTotp = operation({
  name: 'confirm-totp',
  for: { person: 'POST /api/auth/totp/confirm' },
  summary:
    'Switch the second factor on, by a code that shows that the app has the secret. It ends all your other sessions, and answers with recovery codes.',
  effect: 'write',
  changes: ['account'],
  input: z.object({ code: code.describe('What the authenticator app shows now.') }),
  output: z.looseObject({
    recoveryCodes: z.array(z.string()).describe('Ten; each lets you in once without the app. Shown once.'),
    endedSessions: z.int(),
  }),
  examples: {
    input: { code: '492039' },
    output: { recoveryCodes: ['3M8V-K2QX-9TDH-6WBN-0RFZ-C5JA'], endedSessions: 1 },
  },
  async run({ code: typed }, ctx) {
    const { email } = await getUser(ctx.db.read, ctx.instance, ctx.actor.userId)
    // Who found a page open, at this very step, is not to guess their way through either.
    return judgeGuess(ctx, emailTag(ctx.instance, email), () => ctx.db.write((tx) => confirm(tx, ctx, typed)))
  },
})

async function confirm(
  tx: Tx,
  { actor: { userId, credentialId }, mek, keyring, now }: PersonContext,
  typed: string,
): Promise<Verdict<Confirmed>> {
  const at = now()
  const factor = await findFactor(tx, userId)
  const keys = await findPrivateScope(tx, keyring, { userId, mek })
  const secret = keys && (await findSecret(tx, keys, userId))
  const isOpen = factor?.confirmedAt === undefined && factor !== undefined && at - factor.createdAt < setUpMs
  if (secret === undefined || !isOpen)
    return { unfinished: forbidden('Nothing waits to be confirmed. Begin the second factor anew.') }
  const step = matchTotpStep(secret, plainCode(typed), at)
  if (step === undefined) return { wrong: wrongCode('code') }
  if (!(await confirmFactor(tx, userId, { step, at }))) return { unfinished: forbidden('It was confirmed just now.') }
  const recoveryCodes = await makeRecoveryCodes(tx, userId, at)
  return { right: { recoveryCodes, endedSessions: await endSessions(tx, userId, credentialId) } }
}
