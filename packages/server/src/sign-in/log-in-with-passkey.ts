import { z } from 'zod'
import { deleteExpired, issueSession, type SessionSecrets, sessionLifetimeMs } from '../accounts/credential-store.ts'
import { describeClient } from '../accounts/session-client.ts'
import { getUser, type User } from '../accounts/store.ts'
import { describeUser, exampleUser, userRecord } from '../accounts/user.ts'
import { sessionIdleMs } from '../auth/authenticate.ts'
import { ensurePrivateScope, findPrivateScope } from '../auth/private-scope-store.ts'
import { findCallingUser, lockUser } from '../auth/store.ts'
import { refs } from '../calls/records.ts'
import { wrongPasskey } from '../core/errors.ts'
import { type PasskeyAnswer, type RelyingParty, verifyPasskey } from '../crypto/passkey.ts'
import type { PublicContext } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'
import { sessionKey } from './log-in.ts'
import {
  challengeMs,
  findRelyingParty,
  findSignInChallenge,
  getRelyingParty,
  newSignInChallenge,
  takeChallenge,
} from './passkey-challenges.ts'
import { credentialTag, findPasskey, type FoundPasskey, recordUse, openCredential } from './passkey-store.ts'
import { base64url, passkeyOrigin, userHandle } from './passkeys.ts'
import { judgeGuess, type Verdict } from './prove-identity.ts'

export const getPasskeyChallenge = operation({
  name: 'get-passkey-challenge',
  for: { anyone: 'GET /api/auth/passkeys/challenge' },
  summary:
    'Get the options for `navigator.credentials.get` to sign in. They are valid for five minutes and name no account.',
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
      .describe("A `PublicKeyCredentialRequestOptionsJSON` of the WebAuthn standard; null if passkeys can't work."),
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

export const logInWithPasskey = operation({
  name: 'log-in-with-passkey',
  for: { anyone: 'POST /api/auth/passkeys/login' },
  summary:
    'Sign in with a passkey, which replaces password and second factor. Sets the cookie and returns the session key as log-in does.',
  effect: 'write',
  changes: ['account'],
  input: z.object({
    credentialId: base64url(1400).describe('`id` of the credential that the browser returned.'),
    clientDataJSON: base64url(4000).describe('Its `response.clientDataJSON`.'),
    authenticatorData: base64url(4000).describe('Its `response.authenticatorData`.'),
    signature: base64url(4000).describe('Its `response.signature`.'),
    userHandle: base64url(100).describe('Its `response.userHandle`.'),
  }),
  output: z.looseObject({ user: userRecord, sessionKey }),
  returns: ({ user }) => refs('user', user.userId),
  examples: {
    input: {
      credentialId: 'q2ZkXw',
      clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
      authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
      signature: 'MEUCIQ',
      userHandle: 'AZjF8AAAcACAAAAAAAAAEA',
    },
    output: { user: exampleUser, sessionKey: 'hfk_…' },
  },
  async run({ userHandle: handle, ...answer }, ctx) {
    const { instance, db, sessionCookie } = ctx
    const party = getRelyingParty(ctx)
    const guess = { account: credentialTag(instance, answer.credentialId), method: 'passkey' } as const
    const { user, secrets } = await judgeGuess(ctx, guess, async () => {
      const passkey = await findPasskey(db.read, instance, answer.credentialId)
      return passkey === undefined || handle !== userHandle(passkey.userId)
        ? { wrong: wrongPasskey() }
        : judge(ctx, party, passkey, answer)
    })
    sessionCookie.set(secrets.cookie, sessionLifetimeMs / 1000)
    return { user: describeUser(user), sessionKey: secrets.sessionKey }
  },
})

type Entered = { user: User; secrets: SessionSecrets }

type Context = Pick<PublicContext, 'db' | 'instance' | 'keyring' | 'now' | 'request'>

async function judge(
  ctx: Context & Pick<PublicContext, 'callLog'>,
  party: RelyingParty,
  passkey: FoundPasskey,
  answer: PasskeyAnswer,
): Promise<Verdict<Entered>> {
  const { userId } = passkey
  const entered = await enter(ctx, party, passkey, answer)
  if (entered !== undefined) return { proven: entered }
  ctx.callLog.recordSignIn(userId, ctx.request, 401)
  return { wrong: wrongPasskey() }
}

/** Starts a session; returns undefined if the passkey's answer isn't valid. */
async function enter(
  ctx: Context,
  party: RelyingParty,
  passkey: FoundPasskey,
  answer: PasskeyAnswer,
): Promise<Entered | undefined> {
  const { db, instance, keyring } = ctx
  const { userId, counter } = passkey
  const at = ctx.now()
  const challenge = findSignInChallenge(ctx, party, answer.clientDataJSON)
  if (challenge === undefined) return undefined
  const actor = await findCallingUser(db.read, userId)
  if (actor === undefined) return undefined
  const owner = { userId, mek: keyring.mek(actor) }
  const known = await findPrivateScope(db.read, keyring, owner)
  if (known === undefined) return undefined
  const credential = openCredential(known, passkey)
  const counted = await verifyPasskey(answer, { party, challenge: challenge.text }, { credential, counter })
  if (counted === undefined) return undefined
  return db.write(async (tx) => {
    // Deleted in the meantime.
    if (!(await lockUser(tx, userId))) return undefined
    const keys = await ensurePrivateScope(tx, keyring, owner, at)
    if (!(await takeChallenge(tx, challenge, { userId, at }))) return undefined
    // Removed in the meantime, or used at the same moment with the same counter.
    if (!(await recordUse(tx, passkey, { counter: counted, at }))) return undefined
    await deleteExpired(tx, userId, at, sessionIdleMs)
    const secrets = await issueSession(tx, keys, { userId, client: describeClient(ctx.request), at })
    return { user: await getUser(tx, instance, userId), secrets }
  })
}
