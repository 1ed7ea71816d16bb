import type { Answer } from './call.ts'
import { checkMaxRetries, checkTimeoutMs, type Connection } from './connection.ts'
import { ConnectionError, HoldfastError, QuotaError, refusalOf, TimeoutError } from './errors.ts'
import type { Route } from './generated/routes.ts'
import type { CallOptions } from './method.ts'

/** One call over HTTP: time-out, attempts and errors. */

const firstPauseMs = 250

export async function sendCall(
  connection: Connection,
  route: Route,
  input: object,
  options: CallOptions,
): Promise<Answer<unknown>> {
  const { signal } = options
  signal?.throwIfAborted()
  const maxRetries = checkMaxRetries(options.maxRetries ?? connection.maxRetries)
  const timeoutMs = options.timeoutMs === undefined ? connection.timeoutMs : checkTimeoutMs(options.timeoutMs)
  const ending = new AbortController()
  const end = () => ending.abort(signal?.reason)
  const timer = setTimeout(end, timeoutMs)
  signal?.addEventListener('abort', end, { once: true })
  const plan = { deadline: performance.now() + timeoutMs, maxRetries, signal: ending.signal }
  try {
    return await attempt(connection, route, input, plan)
  } catch (error) {
    signal?.throwIfAborted()
    if (ending.signal.aborted) throw new TimeoutError(`No answer within ${timeoutMs} ms`, { status: 0, cause: error })
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

interface Plan {
  /** By performance.now(). */
  deadline: number
  maxRetries: number
  signal: AbortSignal
}

/**
 * Tries again, after the pause that the service asks for or a growing one, as long as that fits into the time-out.
 * A 429 is refused before anything was done. A lost connection and an outage leave it open whether a write took place
 * (the store can fail while it commits), so only what does no more the second time is repeated then.
 */
async function attempt(
  connection: Connection,
  route: Route,
  input: object,
  { deadline, maxRetries, signal }: Plan,
): Promise<Answer<unknown>> {
  for (let retries = 0; ; retries++) {
    const result = await readAnswer(() => sendRequest(connection, route, input, signal))
    if (!(result instanceof HoldfastError)) return result
    const pauseMs = pauseAfter(result, retries)
    const mayRepeat = isRefusedForNow(result) || (isOpen(result) && isRepeatable(route, input, connection))
    if (!mayRepeat || retries >= maxRetries || signal.aborted || performance.now() + pauseMs >= deadline) throw result
    await pause(pauseMs, signal)
  }
}

function sendRequest({ url, headers, fetch }: Connection, route: Route, input: object, signal: AbortSignal) {
  const { method, path } = route
  const target = new URL(path.slice(1), url)
  const isInUrl = method === 'GET' || method === 'DELETE'
  if (isInUrl) target.search = new URLSearchParams(given(input)).toString()
  return fetch(target, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(!isInUrl && { body: JSON.stringify(input) }),
    signal,
    // A followed redirect would lose the body or carry the key elsewhere.
    redirect: 'manual',
  })
}

const given = (input: object) =>
  Object.entries(input)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]): [string, string] => [name, String(value)])

const isRefusedForNow = (error: HoldfastError) => error.status === 429 && !(error instanceof QuotaError)

const isOpen = ({ status }: HoldfastError) => [0, 502, 503, 504].includes(status)

function isRepeatable({ repeatable }: Route, input: object, { headers }: Connection): boolean {
  const has = (field: string) => typeof (input as Record<string, unknown>)[field] === 'string'
  if (repeatable === 'withWriteId') return has('externalWriteId')
  if (repeatable === 'withRunId') return has('agentRunId') || 'x-agent-run-id' in headers
  return repeatable === 'always' || repeatable === 'asOneRun'
}

/** Half of it is chance, so that clients that were refused together do not come back together. */
function pauseAfter({ retryAfter = 0 }: HoldfastError, retries: number): number {
  const growing = firstPauseMs * 2 ** retries * (0.5 + Math.random() / 2)
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

async function readAnswer(send: () => Promise<Response>): Promise<Answer<unknown> | HoldfastError> {
  try {
    const response = await send()
    const { ok, status, headers } = response
    const text = await readText(response)
    if (text === undefined) return refusalOf(`The answer has more than ${maxAnswerBytes / 1024 ** 2} MiB`, { status })
    const data = parseJson(text)
    if (!ok || data === undefined) return refusal(response, data)
    return { data, status, requestId: headers.get('X-Request-Id') ?? undefined, headers }
  } catch (cause) {
    return new ConnectionError('The service cannot be reached', { status: 0, cause })
  }
}

/** Several times what the largest answer of the service takes. */
const maxAnswerBytes = 256 * 1024 ** 2

/** Undefined where it is longer than any answer of the service. */
async function readText(response: Response): Promise<string | undefined> {
  // Some fetches have no streams.
  if (!response.body) return response.text()
  const decoder = new TextDecoder()
  const reader = response.body.getReader()
  let text = ''
  let bytes = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    bytes += read.value.length
    if (bytes > maxAnswerBytes) {
      await reader.cancel()
      return undefined
    }
    text += decoder.decode(read.value, { stream: true })
  }
  return text + decoder.decode()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusal(response: Response, body: unknown): HoldfastError {
  const { type, status, headers } = response
  const { error, fields, retryAfter } = (body ?? {}) as {
    error?: unknown
    fields?: Record<string, string>
    retryAfter?: unknown
  }
  return refusalOf(typeof error === 'string' ? error : wordsFor(response), {
    status: type === 'opaqueredirect' ? 300 : status,
    fields,
    retryAfter: isWait(retryAfter) ? retryAfter : secondsOf(headers.get('Retry-After')),
    requestId: headers.get('X-Request-Id') ?? undefined,
  })
}

function wordsFor(response: Response): string {
  if (response.ok) return 'The answer is not JSON'
  if (isRedirect(response))
    return 'The address leads elsewhere, and a key is not carried along: use the one it leads to'
  return `The service answered ${response.status}`
}

// Browsers hide where a redirect leads, and its status.
const isRedirect = ({ type, status }: Response) => type === 'opaqueredirect' || (status >= 300 && status < 400)

const isWait = (seconds: unknown): seconds is number => typeof seconds === 'number' && seconds >= 0

// The other form of this header, a date, is not what the service sends.
const secondsOf = (header: string | null) => (header !== null && /^\d+$/.test(header) ? Number(header) : undefined)
