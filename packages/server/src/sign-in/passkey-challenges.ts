import { isIP } from 'node:net'
import { forbidden } from '../core/errors.ts'
import { sha256 } from '../crypto/hash.ts'
import { tagKeys } from '../crypto/keys.ts'
import { challengeEnd, newChallenge } from '../crypto/passkey-challenge.ts'
import { challengeIn, type RelyingParty } from '../crypto/passkey.ts'
import type { Tx } from '../db/dialect.ts'
import type { PersonContext, PublicContext } from '../operation/context.ts'
import { spendChallenge } from './passkey-store.ts'

type PartyContext = Pick<PublicContext, 'publicUrl' | 'request'>

/**
 * The host name and origin that passkeys are bound to. Browsers accept passkeys over TLS and on the local machine, for a host
 * name and never for an IP address. Except on the local machine, the operator sets the name, because senders can forge the
 * Host header. Returns undefined if passkeys can't work.
 */
export function findRelyingParty({ publicUrl, request: { host } }: PartyContext): RelyingParty | undefined {
  const url = URL.parse(publicUrl ?? `http://${host ?? ''}`)
  if (url === null) return undefined
  const { protocol, hostname, port } = url
  // The loopback address also has a name that serves the same pages.
  const name = /^(127(\.\d+){3}|\[::1\])$/.test(hostname) ? 'localhost' : hostname
  const isLocal = name === 'localhost' || name.endsWith('.localhost')
  const isAddress = isIP(name.replaceAll(/^\[|\]$/g, '')) > 0
  if (isAddress || !(isLocal || (publicUrl !== undefined && protocol === 'https:'))) return undefined
  return { id: name, origin: `${protocol}//${name}${port === '' ? '' : `:${port}`}` }
}

export function getRelyingParty(ctx: PartyContext): RelyingParty {
  const party = findRelyingParty(ctx)
  if (party === undefined)
    throw forbidden('Passkeys need a host name and TLS. Set HOLDFAST_PUBLIC_URL to the https address of this server.')
  return party
}

/** How long people have to answer on their device. */
export const challengeMs = 5 * 60_000

type Making = Pick<PublicContext, 'instance' | 'now'>
type Adding = Making & Pick<PersonContext, 'actor'>

/** A challenge of ours that has not expired. */
interface Challenge {
  text: string
  expiresAt: number
}

export const newSignInChallenge = (ctx: Making, party: RelyingParty): string => issue(ctx, signIn(party))

/** Valid only for the session that gave password and code. */
export const newAddingChallenge = (ctx: Adding, party: RelyingParty): string => issue(ctx, adding(ctx, party))

const issue = ({ instance, now }: Making, purpose: string) =>
  newChallenge(tagKeys(instance.keys).exact, purpose, now() + challengeMs)

/** The challenge that a browser's answer refers to; undefined if it is unknown or has expired. */
export const findSignInChallenge = (ctx: Making, party: RelyingParty, clientDataJSON: string): Challenge | undefined =>
  find(ctx, signIn(party), clientDataJSON)

/** The same when adding a passkey. */
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

/** Uses up a challenge. Returns false if it was answered before. If two answers arrive at once, one wins. */
export const takeChallenge = (
  tx: Tx,
  { text, expiresAt }: Challenge,
  { userId, at }: { userId: string; at: number },
): Promise<boolean> => spendChallenge(tx, userId, { challengeHash: sha256(text), expiresAt, now: at })
