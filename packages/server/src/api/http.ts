import cookie from '@fastify/cookie'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { newId } from '../core/ids.ts'
import { STATUS_CODES } from '../core/node-http.ts'
import { forbidden, invalid, notFound, notJson, overloaded, ServiceError } from '../core/errors.ts'
import type { JsonValue } from '../core/json.ts'
import type { Log } from '../core/log.ts'
import type { Credentials } from '../auth/authenticate.ts'
import type { AnswerParts, SessionCookie } from '../operation/context.ts'
import type { ObservedRoute } from '../metrics/metrics.ts'
import type { Route } from '../operation/operation.ts'
import { ignoredFields, readQuery } from '../operation/parse-input.ts'
import { answerInParts, untilGone, wantsParts } from './answer-in-parts.ts'
import { affordableConnections, capConnections, type ConnectionCaps, readMaxFiles } from './cap-connections.ts'
import { closeSlowRequests } from './close-slow-requests.ts'
import type { Call, Dispatch } from './dispatch.ts'
import type { LogFailure } from './failure-log.ts'
import { healthPaths, neverShed } from './health.ts'
import { pauseSeconds, watchLoop } from './overload.ts'
import { isOwnHost, type OwnHosts } from './own-hosts.ts'
import { readJsonBody, errorResponse, successStatus } from './payloads.ts'
import { addAssets, answerPage } from './web.ts'
import type { IncomingMessage } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import { isInside, parseAddress } from '../webhooks/address.ts'

/** A thin HTTP layer over dispatch: one route per operation, headers, and no decisions. */
export interface HttpOptions {
  routes: readonly Route[]
  dispatch: Dispatch
  version: string
  log: Log
  logFailure: LogFailure
  /** True behind TLS (the public URL is https): cookies are then `__Host-` and Secure. */
  isSecure: boolean
  /** The folder of the dashboard's build. */
  webDir: string
  own: OwnHosts
  /** Proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly BlockList[]
  connections: ConnectionCaps
  /** Counts a finished request by the route's name, never its URL. */
  observe(route: ObservedRoute, status: number, ms: number): void
  /** Counts a call with fields that its operation doesn't have. */
  countIgnored(route: Route): void
}

const headersTimeoutMs = 10_000
const requestTimeoutMs = 30_000

export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const isProxy = (address: string) => isFrom(options.trustedProxies, address)
  const server = fastify({
    logger: false,
    genReqId: () => newId(),
    requestTimeout: requestTimeoutMs,
    trustProxy: isProxy,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: false },
    // How often time limits are checked; the default is 30 s.
    http: { headersTimeout: headersTimeoutMs, maxHeaderSize: 16_384, connectionsCheckingInterval: 5_000 },
    clientErrorHandler(error, socket) {
      answerBrokenRequest(error, socket, commonHeaders({ id: newId() }, options))
    },
    // Hooks don't run for a URL that can't be decoded.
    frameworkErrors(error, request, reply: FastifyReply) {
      void reply.headers(commonHeaders(request, options))
      void sendError(reply, error)
    },
  })
  capConnections(server.server, affordable(server, options), isProxy)
  const stopWatching = closeSlowRequests(server.server)
  server.addHook('onClose', async () => stopWatching())
  await server.register(cookie)
  // Before anything that may refuse a request.
  addCommonHeaders(server, options)
  refuseOtherHosts(server, options.own)
  shedLoad(server)
  passBodiesAsStreams(server)
  for (const route of options.routes) addRoute(server, route, options)
  addAssets(server, options.webDir)
  server.setNotFoundHandler(
    async (request, reply) =>
      (await answerPage(options.webDir, request, reply)) ?? refuseRoute(options, request, reply),
  )
  server.setErrorHandler((error, request, reply) => {
    options.logFailure(translate(error), describeRequest(request))
    return sendError(reply, error)
  })
  return server
}

function affordable({ server }: FastifyInstance, { connections, log }: HttpOptions): ConnectionCaps {
  const total = affordableConnections(connections.total, readMaxFiles())
  // Commands also create a server, and never listen.
  server.once('listening', () => {
    if (total < connections.total)
      log.warn('the limit of open files allows fewer connections than HOLDFAST_MAX_CONNECTIONS', { count: total })
  })
  return { ...connections, total }
}

function isFrom(networks: readonly BlockList[], text: string): boolean {
  const address = parseAddress(text)
  return address !== undefined && networks.some((network) => isInside(network, address))
}

function refuseOtherHosts(server: FastifyInstance, own: OwnHosts): void {
  server.addHook('onRequest', ({ raw, headers, routeOptions }, _reply, done) => {
    // Node uses the first one, and a proxy may have used the other.
    if (rawHeaders(raw, 'host').length > 1) done(invalid({ '': 'the request has more than one Host header' }))
    else if (isOwnHost(headers.host, own) || healthPaths.includes(routeOptions.url ?? '')) done()
    else done(forbidden('Unknown host name. The operator can set it in HOLDFAST_PUBLIC_URL or HOLDFAST_ALLOWED_HOSTS.'))
  })
}

function shedLoad(server: FastifyInstance): void {
  const loop = watchLoop()
  server.addHook('onClose', async () => loop.stop())
  server.addHook('onRequest', (request, _reply, done) => {
    const isRefused = loop.isSaturated() && !neverShed.includes(request.routeOptions.url ?? '')
    done(isRefused ? overloaded('too many requests at once', pauseSeconds) : undefined)
  })
}

/** 404, or 405 if the path exists with another method. Says which one, since GET instead of POST is a common mistake. */
function refuseRoute({ routes }: HttpOptions, { url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path] = url.split('?')
  const methods = routes.filter((route) => route.path === path).map(({ method }) => method)
  if (methods.length === 0) return sendError(reply, notFound('Route'))
  void reply.header('Allow', methods.join(', '))
  return reply.status(405).send({ error: `Method not allowed; use ${methods.join(' or ')}` })
}

// Dispatch reads the body after authentication, so no content type may choose a parser.
function passBodiesAsStreams(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
}

/**
 * Answers are data: they may not run code, be framed by other pages, or be cached. A constant table, because helmet computes these values
 * for each request, which took half the time of an empty request (60 µs).
 */
const commonHeaders = ({ id }: { id: string }, { version, isSecure }: HttpOptions) => ({
  'X-Request-Id': id,
  'X-Service-Version': version,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  ...(isSecure && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
})

function addCommonHeaders(server: FastifyInstance, options: HttpOptions): void {
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(commonHeaders(request, options))
    done()
  })
}

function addRoute(server: FastifyInstance, route: Route, options: HttpOptions): void {
  server.route({
    exposeHeadRoute: false,
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      const logFailure = (error: unknown) => options.logFailure(error, { requestId: request.id, operation: route.name })
      try {
        const call = callOf(request, reply, options, route)
        if (route.isStreamed && wantsParts(request)) {
          const run = async (parts: AnswerParts) => (await options.dispatch(route, { ...call, parts })).body
          return await answerInParts(reply, run, logFailure)
        }
        const parts = route.isStreamed && { parts: { send() {}, signal: untilGone(reply) } }
        const { wasCreated, body } = await options.dispatch(route, { ...call, ...parts })
        return await reply.status(successStatus(wasCreated)).send(body)
      } catch (error) {
        logFailure(error)
        return await sendError(reply, error)
      }
    },
    onResponse: (request, reply, done) => {
      options.observe(route, reply.statusCode, reply.elapsedTime)
      options.log.debug('request', {
        requestId: request.id,
        operation: route.name,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      })
      done()
    },
  })
}

function callOf(request: FastifyRequest, reply: FastifyReply, options: HttpOptions, route: Route): Call {
  const { isSecure, countIgnored } = options
  const { headers } = request
  return {
    requestId: request.id,
    runId: single(headers['x-agent-run-id']),
    clientAddress: request.ip,
    userAgent: headers['user-agent'],
    credentials: credentialsOf(request, isSecure),
    sessionCookie: sessionCookie(request, reply, isSecure),
    async input(limitBytes) {
      const input =
        request.method === 'GET' || request.method === 'DELETE'
          ? (readQuery(route.input, request.query as Record<string, string | string[]>) as JsonValue)
          : await readJsonBody((request.body ?? request.raw) as Readable, headers, limitBytes)
      if (nameIgnored(reply, route, input)) countIgnored(route)
      return input
    },
  }
}

const maxIgnored = 10

/**
 * For authors of clients: a misspelled optional field would go unnoticed. Names that a header can't carry are left out. Returns whether
 * there are such fields.
 */
function nameIgnored(reply: FastifyReply, route: Route, input: JsonValue): boolean {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
  const ignored = ignoredFields(route, input)
  const names = ignored.filter((name) => /^[\w.-]{1,64}$/.test(name)).slice(0, maxIgnored)
  if (names.length > 0) void reply.header('X-Ignored-Fields', names.join(', '))
  return ignored.length > 0
}

export const credentialsOf = (request: FastifyRequest, isSecure: boolean): Credentials => ({
  authorization: authorizationHeaders(request),
  session: request.cookies[sessionCookieName(request, isSecure)],
  sessionKey: single(request.headers['x-session-key']),
  requestedWith: single(request.headers['x-requested-with']),
  origin: request.headers.origin,
  host: request.headers.host,
  actAs: single(request.headers['x-holdfast-user']),
  isWrite: request.method !== 'GET',
})

export const single = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)

// Node silently keeps the first of several Authorization headers; the raw list has all.
export const authorizationHeaders = ({ raw }: FastifyRequest): string[] => rawHeaders(raw, 'authorization')

function rawHeaders(request: IncomingMessage, name: string): string[] {
  const found: string[] = []
  for (let at = 0; at < request.rawHeaders.length; at += 2)
    if (request.rawHeaders[at]?.toLowerCase() === name) found.push(request.rawHeaders[at + 1] ?? '')
  return found
}

// Browsers accept the __Host- prefix only over TLS, so loopback without TLS needs a plain name.
const cookieStart = (isSecure: boolean) => (isSecure ? '__Host-holdfast' : 'holdfast')

/**
 * Browsers send cookies to all ports of a host name. With the port of the address in its name, signing in to one server doesn't
 * sign out of another one there.
 */
function sessionCookieName({ headers: { host } }: FastifyRequest, isSecure: boolean): string {
  const [, port] = /:(\d{1,5})$/.exec(host ?? '') ?? []
  const isDefault = port === undefined || port === (isSecure ? '443' : '80')
  return isDefault ? cookieStart(isSecure) : `${cookieStart(isSecure)}-${port}`
}

function sessionCookie(request: FastifyRequest, reply: FastifyReply, isSecure: boolean): SessionCookie {
  const name = sessionCookieName(request, isSecure)
  const attributes = { path: '/', httpOnly: true, secure: isSecure, sameSite: 'strict' } as const
  return {
    set: (secret, maxAge) => void reply.setCookie(name, secret, { ...attributes, maxAge }),
    clear: () => void reply.clearCookie(name, attributes),
  }
}

function sendError(reply: FastifyReply, error: unknown): FastifyReply {
  const { status, body, retryAfterSeconds } = errorResponse(translate(error))
  if (retryAfterSeconds !== undefined) void reply.header('Retry-After', String(retryAfterSeconds))
  return reply.status(status).send(body)
}

/** Errors that Fastify itself raises (a broken URL or content type) are the caller's mistakes. */
function translate(error: unknown): unknown {
  if (error instanceof ServiceError || !(error instanceof Error)) return error
  const { statusCode } = error as { statusCode?: unknown }
  if (statusCode === 415) return notJson()
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
    ? invalid({ '': 'the request is malformed' })
    : error
}

const describeRequest = ({ id, routeOptions }: FastifyRequest) => ({
  requestId: id,
  operation: routeOptions.url ?? 'unknown',
})

/**
 * Answers malformed HTTP and requests that didn't arrive in time, in the same form as other errors. Node reports these before there is a
 * request or reply object, so the answer is written by hand and closes the connection.
 */
function answerBrokenRequest(error: { code?: string }, socket: Socket, headers: Record<string, string>): void {
  // The caller is gone, or an answer has begun already.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy()
    return
  }
  const status = statusOf(error.code)
  const body = JSON.stringify(errorResponse(invalid({ '': problems[status] })).body)
  const lines = Object.entries({
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'))
}

const problems = {
  400: 'the request is malformed',
  408: 'the request did not arrive in time',
  431: 'the headers are too large',
} as const

function statusOf(code: string | undefined): keyof typeof problems {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408
  return code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
}
