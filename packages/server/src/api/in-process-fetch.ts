import { Readable } from 'node:stream'
import { newId } from '../core/ids.ts'
import { notFound } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { ObservedRoute } from '../metrics/metrics.ts'
import type { Route } from '../operation/operation.ts'
import type { Call, Dispatch } from './dispatch.ts'
import type { LogFailure } from './failure-log.ts'
import { readJsonBody, errorResponse, successStatus } from './payloads.ts'

/** The sender of the requests, from the underlying connection. */
export interface Sender {
  authorization: readonly string[]
  clientAddress: string
}

interface Deps {
  routes: readonly Route[]
  dispatch: Dispatch
  log: Log
  logFailure: LogFailure
  observe(route: ObservedRoute, status: number, ms: number): void
}

/** A fetch by which the MCP server calls agents' operations without the network. The typed client gets the same checks, limits and errors as over HTTP. */
export const createInProcessFetch =
  ({ routes, dispatch, log, logFailure, observe }: Deps) =>
  (sender: Sender): typeof globalThis.fetch =>
  async (target, init = {}) => {
    const path = new URL(target instanceof Request ? target.url : target).pathname
    const route = routes.find((known) => known.audience === 'agent' && known.path === path)
    const begin = performance.now()
    const call = callOf(sender, init)
    const response = await answer(route, call, { dispatch, logFailure })
    const ms = performance.now() - begin
    const name = route?.name ?? 'unknown'
    observe(route ?? { name, limitedAs: undefined }, response.status, ms)
    const { requestId } = call
    log.debug('request', { requestId, operation: name, status: response.status, ms: Math.round(ms) })
    return response
  }

async function answer(
  route: Route | undefined,
  call: Call,
  { dispatch, logFailure }: Pick<Deps, 'dispatch' | 'logFailure'>,
): Promise<Response> {
  const { requestId } = call
  try {
    if (route === undefined) throw notFound('Route')
    const { wasCreated, body } = await dispatch(route, call)
    return Response.json(body, { status: successStatus(wasCreated), headers: { 'X-Request-Id': requestId } })
  } catch (error) {
    logFailure(error, { requestId, operation: route?.name ?? 'unknown' })
    const { status, body, retryAfterSeconds } = errorResponse(error)
    const retryAfter = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
    return Response.json(body, { status, headers: { 'X-Request-Id': requestId, ...retryAfter } })
  }
}

function callOf({ authorization, clientAddress }: Sender, { method = 'GET', headers, body }: RequestInit): Call {
  const text = typeof body === 'string' ? body : ''
  return {
    requestId: newId(),
    runId: new Headers(headers).get('X-Agent-Run-Id') ?? undefined,
    clientAddress,
    userAgent: undefined,
    credentials: {
      authorization,
      session: undefined,
      sessionKey: undefined,
      requestedWith: undefined,
      origin: undefined,
      host: undefined,
      actAs: undefined,
      isWrite: method !== 'GET',
      isToMcp: true,
    },
    // Only people's sign-in sets cookies.
    sessionCookie: { set: () => {}, clear: () => {} },
    input: async (limitBytes) =>
      method === 'GET'
        ? {}
        : readJsonBody(
            Readable.from(text === '' ? [] : [Buffer.from(text)]),
            { 'content-type': 'application/json' },
            limitBytes,
          ),
  }
}
