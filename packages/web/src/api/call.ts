import { CallError } from './call-error.ts'
import { routes, type OperationName, type Operations } from './operations.ts'
import { noteReachable } from './reachability.ts'

export type InputOf<Name extends OperationName> = Operations[Name]['input']
export type OutputOf<Name extends OperationName> = Operations[Name]['output']

const timeoutMs = 30_000

/**
 * The one way to the server. Throws a CallError whatever goes wrong, also where there is no network; a request that its
 * caller has given up throws the signal's own reason.
 */
export async function call<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  signal?: AbortSignal,
): Promise<OutputOf<Name>> {
  const { method, path } = routes[name]
  const isInUrl = method === 'GET' || method === 'DELETE'
  const timeout = AbortSignal.timeout(timeoutMs)
  const response = await fetch(isInUrl ? path + printQuery(input) : path, {
    method,
    // Only a page of ours can send this header; the server asks for it on every change.
    headers: { 'X-Requested-With': 'holdfast', ...(!isInUrl && { 'Content-Type': 'application/json' }) },
    body: isInUrl ? null : JSON.stringify(input),
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    noteReachable(false)
    throw new CallError(0, timeout.aborted ? 'The server does not answer.' : 'The server can’t be reached.')
  })
  noteReachable(true)
  const body = await readBody(response)
  if (!response.ok) throw refusalOf(response, body)
  return body as OutputOf<Name>
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    throw new CallError(response.ok ? 0 : response.status, 'The answer could not be read.')
  }
}

interface Refusal {
  error?: string
  fields?: Record<string, string>
}

function refusalOf(response: Response, body: unknown): CallError {
  const { error = 'The request failed.', fields = {} } = (body ?? {}) as Refusal
  const retryAfterSeconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
  return new CallError(response.status, error, {
    fields,
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfterSeconds) ? retryAfterSeconds : undefined,
  })
}

/** Lists are sent as repeated names; what is undefined is left out. */
function printQuery(input: object): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input) as [string, unknown][])
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) query.append(name, String(one))
  return query.size === 0 ? '' : `?${query}`
}
