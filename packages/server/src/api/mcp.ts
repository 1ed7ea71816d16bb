import { createClient } from '@holdfast/client'
import type { Caller } from '@holdfast/mcp/call-tool'
import { createConnections } from '@holdfast/mcp/connections'
import type { HttpServer } from '@holdfast/mcp/http'
import { callsOperations, findExcess, listenMethod, readClientName } from '@holdfast/mcp/message'
import type { Extend } from '@holdfast/mcp/server'
import { readSwitches, SwitchError } from '@holdfast/mcp/switches'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import type { AgentActor } from '../auth/actor.ts'
import { bearerToken, type Authenticator } from '../auth/authenticate.ts'
import { forbidden, inactiveIntegration, invalid } from '../core/errors.ts'
import { mcpPath } from '../integrations/oauth/issuer.ts'
import { hashSecret } from '../crypto/secrets.ts'
import type { ObservedRoute } from '../metrics/metrics.ts'
import type { Services } from '../operation/context.ts'
import type { Route } from '../operation/operation.ts'
import type { Dispatch } from './dispatch.ts'
import { explainFailure } from './explain-failure.ts'
import type { LogFailure } from './failure-log.ts'
import { authorizationHeaders, credentialsOf, single } from './http.ts'
import { createInProcessFetch } from './in-process-fetch.ts'
import { challengeParams } from './oauth-metadata.ts'
import { createResourceWatch } from './mcp-watch.ts'
import { isOwnOrigin, type OwnHosts } from './own-hosts.ts'
import { readJsonBody, errorResponse } from './payloads.ts'

/**
 * The Model Context Protocol at `/mcp`. Tools call operations through the typed client and the same dispatch as other requests. The body
 * is read after the key was checked.
 */
export interface McpOptions extends OwnHosts {
  services: Pick<Services, 'db' | 'instance' | 'limits' | 'log' | 'news' | 'now'>
  routes: readonly Route[]
  dispatch: Dispatch
  authenticator: Authenticator
  version: string
  logFailure: LogFailure
  observe(route: ObservedRoute, status: number, ms: number): void
  extend: Extend | undefined
}

// The largest body of an operation plus the protocol's envelope.
const bodyLimitBytes = 9 * 1024 * 1024
// Bounds the time of the parser and of the protocol's checks. A request with fifty memories and all fields has fewer commas.
const maxCommas = 100_000

export function addMcp(server: FastifyInstance, options: McpOptions): Pick<HttpServer, 'close'> {
  const mcp = openOnFirstCall(options)
  const handle = createHandler(mcp, options)
  server.route({
    method: ['GET', 'POST', 'DELETE'],
    url: mcpPath,
    handler: async (request, reply) => {
      if (isReader(request)) return reply.type('text/plain; charset=utf-8').send(helpText(request, options))
      try {
        return await reply.send(await handle(request, reply))
      } catch (error) {
        const explained = await explainFailure(error, options.services.db)
        options.logFailure(explained, { requestId: request.id, operation: 'mcp' })
        return sendRefusal(reply, explained, challengeFor(request, options))
      }
    },
    onResponse: (request, reply, done) => {
      if (request.method === 'POST' && !isToListen(request)) observe(options, reply)
      done()
    },
    // How long a client then listens says nothing about the server.
    onSend: async (request, reply) => {
      if (isToListen(request)) observe(options, reply)
    },
  })
  return mcp
}

/** The protocol's copy of the method in a header, without which a request to listen is refused. */
const isToListen = ({ headers }: FastifyRequest) => headers['mcp-method'] === listenMethod

const observe = (options: McpOptions, { statusCode, elapsedTime }: FastifyReply) =>
  options.observe({ name: 'mcp', limitedAs: 'mcp' }, statusCode, elapsedTime)

/** Loads the protocol's code with the first call: it takes 5 MB, and many servers are only called over REST. */
function openOnFirstCall({ services: { log }, version, extend }: McpOptions): HttpServer {
  let opened: Promise<HttpServer> | undefined
  const open = async () => {
    const { createHttpServer } = await import('@holdfast/mcp/http')
    const report = (error: Error) => log.debug('an MCP request was refused', { error })
    return createHttpServer({ version, report, ...(extend !== undefined && { extend }) })
  }
  return {
    answer: async (...call) => (await (opened ??= open())).answer(...call),
    close: async () => (await opened)?.close(),
  }
}

function createHandler(mcp: HttpServer, options: McpOptions) {
  const { authenticator, services } = options
  const { limits, now, log } = services
  const connections = createConnections(now)
  const inProcess = createInProcessFetch({ ...options, log })
  const watchFor = createResourceWatch({ ...services, authenticator })
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Response> => {
    refuseStrangers(request, options)
    const authorization = authorizationHeaders(request)
    const credentials = { ...credentialsOf(request, false), isToMcp: true }
    const actor = await authenticator.agent(credentials)
    if (!actor.isActive) throw inactiveIntegration()
    const switches = switchesOf(request)
    const body = request.method === 'POST' ? await readBody(request) : undefined
    refuseExcess(body)
    const key = bearerToken(authorization[0] ?? '') ?? ''
    const client = `${request.headers['user-agent'] ?? ''}\n${readClientName(body)}`
    // By the key's id: the secret of a program's connection changes each hour, in the middle of a session.
    const connection = connections(actor.keyId, tagOf(client))
    const reach = inProcess({ authorization, clientAddress: request.ip })
    let isCounted = !callsOperations(body)
    const caller: Caller = {
      // A retry in the same process would hit the same store and the same limits.
      client: createClient({
        url: 'http://in-process',
        key,
        maxRetries: 0,
        fetch(target, init) {
          isCounted = true
          return reach(target, init)
        },
      }),
      switches,
      connection,
      run: single(request.headers['x-agent-run-id']),
      now,
      report: (error, tool) => log.error('a tool failed', { operation: tool, error }),
      async settle() {
        if (isCounted) return undefined
        isCounted = true
        return countRead(options, actor, request.id)
      },
    }
    const watch = watchFor({ actor, credentials, connection: reply.raw })
    const answer = () => mcp.answer(webRequest(request, reply), body, caller, watch)
    if (!isCounted) {
      const response = await answer()
      // Rejected before a handler could count it.
      if (response.status >= 400 && !isCounted) await limits.admit(actor.userId, 'read', actor.keyId)
      return response
    }
    const refund = await limits.admit(actor.userId, 'read', actor.keyId)
    return answer().catch((error: unknown) => {
      refund()
      throw error
    })
  }
}

/** Counts a read. Returns how many seconds to wait if the limit is reached. */
async function countRead(
  { services: { limits }, logFailure }: McpOptions,
  { userId, keyId }: Pick<AgentActor, 'userId' | 'keyId'>,
  requestId: string,
): Promise<number | undefined> {
  try {
    await limits.admit(userId, 'read', keyId)
    return undefined
  } catch (error) {
    const { status, retryAfterSeconds } = errorResponse(error)
    if (status !== 429) throw error
    logFailure(error, { requestId, operation: 'mcp' })
    return retryAfterSeconds ?? 60
  }
}

/** Refuses input that would keep the protocol's own checks busy before any limit counts it. */
function refuseExcess(body: unknown): void {
  if (Array.isArray(body)) throw invalid({ '': 'must be one message; batches are not supported' })
  const excess = findExcess(body)
  if (excess !== undefined) throw invalid({ '': excess })
}

const tagOf = (text: string) => hashSecret(text).toString('base64')

function refuseStrangers({ headers }: FastifyRequest, own: OwnHosts): void {
  if (!isOwnOrigin(headers.origin, own)) throw forbidden('Requests from this origin are not allowed')
}

function switchesOf({ url, headers }: FastifyRequest) {
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  try {
    return readSwitches(query, (name) => single(headers[name]))
  } catch (error) {
    if (error instanceof SwitchError) throw invalid({ '': error.message })
    throw error
  }
}

const readBody = (request: FastifyRequest) =>
  readJsonBody((request.body ?? request.raw) as Readable, request.headers, bodyLimitBytes, maxCommas)

/** The parts of a request that the SDK reads; the body is passed separately. */
function webRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (name !== 'authorization' && value !== undefined) headers.set(name, single(value) ?? '')
  const left = new AbortController()
  reply.raw.once('close', () => left.abort())
  return new Request(new URL(request.url, 'http://in-process'), {
    method: request.method,
    headers,
    signal: left.signal,
  })
}

/** A request from a browser or curl; clients of the protocol ask for a stream. */
const isReader = ({ method, headers }: FastifyRequest) =>
  method === 'GET' && !(headers.accept ?? '').includes('text/event-stream')

const codeOf = (status: number, message: string) => {
  if (/not valid (?:JSON|UTF-8)/.test(message)) return -32_700
  return [400, 413, 415].includes(status) ? -32_600 : -32_000
}

/** Where a client finds out how to connect by itself, and whether what it sent was wrong or missing. */
function challengeFor(request: FastifyRequest, { publicUrl }: OwnHosts): string {
  const params = challengeParams(publicUrl, request.headers.host)
  const isWrong = authorizationHeaders(request).length > 0
  return `Bearer${isWrong ? ` error="invalid_token"${params === '' ? '' : ','}` : ''}${params}`
}

/** An error in the protocol's format, which clients expect in addition to the status. */
function sendRefusal(reply: FastifyReply, error: unknown, challenge: string): FastifyReply {
  const { status, body, retryAfterSeconds } = errorResponse(error)
  if (status === 401) void reply.header('WWW-Authenticate', challenge)
  if (retryAfterSeconds !== undefined) void reply.header('Retry-After', String(retryAfterSeconds))
  return reply.status(status).send({
    jsonrpc: '2.0',
    id: null,
    error: { code: codeOf(status, body.error), message: explain(status, body.error) },
  })
}

const explain = (status: number, message: string) =>
  status === 401
    ? `${message}. Send an agent key as "Authorization: Bearer svc_...". Create one with \`holdfast keys create\`.`
    : message

function helpText({ headers }: FastifyRequest, { publicUrl, version }: McpOptions): string {
  const address = `${(publicUrl ?? `http://${headers.host ?? ''}`).replace(/\/$/, '')}${mcpPath}`
  return `Holdfast ${version}: this is the address of its Model Context Protocol server.

Add it to an agent's client as a server of type "http" (Streamable HTTP):

  URL      ${address}
  Header   Authorization: Bearer svc_...

Create a key with \`holdfast keys create --label "My agent"\`. In the URL, \`?vault=NAME\` chooses a vault, \`?tools=core,documents\`
chooses the tools, and \`?readonly=1\` leaves out tools that write. Clients call this address with POST.
`
}
