import type { Readable } from 'node:stream'
import { invalid, notJson, tooLarge, ServiceError, type ErrorCode } from '../core/errors.ts'
import { sharedSteps } from '../core/in-pieces.ts'
import { parseJson, type JsonValue } from '../core/json.ts'

/** Bodies of requests and answers: reading JSON, statuses, and errors. */

/**
 * Larger bodies that arrive together are parsed in several turns of the event loop, each for some milliseconds: 256 of 147 kB had stopped it
 * for 160 ms, of which the rest of these calls took 70. Smaller ones don't wait.
 */
const largeBytes = 16_384
const parseInTurn = sharedSteps()

/** Reads a JSON request body up to the route's limits. A missing body counts as `{}`. */
export async function readJsonBody(
  stream: Readable,
  headers: BodyHeaders,
  limitBytes: number,
  maxCommas?: number,
): Promise<JsonValue> {
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
  const bytes = await readAll(stream, limitBytes)
  if (bytes.length === 0) return {}
  if (!isJson(headers['content-type'])) throw notJson()
  const parse = () => parseJson(bytes, maxCommas)
  return bytes.length > largeBytes ? parseInTurn(parse) : parse()
}

/** Reads a form, as OAuth sends it. */
export async function readForm(stream: Readable, headers: BodyHeaders, limitBytes: number): Promise<URLSearchParams> {
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
  const bytes = await readAll(stream, limitBytes)
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw invalid({ '': 'send the body as application/x-www-form-urlencoded' })
  return new URLSearchParams(bytes.toString('utf8'))
}

interface BodyHeaders {
  'content-length'?: string | undefined
  'content-type'?: string | undefined
}

// With events, because a stream's iterator takes 30 µs and closes the connection before an error can be sent.
function readAll(stream: Readable, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The caller left during authentication; the events below would never fire.
    if (stream.destroyed) return reject(cutOff())
    const chunks: Buffer[] = []
    let total = 0
    stream.on('data', (chunk: Buffer) => {
      total += chunk.length
      if (total > limitBytes) reject(tooLarge(limitBytes))
      else chunks.push(chunk)
    })
    stream.once('end', () => resolve(Buffer.concat(chunks, total)))
    // The sender left in the middle. This is not a server error, even if no one reads the answer.
    stream.once('error', () => reject(cutOff()))
    stream.once('close', () => {
      // The stream also closes after a complete body, for which no error is needed (creating one takes 15 µs).
      if (!stream.readableEnded) reject(cutOff())
    })
  })
}

const cutOff = () => invalid({ '': 'the body is incomplete' })

const isJson = (contentType: string | undefined) => /^application\/json\s*(;|$)/i.test(contentType ?? '')

/** The only place that maps errors to statuses. */
const statuses: Record<ErrorCode, number> = {
  invalid: 400,
  unauthenticated: 401,
  scope_denied: 403,
  vault_denied: 403,
  inactive_integration: 403,
  encryption_not_configured: 403,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  not_json: 415,
  rate_limited: 429,
  unavailable: 503,
  overloaded: 503,
}

export interface ErrorResponse {
  status: number
  body: { error: string; fields?: Record<string, string>; retryAfter?: number }
  retryAfterSeconds: number | undefined
}

/** The answer for an error. Anything but a ServiceError is a bug: 500 with a constant text; the cause is in the log. */
export function errorResponse(error: unknown): ErrorResponse {
  if (!(error instanceof ServiceError))
    return { status: 500, body: { error: 'Internal server error' }, retryAfterSeconds: undefined }
  const { code, message, fields, retryAfterSeconds } = error
  return {
    status: statuses[code],
    body: {
      error: message,
      ...(fields !== undefined && { fields }),
      ...(code === 'rate_limited' && retryAfterSeconds !== undefined && { retryAfter: retryAfterSeconds }),
    },
    retryAfterSeconds,
  }
}

export const successStatus = (wasCreated: boolean) => (wasCreated ? 201 : 200)

/** The statuses for these codes, for the API description. */
export const errorStatuses = (codes: readonly ErrorCode[]) =>
  [...new Set(codes.map((code) => statuses[code]))].toSorted((a, b) => a - b)
