import type { Answer } from './call.ts'
import { checkMaxRetries, checkTimeoutMs, type Connection } from './connection.ts'
import { ConnectionError, HoldfastError, QuotaError, createError, TimeoutError } from './errors.ts'
import type { Route } from './generated/routes.ts'
import type { CallOptions } from './method.ts'

/** One call over HTTP: timeout, retries and errors. */

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
  /** In terms of performance.now(). */
  deadline: number
  maxRetries: number
  signal: AbortSignal
}

/**
 * Retries after the pause that the server asks for, or a growing one, as long as it fits into the timeout. A 429 means that
 * nothing was done. After a lost connection or an outage, it is unknown whether a write happened (the store may fail while it
 * commits), so then only calls that are safe to repeat are retried.
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
    const mayRepeat = isRateLimited(result) || (isUncertain(result) && isRepeatable(route, input, connection))
    if (!mayRepeat || retries >= maxRetries || signal.aborted || performance.now() + pauseMs >= deadline) throw result
    await pause(pauseMs, signal)
  }
}

function sendRequest({ url, headers, fetch }: Connection, route: Route, input: object, signal: AbortSignal) {
  const { method, path } = route
  const target = new URL(path.slice(1), url)
  const isInUrl = method === 'GET' || method === 'DELETE'
  if (isInUrl) target.search = new URLSearchParams(listGivenFields(input)).toString()
  return fetch(target, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(!isInUrl && { body: JSON.stringify(input) }),
    signal,
    // Following a redirect would lose the body or send the key elsewhere.
    redirect: 'manual',
  })
}

const listGivenFields = (input: object) =>
  Object.entries(input)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]): [string, string] => [name, String(value)])

const isRateLimited = (error: HoldfastError) => error.status === 429 && !(error instanceof QuotaError)

const isUncertain = ({ status }: HoldfastError) => [0, 502, 503, 504].includes(status)

function isRepeatable({ repeatable }: Route, input: object, { headers }: Connection): boolean {
  const has = (field: string) => typeof (input as Record<string, unknown>)[field] === 'string'
  if (repeatable === 'withWriteId') return has('externalWriteId')
  if (repeatable === 'withRunId') return has('agentRunId') || 'x-agent-run-id' in headers
  return repeatable === 'always' || repeatable === 'asOneRun'
}

/** Half of the pause is random, so clients that failed together do not retry together. */
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
    if (text === undefined)
      return createError(`The answer is larger than ${maxAnswerBytes / 1024 ** 2} MiB`, { status })
    const data = parseJson(text)
    if (!ok || data === undefined) return toError(response, data)
    return { data, status, requestId: headers.get('X-Request-Id') ?? undefined, headers }
  } catch (cause) {
    return new ConnectionError('The server cannot be reached', { status: 0, cause })
  }
}

/** Several times the size of the server's largest answer. */
const maxAnswerBytes = 256 * 1024 ** 2

/** Returns undefined if the answer is too large. */
async function readText(response: Response): Promise<string | undefined> {
  // Some fetch implementations have no streams.
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

function toError(response: Response, body: unknown): HoldfastError {
  const { type, status, headers } = response
  const { error, fields, retryAfter } = (body ?? {}) as {
    error?: unknown
    fields?: Record<string, string>
    retryAfter?: unknown
  }
  return createError(typeof error === 'string' ? error : describeStatus(response), {
    status: type === 'opaqueredirect' ? 300 : status,
    fields,
    retryAfter: isWait(retryAfter) ? retryAfter : parseSeconds(headers.get('Retry-After')),
    requestId: headers.get('X-Request-Id') ?? undefined,
  })
}

function describeStatus(response: Response): string {
  if (response.ok) return 'The answer is not JSON'
  if (isRedirect(response))
    return 'The server redirects to another URL. Keys are not sent along, so use that URL directly'
  return `The server answered ${response.status}`
}

// Browsers hide the target and status of a redirect.
const isRedirect = ({ type, status }: Response) => type === 'opaqueredirect' || (status >= 300 && status < 400)

const isWait = (seconds: unknown): seconds is number => typeof seconds === 'number' && seconds >= 0

// The server never sends the other form of this header, a date.
const parseSeconds = (header: string | null) => (header !== null && /^\d+$/.test(header) ? Number(header) : undefined)
