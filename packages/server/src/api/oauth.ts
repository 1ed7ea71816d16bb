/**
 * How programs connect to the MCP server by themselves: OAuth 2.1 with its metadata (RFC 8414, RFC 9728), registration (RFC 7591),
 * revocation (RFC 7009) and issuer (RFC 9207). These are routes of the protocol, not operations: a person decides with `create-key`.
 * All clients are public, so PKCE is the only thing that binds a code to who asked.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Readable } from 'node:stream'
import type { Authenticator } from '../auth/authenticate.ts'
import { clientNetwork } from '../auth/client-network.ts'
import { notFound } from '../core/errors.ts'
import { readMetadata, registerClient } from '../integrations/oauth/client.ts'
import { findIssuer, mcpPath, mcpScope } from '../integrations/oauth/issuer.ts'
import { accessTokenMs, exchangeCode, refresh, revokeToken, type Tokens } from '../integrations/oauth/tokens.ts'
import type { Services } from '../operation/context.ts'
import type { ObservedRoute } from '../metrics/metrics.ts'
import { explainFailure } from './explain-failure.ts'
import type { LogFailure } from './failure-log.ts'
import { credentialsOf } from './http.ts'
import { authorizePath, describeResource, describeServer, protectedResourcePath } from './oauth-metadata.ts'
import { describeRequest, pack } from './oauth-request.ts'
import { errorResponse, readForm, readJsonBody } from './payloads.ts'

export interface OauthOptions {
  services: Services
  authenticator: Authenticator
  isSecure: boolean
  logFailure: LogFailure
  observe(route: ObservedRoute, status: number, ms: number): void
}

/** The dashboard's page where people decide. */
const pagePath = '/authorize'
const maxFormBytes = 16 * 1024
const maxMetadataBytes = 16 * 1024

export function addOauth(server: FastifyInstance, options: OauthOptions): void {
  const { services } = options
  const withIssuer = (request: FastifyRequest): string => {
    const issuer = findIssuer(services.publicUrl, request.headers.host)
    if (issuer === undefined) throw notFound('Route')
    return issuer
  }
  for (const path of [protectedResourcePath, protectedResourcePath + mcpPath])
    server.get(path, async (request) => describeResource(withIssuer(request)))
  server.get('/.well-known/oauth-authorization-server', async (request) => describeServer(withIssuer(request)))
  server.get(authorizePath, { exposeHeadRoute: false }, async (request, reply) => {
    withIssuer(request)
    return reply.redirect(`${pagePath}?request=${pack(request.url)}`)
  })
  // What the page where people decide shows. It asks only once it is signed in, so strangers can't make this server read documents.
  server.get('/oauth/request', async (request) => {
    const { userId } = await options.authenticator.person(credentialsOf(request, options.isSecure))
    await services.limits.admit(userId, 'person')
    return describeRequest(services, { userId, host: request.headers.host }, request.url)
  })
  const mayRegister = createRegistrationLimit(services.now)
  addPost(server, options, '/oauth/register', async (request, reply) => {
    withIssuer(request)
    if (!mayRegister(request.ip)) throw new OauthError('temporarily_unavailable', 'too many registrations', 429)
    return reply.status(201).send(await register(services, request))
  })
  addPost(server, options, '/oauth/token', async (request, reply) => {
    withIssuer(request)
    return reply.send(await issueTokens(services, await readFormOf(request)))
  })
  addPost(server, options, '/oauth/revoke', async (request, reply) => {
    withIssuer(request)
    await revokeToken(services, required(await readFormOf(request), 'token'))
    return reply.send({})
  })
}

/** An error in the form of RFC 6749, section 5.2. */
class OauthError extends Error {
  readonly code: string
  readonly status: number

  constructor(code: string, message: string, status = 400) {
    super(message)
    this.code = code
    this.status = status
  }
}

function addPost(
  server: FastifyInstance,
  { services, logFailure, observe }: OauthOptions,
  url: string,
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  const operation = url.slice(1).replace('/', '-')
  server.route({
    method: 'POST',
    url,
    async handler(request, reply) {
      try {
        return await answer(request, reply)
      } catch (error) {
        if (error instanceof OauthError) return refuse(reply, error)
        const explained = await explainFailure(error, services.db)
        logFailure(explained, { requestId: request.id, operation })
        return refuse(reply, explained)
      }
    },
    onResponse(_request, reply, done) {
      observe({ name: operation, limitedAs: undefined }, reply.statusCode, reply.elapsedTime)
      done()
    },
  })
}

function refuse(reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof OauthError)
    return reply.status(error.status).send({ error: error.code, error_description: error.message })
  const { status, body, retryAfterSeconds } = errorResponse(error)
  if (retryAfterSeconds !== undefined) void reply.header('Retry-After', String(retryAfterSeconds))
  const code = status < 500 ? 'invalid_request' : status === 503 ? 'temporarily_unavailable' : 'server_error'
  return reply.status(status).send({ error: code, error_description: body.error })
}

const registrationsPerHour = 20

/** In memory, per client: each server counts for itself. The number of unused registrations is limited for all of them together. */
function createRegistrationLimit(now: () => number): (address: string) => boolean {
  const windows = new LRUCache<string, { from: number; count: number }>({ max: 10_000 })
  return (address) => {
    const network = clientNetwork(address)
    const known = windows.get(network)
    const window = known !== undefined && Math.abs(now() - known.from) < 3_600_000 ? known : { from: now(), count: 0 }
    windows.set(network, { ...window, count: window.count + 1 })
    return window.count < registrationsPerHour
  }
}

async function register(services: Services, request: FastifyRequest): Promise<object> {
  const read = readMetadata(await readJsonBody(bodyOf(request), request.headers, maxMetadataBytes))
  if (!('metadata' in read)) {
    const code = read.wrongField === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
    throw new OauthError(code, `${read.wrongField}: ${read.problem}`)
  }
  const { name, redirectUris } = read.metadata
  const clientId = await registerClient(services, read.metadata)
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(services.now() / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // Whatever was asked for: there are no client secrets here.
    token_endpoint_auth_method: 'none',
    scope: mcpScope,
  }
}

const bodyOf = (request: FastifyRequest) => (request.body ?? request.raw) as Readable

const readFormOf = (request: FastifyRequest) => readForm(bodyOf(request), request.headers, maxFormBytes)

/** A field that is there once. */
function optional(form: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = form.getAll(name)
  if (more.length > 0) throw new OauthError('invalid_request', `${name} is given twice`)
  return value === '' ? undefined : value
}

function required(form: URLSearchParams, name: string): string {
  const value = optional(form, name)
  if (value === undefined) throw new OauthError('invalid_request', `${name} is missing`)
  return value
}

async function issueTokens(services: Services, form: URLSearchParams): Promise<object> {
  const clientId = required(form, 'client_id')
  const resource = optional(form, 'resource')
  switch (required(form, 'grant_type')) {
    case 'authorization_code': {
      const [code, redirectUri] = [required(form, 'code'), required(form, 'redirect_uri')]
      const codeVerifier = required(form, 'code_verifier')
      return describeTokens(await exchangeCode(services, { code, clientId, redirectUri, codeVerifier, resource }))
    }
    case 'refresh_token':
      return describeTokens(
        await refresh(services, { refreshToken: required(form, 'refresh_token'), clientId, resource }),
      )
    default:
      throw new OauthError('unsupported_grant_type', 'use authorization_code or refresh_token')
  }
}

/** One text for every cause, so that nobody learns what is right about a code or token that they found. */
function describeTokens(tokens: Tokens | undefined): object {
  if (tokens === undefined) throw new OauthError('invalid_grant', 'the code or token is not valid, or no longer')
  return {
    access_token: tokens.accessToken,
    token_type: 'Bearer',
    expires_in: accessTokenMs / 1000,
    refresh_token: tokens.refreshToken,
    scope: mcpScope,
  }
}
