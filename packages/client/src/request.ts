import { HoldfastError } from './errors.ts'
import type { Route } from './generated/operations.ts'

/** One call over HTTP: time-out, attempts and errors. */
export interface Connection {
  /** Ends in a slash. */
  url: URL
  headers: Record<string, string>
  timeoutMs: number
  fetch: typeof globalThis.fetch
}

export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason. */
  signal?: AbortSignal
}

const maxAttempts = 4
const firstPauseMs = 250

/**
 * Tries again, after the pause that the service asks for or a growing one, as long as that fits into the time-out.
 * A 429 is refused before anything was done. A lost connection and a 503 leave it open whether a write took place (the
 * store can fail while it commits), so only what does no more the second time is repeated then.
 */
export async function callRoute(
  { url, headers, timeoutMs, fetch }: Connection,
  route: Route,
  input: object,
  { signal }: CallOptions,
): Promise<unknown> {
  const deadline = performance.now() + timeoutMs
  const timeOut = AbortSignal.timeout(timeoutMs)
  const ending = signal === undefined ? timeOut : AbortSignal.any([signal, timeOut])
  const request: RequestInit = {
    method: route.method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    ...(route.method === 'POST' && { body: JSON.stringify(input) }),
    signal: ending,
    // A followed redirect would lose the body or carry the key elsewhere.
    redirect: 'error',
  }
  const send = () => fetch(new URL(route.path.slice(1), url), request)
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted()
    const result = await readAnswer(send)
    if (!(result instanceof HoldfastError)) return result.body
    signal?.throwIfAborted()
    if (timeOut.aborted) throw new HoldfastError(`No answer within ${timeoutMs} ms`, { status: 0, cause: result.cause })
    const pauseMs = pauseAfter(result, attempt)
    const mayRepeat = result.status === 429 || (isOpen(result) && isRepeatable(route, input))
    if (!mayRepeat || attempt === maxAttempts || performance.now() + pauseMs >= deadline) throw result
    await pause(pauseMs, ending)
  }
}

const isOpen = ({ status }: HoldfastError) => status === 0 || status === 503

const isRepeatable = ({ repeatable }: Route, input: object) =>
  repeatable === 'always' ||
  (repeatable === 'withWriteId' && 'externalWriteId' in input && typeof input.externalWriteId === 'string')

/** Half of it is chance, so that clients that were refused together do not come back together. */
function pauseAfter({ retryAfter = 0 }: HoldfastError, attempt: number): number {
  const growing = firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
  return retryAfter * 1000 + growing
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })

async function readAnswer(send: () => Promise<Response>): Promise<{ body: unknown } | HoldfastError> {
  try {
    const response = await send()
    const text = await response.text()
    const body = parseJson(text)
    if (response.ok && body !== undefined) return { body }
    return refusal(response, body)
  } catch (cause) {
    return new HoldfastError('The service cannot be reached', { status: 0, cause })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusal({ ok, status, headers }: Response, body: unknown): HoldfastError {
  const { error, fields, retryAfter } = (body ?? {}) as {
    error?: unknown
    fields?: Record<string, string>
    retryAfter?: number
  }
  const fallback = ok ? 'The answer is not JSON' : `The service answered ${status}`
  return new HoldfastError(typeof error === 'string' ? error : fallback, {
    status,
    fields,
    retryAfter: retryAfter ?? secondsOf(headers.get('Retry-After')),
    requestId: headers.get('X-Request-Id') ?? undefined,
  })
}

// The other form of this header, a date, is not what the service sends.
const secondsOf = (header: string | null) => (header !== null && /^\d+$/.test(header) ? Number(header) : undefined)
