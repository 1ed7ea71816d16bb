import { WebhookVerificationError } from './errors.ts'
import type { WebhookEvent } from './generated/events.ts'

export interface VerifyOptions {
  /**
   * The signature to check: the one of Standard Webhooks, which includes a timestamp (the default), or `X-Service-Signature`,
   * which covers only the body and cannot stop a replay.
   */
  header?: 'webhook-signature' | 'x-service-signature' | undefined
  /** How far `webhook-timestamp` may be off, in seconds. Default: 300. */
  toleranceSeconds?: number | undefined
}

type HeaderText = string | readonly string[] | null | undefined

/** `Headers` of any library, pairs, or an object as in Node. */
export type WebhookHeaders =
  | Headers
  | { get(name: string): string | null | undefined }
  | Iterable<readonly [string, HeaderText]>
  | Readonly<Record<string, HeaderText>>

const defaultToleranceSeconds = 300

/**
 * Verifies a delivery and returns its event. Rejects with a WebhookVerificationError if it was not signed with the secret.
 * Pass the body exactly as it arrived: parsing and printing it again changes the signature. Comparisons take constant time.
 * An event may arrive more than once, so remember each `webhook-id`.
 */
async function verify(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = toBytes(rawBody)
  const isSigned =
    options.header === 'x-service-signature'
      ? await isBodySigned(body, headers, secret)
      : await isDeliverySigned(body, headers, secret, options.toleranceSeconds ?? defaultToleranceSeconds)
  if (!isSigned) throw verificationError('No signature matches this secret')
  return parseEvent(new TextDecoder().decode(body))
}

export const webhooks = { verify }

function parseEvent(text: string): WebhookEvent {
  try {
    return JSON.parse(text) as WebhookEvent
  } catch {
    // Without the cause, which quotes the body.
    throw verificationError('The body is signed, but is not JSON')
  }
}

const verificationError = (message: string) => new WebhookVerificationError(message, { status: 0 })

async function isDeliverySigned(body: Bytes, headers: WebhookHeaders, secret: string, toleranceSeconds: number) {
  const [id, timestamp, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    getHeader(headers, name),
  )
  if (id === undefined || timestamp === undefined || given === undefined)
    throw verificationError('The headers webhook-id, webhook-timestamp and webhook-signature are missing')
  const isInTime = Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds
  if (!/^\d+$/.test(timestamp) || !isInTime) throw verificationError('webhook-timestamp is too far off')
  const key = await importKey(decodeBase64(secret.replace(/^whsec_/, '')) ?? new Uint8Array())
  const signed = join(encode(`${id}.${timestamp}.`), body)
  // There are two signatures during a rotation.
  const signatures = given.split(' ').filter((one) => one.startsWith('v1,'))
  const matches = await Promise.all(signatures.map((one) => isSignedWith(key, decodeBase64(one.slice(3)), signed)))
  return matches.includes(true)
}

async function isBodySigned(body: Bytes, headers: WebhookHeaders, secret: string) {
  const given = getHeader(headers, 'x-service-signature')
  if (given === undefined) throw verificationError('The header X-Service-Signature is missing')
  const digits = /^sha256=([0-9a-f]{64})$/.exec(given)?.[1] ?? ''
  const signature = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  return isSignedWith(await importKey(encode(secret)), signature, body)
}

type Bytes = Uint8Array<ArrayBuffer>

type Key = Awaited<ReturnType<typeof importKey>>

const algorithm = { name: 'HMAC', hash: 'SHA-256' }

async function importKey(key: Bytes) {
  if (key.length === 0) throw new TypeError('secret: must be the whsec_… of the webhook')
  return crypto.subtle.importKey('raw', key, algorithm, false, ['verify'])
}

/** Web Crypto compares in constant time. */
const isSignedWith = async (key: Key, signature: Bytes | undefined, text: Bytes) =>
  signature !== undefined && crypto.subtle.verify(algorithm, key, signature, text)

// `instanceof Headers` would miss headers of another realm or library.
function getHeader(headers: WebhookHeaders, name: string): string | undefined {
  const found = isIterable(headers) ? findHeader([...headers], name) : findIn(headers, name)
  return typeof found === 'string' ? found : found?.join(', ')
}

const isIterable = (headers: WebhookHeaders): headers is Iterable<readonly [string, HeaderText]> & WebhookHeaders =>
  Symbol.iterator in headers

function findIn(headers: Exclude<WebhookHeaders, Iterable<unknown>>, name: string): HeaderText {
  return typeof headers.get === 'function' ? headers.get(name) : findHeader(Object.entries(headers), name)
}

const findHeader = (headers: readonly (readonly [string, HeaderText])[], name: string): HeaderText =>
  headers.find(([given]) => given.toLowerCase() === name)?.[1]

const encode = (text: string): Bytes => new TextEncoder().encode(text)

function toBytes(rawBody: string | Uint8Array | ArrayBuffer): Bytes {
  if (typeof rawBody === 'string') return encode(rawBody)
  if (rawBody instanceof Uint8Array || rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody)
  throw new TypeError('rawBody: must be the body as it arrived, as text or bytes, not parsed')
}

function join(first: Bytes, second: Bytes): Bytes {
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}

function decodeBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.codePointAt(0) ?? 0)
  } catch {
    return undefined
  }
}
