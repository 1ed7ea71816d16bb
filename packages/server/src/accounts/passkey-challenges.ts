import { sha256 } from '../crypto/hash.ts'
import { tagKeys } from '../crypto/keys.ts'
import { challengeEnd, newChallenge } from '../crypto/passkey-challenge.ts'
import { challengeIn, type RelyingParty } from '../crypto/passkey.ts'
import type { Tx } from '../db/dialect.ts'
import type { PersonContext, PublicContext } from '../operation/context.ts'
import { spendChallenge } from './passkey-store.ts'

/** How long somebody may take with their device. */
export const challengeMs = 5 * 60_000

type Making = Pick<PublicContext, 'instance' | 'now'>
type Adding = Making & Pick<PersonContext, 'actor'>

/** One of ours that still counts. */
interface Challenge {
  text: string
  expiresAt: number
}

export const newSignInChallenge = (ctx: Making, party: RelyingParty): string => issue(ctx, signIn(party))

/** For whoever has shown password and code; it holds for the session in which they did. */
export const newAddingChallenge = (ctx: Adding, party: RelyingParty): string => issue(ctx, adding(ctx, party))

const issue = ({ instance, now }: Making, purpose: string) =>
  newChallenge(tagKeys(instance.keys).exact, purpose, now() + challengeMs)

/** What an answer of a browser says that it answers; undefined where that is nothing that waits for an answer here. */
export const findSignInChallenge = (ctx: Making, party: RelyingParty, clientDataJSON: string): Challenge | undefined =>
  find(ctx, signIn(party), clientDataJSON)

/** The same for a passkey that is added. */
export const findAddingChallenge = (ctx: Adding, party: RelyingParty, clientDataJSON: string): Challenge | undefined =>
  find(ctx, adding(ctx, party), clientDataJSON)

function find({ instance, now }: Making, purpose: string, clientDataJSON: string): Challenge | undefined {
  const text = challengeIn(clientDataJSON)
  const expiresAt = text === undefined ? undefined : challengeEnd(tagKeys(instance.keys).exact, purpose, text, now())
  return text === undefined || expiresAt === undefined ? undefined : { text, expiresAt }
}

const signIn = ({ origin }: RelyingParty) => JSON.stringify(['sign-in', origin])

const adding = ({ actor: { userId, credentialId = '' } }: Adding, { origin }: RelyingParty) =>
  JSON.stringify(['add', origin, userId, credentialId])

/** From now on it counts no longer. False where it was answered before: of two answers to one, one wins. */
export const takeChallenge = (
  tx: Tx,
  { text, expiresAt }: Challenge,
  { userId, at }: { userId: string; at: number },
): Promise<boolean> => spendChallenge(tx, userId, { challengeHash: sha256(text), expiresAt, now: at })
