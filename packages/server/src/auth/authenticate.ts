import { commandLine } from '../core/program.ts'
import { forbidden, unauthenticated } from '../core/errors.ts'
import { hashSecret, isWellFormedSecret } from '../crypto/secrets.ts'
import type { Reader } from '../db/dialect.ts'
import type { AgentActor, PersonActor } from './actor.ts'
import type { OperatorToken } from './operator-token.ts'
import { findAgentActor, findDashboardActor, findCallingUser } from './store.ts'

/** The only parts of a request that can identify the caller: never a query string, never a body. */
export interface Credentials {
  /** All Authorization headers as sent. Two headers are refused, because parsers disagree on which one counts. */
  authorization: readonly string[]
  /** The session's cookie, and its other half, which is in a header. */
  session: string | undefined
  sessionKey: string | undefined
  requestedWith: string | undefined
  origin: string | undefined
  host: string | undefined
  /** The user that the operator acts for. */
  actAs: string | undefined
  isWrite: boolean
  /** Whether the request is to the MCP server, the only place where the access token of a connection counts. */
  isToMcp?: boolean
}

export interface Authenticator {
  agent(credentials: Credentials): Promise<AgentActor>
  /** The agent with these credentials while they are valid. Doesn't count as use. */
  findAgent(credentials: Credentials): Promise<AgentActor | undefined>
  person(credentials: Credentials): Promise<PersonActor>
  operator(credentials: Credentials): void
  /** Whether the credentials are still valid for a person. Doesn't count as use: waiting must not keep a session alive. */
  isStillValid(credentials: Credentials): Promise<boolean>
}

interface Deps {
  db: Reader
  /** Remembers when a key or credential was used. */
  lastUsed: {
    record(table: 'agentKeys' | 'dashboardCredentials', id: string, owner: { userId: string }, at: number): void
  }
  operatorToken: OperatorToken
  now(): number
}

export const sessionIdleMs = 12 * 3_600_000

export function createAuthenticator({ db, lastUsed, operatorToken, now }: Deps): Authenticator {
  async function byToken(token: string): Promise<PersonActor | undefined> {
    return isWellFormedSecret('hfd_', token)
      ? findDashboardActor(db, { kind: 'token', secretHash: hashSecret(token) }, { now: now(), idleMs: sessionIdleMs })
      : undefined
  }

  async function bySession(credentials: Credentials): Promise<PersonActor | undefined> {
    const { session, sessionKey } = credentials
    if (session === undefined || !isWellFormedSecret('hfc_', session)) return undefined
    refuseForgedRequest(credentials)
    if (sessionKey === undefined || !isWellFormedSecret('hfk_', sessionKey)) return undefined
    const hashes = { secretHash: hashSecret(session), keyHash: hashSecret(sessionKey) }
    return findDashboardActor(db, { kind: 'session', ...hashes }, { now: now(), idleMs: sessionIdleMs })
  }

  async function findPerson(credentials: Credentials): Promise<PersonActor | undefined> {
    const token = bearer(credentials)
    if (token !== undefined && operatorToken.accepts(token)) return asUser(db, credentials.actAs)
    return token === undefined ? bySession(credentials) : byToken(token)
  }

  async function findAgent(credentials: Credentials): Promise<AgentActor | undefined> {
    const key = bearer(credentials)
    // A bad checksum is refused without a look-up: the checksum isn't secret.
    const isKnownForm =
      key !== undefined &&
      (isWellFormedSecret('svc_', key) || (credentials.isToMcp === true && isWellFormedSecret('hfa_', key)))
    return isKnownForm ? findAgentActor(db, hashSecret(key), now()) : undefined
  }

  return {
    isStillValid: async (credentials) => (await findPerson(credentials)) !== undefined,
    findAgent,
    async agent(credentials) {
      const actor = await findAgent(credentials)
      if (actor === undefined) throw unauthenticated()
      lastUsed.record('agentKeys', actor.keyId, { userId: actor.userId }, now())
      return actor
    },
    async person(credentials) {
      const actor = await findPerson(credentials)
      if (actor === undefined) throw unauthenticated('dashboard session')
      if (actor.credentialId !== undefined)
        lastUsed.record('dashboardCredentials', actor.credentialId, { userId: actor.userId }, now())
      return actor
    },
    operator(credentials) {
      const token = bearer(credentials)
      if (token === undefined || !operatorToken.accepts(token)) throw unauthenticated('operator token')
    },
  }
}

function bearer({ authorization }: Credentials): string | undefined {
  const [header, ...more] = authorization
  if (header === undefined || more.length > 0) return undefined
  return bearerToken(header)
}

export const bearerToken = (header: string): string | undefined => /^Bearer ([!-~]+)$/i.exec(header)?.[1]

async function asUser(db: Reader, userId: string | undefined): Promise<PersonActor> {
  const actor = await findCallingUser(db, userId)
  if (actor === undefined) throw forbidden(`User not found. Run \`${commandLine} setup\` first`)
  return actor
}

/** Browsers send cookies with requests from any page, so a write needs two headers that a foreign page can't set. */
function refuseForgedRequest({ isWrite, requestedWith, origin, host }: Credentials): void {
  if (!isWrite) return
  if (requestedWith === undefined) throw forbidden('Send the header X-Requested-With with every change')
  if (origin !== undefined && URL.parse(origin)?.host !== host) throw forbidden('The request comes from another origin')
}
