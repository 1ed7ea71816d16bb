import { z } from 'zod'
import { sessionIdleMs } from '../auth/authenticate.ts'
import { findPrivateScope } from '../auth/private-scope-store.ts'
import { findUserActor } from '../auth/store.ts'
import { wrongPasskey } from '../core/errors.ts'
import { verifyPasskey, type PasskeyAnswer, type RelyingParty } from '../crypto/passkey.ts'
import type { PublicContext } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { deleteExpiredSessions, issueSession, sessionLifetimeMs } from './credential-store.ts'
import { judgeGuess, type Verdict } from './judge-guess.ts'
import { findSignInChallenge, takeChallenge } from './passkey-challenges.ts'
import { credentialTag, findPasskey, noteUse, openCredential, type FoundPasskey } from './passkey-store.ts'
import { base64url, userHandle } from './passkey.ts'
import { getRelyingParty } from './relying-party.ts'
import { describeClient } from './session-client.ts'
import { getUser } from './store.ts'
import { describeUser, exampleUser, userRecord } from './user.ts'

export const passkeyLogin = operation({
  name: 'passkey-login',
  for: { anyone: 'POST /api/auth/passkeys/login' },
  summary:
    'Sign in with a passkey, which stands for password and second factor; sets the session cookie as login does.',
  effect: 'write',
  changes: ['account'],
  input: z.object({
    credentialId: base64url(1400).describe('`id` of what the browser returned.'),
    clientDataJSON: base64url(4000).describe('`response.clientDataJSON` of it.'),
    authenticatorData: base64url(4000).describe('`response.authenticatorData` of it.'),
    signature: base64url(4000).describe('`response.signature` of it.'),
    userHandle: base64url(100).describe('`response.userHandle` of it.'),
  }),
  output: z.looseObject({ user: userRecord }),
  returns: ({ user }) => refs('user', user.userId),
  examples: {
    input: {
      credentialId: 'q2ZkXw',
      clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
      authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
      signature: 'MEUCIQ',
      userHandle: 'AZjF8AAAcACAAAAAAAAAEA',
    },
    output: { user: exampleUser },
  },
  async run({ userHandle: handle, ...answer }, ctx) {
    const { instance, db, sessionCookie } = ctx
    const party = getRelyingParty(ctx)
    const { userId, secret } = await judgeGuess(ctx, credentialTag(instance, answer.credentialId), async () => {
      const passkey = await findPasskey(db.read, instance, answer.credentialId)
      return passkey === undefined || handle !== userHandle(passkey.userId)
        ? { wrong: wrongPasskey() }
        : judge(ctx, party, passkey, answer)
    })
    sessionCookie.set(secret, sessionLifetimeMs / 1000)
    return { user: describeUser(await getUser(db.read, instance, userId)) }
  },
})

type Entered = { userId: string; secret: string }

async function judge(
  ctx: PublicContext,
  party: RelyingParty,
  passkey: FoundPasskey,
  answer: PasskeyAnswer,
): Promise<Verdict<Entered>> {
  const { userId } = passkey
  const secret = await enter(ctx, party, passkey, answer)
  if (secret !== undefined) return { proven: { userId, secret } }
  ctx.callLog.noteSignIn(userId, ctx.request, 401)
  return { wrong: wrongPasskey() }
}

/** A session; undefined where the passkey has not proven what it should. */
async function enter(
  ctx: PublicContext,
  party: RelyingParty,
  passkey: FoundPasskey,
  answer: PasskeyAnswer,
): Promise<string | undefined> {
  const { db, keyring } = ctx
  const { userId, counter } = passkey
  const at = ctx.now()
  const challenge = findSignInChallenge(ctx, party, answer.clientDataJSON)
  if (challenge === undefined) return undefined
  const actor = await findUserActor(db.read, userId)
  if (actor === undefined) return undefined
  const keys = await findPrivateScope(db.read, keyring, { userId, mek: keyring.mek(actor) })
  if (keys === undefined) return undefined
  const credential = openCredential(keys, passkey)
  const counted = await verifyPasskey(answer, { party, challenge: challenge.text }, { credential, counter })
  if (counted === undefined) return undefined
  return db.write(async (tx) => {
    if (!(await takeChallenge(tx, challenge, { userId, at }))) return undefined
    // Removed, or used at this very moment with the same count.
    if (!(await noteUse(tx, passkey, { counter: counted, at }))) return undefined
    await deleteExpiredSessions(tx, userId, at, sessionIdleMs)
    return issueSession(tx, keys, { userId, client: describeClient(ctx.request), at })
  })
}
