import type { ClientRequest, IncomingMessage } from 'node:http'
import type { RequestOptions } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { request as requestPlain } from '../core/node-http.ts'
import type { PostOutcome, PostRequest } from '../operation/context.ts'
import { parseAddress } from './address.ts'
import type { Vetted, VetUrl } from './vet-url.ts'

/**
 * The only way to send a request to a URL that a user entered or a program named. It connects only to vetted addresses, doesn't follow
 * redirects, uses no proxy, doesn't reuse connections, and reads only as much of the response as it needs.
 */
export type Post = (url: string, request: PostRequest) => Promise<PostOutcome>

/** Reads a short document. Undefined if it can't be read, for any reason. */
export type ReadDocument = (url: string) => Promise<string | undefined>

const totalTimeoutMs = 10_000
const connectTimeoutMs = 5_000
const maxAnswerBytes = 4096
const maxDocumentBytes = 16 * 1024
/** Time limit for the rest of a response after its status has arrived. */
const bodyTimeoutMs = 1_000

export const createPost =
  (vetUrl: VetUrl): Post =>
  (url, { headers, body, signal }) =>
    sendVetted(vetUrl, url, AbortSignal.any([signal, AbortSignal.timeout(totalTimeoutMs)]), {
      method: 'POST',
      headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
      body,
      read(request, response) {
        drain(request, response)
        return outcomeOf(response)
      },
    })

export const createReadDocument =
  (vetUrl: VetUrl): ReadDocument =>
  async (url) => {
    let text: string | undefined
    await sendVetted(vetUrl, url, AbortSignal.timeout(totalTimeoutMs), {
      method: 'GET',
      headers: { Accept: 'application/json' },
      body: undefined,
      async read(request, response) {
        if (response.statusCode === 200) text = await readText(response)
        request.destroy()
        return outcomeOf(response)
      },
    })
    return text
  }

interface Sending {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | undefined
  read(request: ClientRequest, response: IncomingMessage): PostOutcome | Promise<PostOutcome>
}

async function sendVetted(vetUrl: VetUrl, url: string, deadline: AbortSignal, sending: Sending): Promise<PostOutcome> {
  const vetted = await beforeAbort(deadline, vetUrl(url, deadline))
  if (vetted === undefined || deadline.aborted) return failure('timed out')
  if (!vetted.isAllowed) return failure(vetted.reason)
  return send(vetted, sending, deadline)
}

/** Resolves to undefined if the signal aborts first, because a DNS lookup may continue long after it was cancelled. */
function beforeAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve(undefined)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}

const failure = (problem: string): PostOutcome => ({ status: undefined, retryAfter: undefined, problem })

type Target = Extract<Vetted, { isAllowed: true }>

function send(target: Target, sending: Sending, signal: AbortSignal): Promise<PostOutcome> {
  return new Promise((resolve) => {
    const request = open(target, sending, signal)
    const giveUp = setTimeout(() => request.destroy(timedOut()), connectTimeoutMs)
    request.once('socket', (socket: Socket) => {
      socket.once(target.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        clearTimeout(giveUp)
        const remote = parseAddress(socket.remoteAddress ?? '')
        const isVetted = remote !== undefined && target.addresses.some((address) => parseAddress(address) === remote)
        // Checked before anything is sent.
        if (isVetted) request.end(sending.body)
        else request.destroy(new Error('connected elsewhere'))
      })
    })
    request.once('response', (response) => resolve(sending.read(request, response)))
    request.once('error', (error) => resolve(failure(describeFailure(error))))
    request.once('close', () => {
      clearTimeout(giveUp)
      resolve(failure('connection closed without an answer'))
    })
  })
}

function open(
  { url, host, port, addresses }: Target,
  { method, headers }: Sending,
  signal: AbortSignal,
): ClientRequest {
  const isLiteral = isIP(host) !== 0
  const options: RequestOptions = {
    method,
    hostname: host,
    port,
    path: url.pathname + url.search,
    headers: { ...headers, Host: url.host },
    lookup: answerWith(addresses),
    // A separate agent for this request, so it shares no connection, TLS session or proxy setting.
    agent: false,
    signal,
  }
  if (url.protocol === 'http:') return requestPlain(options)
  // With the first request: with TLS it takes 5 MB.
  const { request: requestTls } = process.getBuiltinModule('node:https')
  return requestTls({ ...options, servername: isLiteral ? '' : host, rejectUnauthorized: true })
}

// Used only for host names. Addresses in the URL need no lookup and were vetted directly.
const answerWith =
  (addresses: readonly string[]): LookupFunction =>
  (_, { all }, callback) => {
    const known = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first] = known
    if (all === true) callback(null, known)
    else callback(null, first?.address ?? '', first?.family ?? 4)
  }

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): PostOutcome {
  const isRedirect = statusCode >= 300 && statusCode < 400
  const isAccepted = statusCode >= 200 && statusCode < 300
  return {
    status: statusCode,
    retryAfter: headers['retry-after'],
    problem: isAccepted ? undefined : `HTTP ${statusCode}${isRedirect ? ' (redirects are not followed)' : ''}`,
  }
}

/** Undefined if the document is too long or is cut off. */
function readText(response: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxDocumentBytes) resolve(undefined)
      else chunks.push(chunk)
    })
    response.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    response.once('error', () => resolve(undefined))
    response.once('close', () => resolve(undefined))
  })
}

/** Reads a short response to its end, so the sender sees no connection reset, and cuts off a long one. */
function drain(request: ClientRequest, response: IncomingMessage): void {
  const cut = setTimeout(() => request.destroy(), bodyTimeoutMs)
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxAnswerBytes) request.destroy()
  })
  response.on('error', () => {})
  response.once('close', () => clearTimeout(cut))
}

const timedOut = () => Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })

const texts: [pattern: RegExp, text: string][] = [
  [/^(ETIMEDOUT|ABORT_ERR|ESOCKETTIMEDOUT)$/, 'timed out'],
  [/^ECONNREFUSED$/, 'connection refused'],
  [/^(ECONNRESET|EPIPE)$/, 'connection reset'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'host unreachable'],
  [/CERT|SELF_SIGNED|UNABLE_TO|^ERR_TLS|^ERR_SSL|^EPROTO$/, 'TLS connection refused'],
  [/^HPE_/, 'the answer is not HTTP'],
]

/** Uses fixed texts only, because error messages contain addresses. */
function describeFailure(error: Error): string {
  const code = codeOf(error)
  const [, text = 'connection failed'] = texts.find(([pattern]) => pattern.test(code)) ?? []
  return code === '' || text === 'timed out' ? text : `${text} (${code})`
}

function codeOf(error: Error): string {
  const { code, errors } = error as { code?: unknown; errors?: unknown[] }
  const [inner] = errors ?? []
  const found = code ?? (inner as { code?: unknown } | undefined)?.code
  return typeof found === 'string' && /^\w{1,60}$/.test(found) ? found : ''
}
