import { CallError } from './call-error.ts'
import { routes, type OperationName, type Operations } from './operations.ts'
import { setReachable } from './reachability.ts'
import { keepSessionKey, sessionHeaders } from './session-key.ts'

export type InputOf<Name extends OperationName> = Operations[Name]['input']
export type OutputOf<Name extends OperationName> = Operations[Name]['output']

const defaultTimeoutMs = 30_000
const timedOut = 'The server took too long to respond. Try again.'

/**
 * Every request to the server goes through here. Any failure, including a missing network, throws a CallError. Aborting
 * `signal` throws the signal's reason instead.
 */
export async function call<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  signal?: AbortSignal,
): Promise<OutputOf<Name>> {
  const { method, path } = routes[name]
  const isInUrl = method === 'GET' || method === 'DELETE'
  const body = await send(
    isInUrl ? path + printQuery(input) : path,
    method,
    isInUrl ? null : JSON.stringify(input),
    signal,
  )
  if (startsSession(name)) keepSessionKey((body as OutputOf<'log-in'>).sessionKey)
  return body as OutputOf<Name>
}

/** For the few routes that aren't operations. */
export async function send(path: string, method: string, text: string | null, signal?: AbortSignal): Promise<unknown> {
  const response = await request(path, method, text, signal === undefined ? {} : { signal })
  const body = await readBody(response)
  if (!response.ok) throw refusalOf(response, body)
  return body
}

interface RequestOptions {
  signal?: AbortSignal
  accept?: string
  timeoutMs?: number
}

/** The response, whatever its status. */
export async function request(
  path: string,
  method: string,
  text: string | null,
  { signal, accept, timeoutMs = defaultTimeoutMs }: RequestOptions,
): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const response = await fetch(path, {
    method,
    // Pages of other sites can't send this header. The server requires it for every change.
    headers: {
      'X-Requested-With': 'holdfast',
      ...sessionHeaders(),
      ...(text !== null && { 'Content-Type': 'application/json' }),
      ...(accept !== undefined && { Accept: accept }),
    },
    body: text,
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    setReachable(false)
    throw new CallError(0, timeout.aborted ? timedOut : 'The server can’t be reached.')
  })
  setReachable(true)
  return response
}

const startsSession = (name: OperationName) => name === 'log-in' || name === 'log-in-with-passkey'

async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    throw new CallError(response.ok ? 0 : response.status, 'Can’t read the server’s response.')
  }
}

interface Refusal {
  error?: string
  fields?: Record<string, string>
}

export function refusalOf(response: Response, body: unknown): CallError {
  const { error = 'The request failed.', fields = {} } = (body ?? {}) as Refusal
  // The server lost patience with the connection, which says nothing about what was asked.
  if (response.status === 408) return new CallError(408, timedOut)
  const retryAfterSeconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
  return new CallError(response.status, error, {
    fields,
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfterSeconds) ? retryAfterSeconds : undefined,
  })
}

/** Repeats the name for each item of a list and leaves out undefined values. */
function printQuery(input: object): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input) as [string, unknown][])
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) query.append(name, String(one))
  return query.size === 0 ? '' : `?${query}`
}
