import { dayMs } from '../../core/time.ts'
import { equalBytes, hashSecret, isWellFormedSecret, newSecret } from '../../crypto/secrets.ts'
import type { Tx } from '../../db/dialect.ts'
import type { Services } from '../../operation/context.ts'
import { revokeAgentKey } from '../key-store.ts'
import {
  findByAccessHash,
  findGrant,
  replaceRefreshHash,
  replaceSecret,
  startFamily,
  useCode,
  type Grant,
} from './grant-store.ts'

/**
 * Codes, access tokens and refresh tokens of connections. An access token is the secret of the connection's agent key for an hour. A
 * refresh token has two parts: the first stays the same and finds the connection, the second works once. So a token that comes a second
 * time is recognized however old it is; then either the program or a thief has it, and the connection ends.
 */

export const accessTokenMs = 3_600_000
const refreshTokenMs = 90 * dayMs

export interface Tokens {
  accessToken: string
  refreshToken: string
}

type Deps = Pick<Services, 'db' | 'instance' | 'now' | 'log'>

/** What a program sends to exchange its code. */
export interface CodeExchange {
  code: string
  clientId: string
  redirectUri: string
  codeVerifier: string
  resource: string | undefined
}

/** Undefined if the code isn't valid for the program that sent it. Any attempt uses a code up, and a second one ends the connection. */
export async function exchangeCode(
  { db, instance, now, log }: Deps,
  exchange: CodeExchange,
): Promise<Tokens | undefined> {
  if (!isWellFormedSecret('hfg_', exchange.code)) return undefined
  const at = now()
  return db.write(async (tx) => {
    const grant = await findGrant(tx, instance, 'codeHash', { hash: hashSecret(exchange.code), now: at })
    if (grant === undefined) return undefined
    const isFirst = await useCode(tx, grant, at)
    if (isFirst && isAnswered(grant, exchange, at)) {
      const family = newSecret('hfr_')
      const turn = newSecret('hfr_')
      await startFamily(tx, grant, { familyHash: hashSecret(family), refreshHash: hashSecret(turn) })
      return { accessToken: await renewSecret(tx, grant, at), refreshToken: join(family, turn) }
    }
    if (!isFirst)
      log.warn('a code was used twice, so its connection has ended', { userId: grant.userId, recordId: grant.id })
    await revokeAgentKey(tx, grant.userId, grant.id, at)
    return undefined
  })
}

function isAnswered({ isUsable, codeExpiresAt, request }: Grant, exchange: CodeExchange, at: number): boolean {
  const challenge = hashSecret(exchange.codeVerifier).toString('base64url')
  return (
    isUsable &&
    codeExpiresAt > at &&
    request.clientId === exchange.clientId &&
    request.redirectUri === exchange.redirectUri &&
    isForResource(request, exchange.resource) &&
    /^[\w.~-]{43,128}$/.test(exchange.codeVerifier) &&
    equalBytes(Buffer.from(challenge), Buffer.from(request.codeChallenge))
  )
}

const isForResource = ({ resource }: Grant['request'], asked: string | undefined) =>
  asked === undefined || asked === resource

/** Undefined if the token isn't valid. Ends the connection if it was valid once. */
export async function refresh(
  { db, instance, now, log }: Deps,
  { refreshToken, clientId, resource }: { refreshToken: string; clientId: string; resource: string | undefined },
): Promise<Tokens | undefined> {
  const parts = split(refreshToken)
  if (parts === undefined) return undefined
  const at = now()
  return db.write(async (tx) => {
    const grant = await findGrant(tx, instance, 'familyHash', { hash: hashSecret(parts.family), now: at })
    if (grant?.refreshHash === undefined || !grant.isUsable) return undefined
    if (grant.request.clientId !== clientId || !isForResource(grant.request, resource)) return undefined
    const used = hashSecret(parts.turn)
    const turn = newSecret('hfr_')
    // The second look is for those who come at the same moment.
    const isLatest =
      equalBytes(grant.refreshHash, used) && (await replaceRefreshHash(tx, grant, { from: used, to: hashSecret(turn) }))
    if (isLatest) return { accessToken: await renewSecret(tx, grant, at), refreshToken: join(parts.family, turn) }
    log.warn('a refresh token was used twice, so its connection has ended', {
      userId: grant.userId,
      recordId: grant.id,
    })
    await revokeAgentKey(tx, grant.userId, grant.id, at)
    return undefined
  })
}

/** Ends the connection of a token of either kind (RFC 7009). Does nothing for any other text. */
export async function revokeToken({ db, instance, now }: Deps, token: string): Promise<void> {
  const at = now()
  const parts = split(token)
  const grant =
    parts === undefined
      ? isWellFormedSecret('hfa_', token) && (await findByAccessHash(db.read, hashSecret(token)))
      : await findGrant(db.read, instance, 'familyHash', { hash: hashSecret(parts.family), now: at })
  if (grant) await db.write((tx) => revokeAgentKey(tx, grant.userId, grant.id, at))
}

async function renewSecret(tx: Tx, grant: Grant, at: number): Promise<string> {
  const secret = newSecret('hfa_')
  await replaceSecret(tx, grant, {
    hash: hashSecret(secret),
    secret,
    secretExpiresAt: at + accessTokenMs,
    expiresAt: at + refreshTokenMs,
  })
  return secret
}

const join = (family: string, turn: string) => `${family}.${turn}`

function split(token: string): { family: string; turn: string } | undefined {
  const [family = '', turn = '', ...more] = token.split('.')
  const isWhole = more.length === 0 && isWellFormedSecret('hfr_', family) && isWellFormedSecret('hfr_', turn)
  return isWhole ? { family, turn } : undefined
}
