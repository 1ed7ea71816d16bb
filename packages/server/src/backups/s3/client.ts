import { setTimeout as delay } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { responseText } from '../../core/response-text.ts'
import { sha256 } from '../../crypto/hash.ts'
import { driverCode } from '../../db/store-error.ts'

/**
 * Signed requests to a server with the interface of Amazon S3. The bucket is in the path, which all of them understand. The server checks
 * the SHA-256 of each body, because it is signed. Redirects aren't followed: they would send the request to a host that no setting names.
 */

export interface S3Settings {
  endpoint: string
  region: string
  bucket: string
  /** Empty, or ends with a slash. */
  prefix: string
  keyId: string
  secret: string
}

/** Why S3 failed, for the owner. Contains no URL, no header and nothing of a response but its code. */
export class S3Problem extends Error {
  /** The code of the answer, such as `NoSuchKey`, or that of the connection. */
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.name = 'S3Problem'
    this.code = code
  }
}

export interface S3Request {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Undefined for the bucket itself. */
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array<ArrayBuffer>
  /** Its SHA-256, if it is known. */
  sha256?: string
  signal: AbortSignal
  /** For the whole answer. Default: 30 seconds. */
  timeoutMs?: number
  /** Statuses that the caller handles. */
  expects?: readonly number[]
}

const usualTimeoutMs = 30_000
const retryDelaysMs = [500, 1_000, 2_000, 4_000]
const isTemporary = (status: number) => status === 429 || status >= 500

/** Sends a request, again after failures that pass. The caller reads the body. Throws an S3Problem. */
export async function callS3(s3: S3Settings, request: S3Request): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const waitMs = retryDelaysMs[attempt]
    try {
      const response = await send(s3, request)
      if (response.ok || request.expects?.includes(response.status) === true) return response
      const problem = await explain(s3, response)
      if (!isTemporary(response.status) || waitMs === undefined) throw problem
    } catch (error) {
      request.signal.throwIfAborted()
      if (error instanceof S3Problem) throw error
      if (waitMs === undefined) throw unreachable(s3, error)
    }
    await delay(waitMs, undefined, { signal: request.signal })
  }
}

/** The same, with the whole answer as text. */
export async function askS3(s3: S3Settings, request: S3Request): Promise<string> {
  const response = await callS3(s3, request)
  try {
    return await readText(response)
  } catch (error) {
    request.signal.throwIfAborted()
    throw unreachable(s3, error)
  }
}

async function send(s3: S3Settings, request: S3Request): Promise<Response> {
  const { method, body, headers, signal, timeoutMs = usualTimeoutMs } = request
  const signed = await new AwsV4Signer({
    url: urlOf(s3, request),
    method,
    headers: { ...headers, 'x-amz-content-sha256': request.sha256 ?? sha256(body ?? '').toString('hex') },
    service: 's3',
    region: s3.region,
    accessKeyId: s3.keyId,
    secretAccessKey: s3.secret,
  }).sign()
  return fetch(signed.url, {
    method,
    headers: signed.headers,
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
}

/** Names of keys have no characters that would need to be encoded: see `read-settings.ts`. */
function urlOf({ endpoint, bucket }: S3Settings, { key, query = {} }: S3Request): string {
  const base = endpoint.endsWith('/') ? endpoint.slice(0, -1) : endpoint
  const search = new URLSearchParams(query).toString()
  return `${base}/${bucket}${key === undefined ? '' : `/${key}`}${search === '' ? '' : `?${search}`}`
}

/** A list of 1,000 objects has about 400 kB. */
const maxTextBytes = 4 * 1024 ** 2

const readText = (response: Response): Promise<string> =>
  responseText(response, maxTextBytes, () => new S3Problem('S3 sent an answer that is too long', 'TooLong'))

const reasons: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch: 'S3 refused the signature: HOLDFAST_BACKUP_S3_SECRET is wrong',
  InvalidAccessKeyId: 'S3 doesn’t know the key in HOLDFAST_BACKUP_S3_KEY_ID',
  AccessDenied: 'S3 denied access: the key needs to read, write, list and delete in this bucket',
  NoSuchBucket: 'the bucket doesn’t exist',
  RequestTimeTooSkewed: 'S3 refused the request because the clock of this machine is wrong',
}

async function explain(s3: S3Settings, response: Response): Promise<S3Problem> {
  const text = await readText(response).catch(() => '')
  const code = errorCode(text) ?? `http_${response.status}`
  if (response.status >= 300 && response.status < 400)
    return new S3Problem(`${hostOf(s3)} sent a redirect: check HOLDFAST_BACKUP_S3_ENDPOINT and _REGION`, code)
  return new S3Problem(reasons[code] ?? `S3 answered ${response.status} (${code})`, code)
}

export const errorCode = (xml: string): string | undefined =>
  /<Error>[^]*?<Code>([A-Za-z]{1,64})<\/Code>/.exec(xml)?.[1]

const hostOf = ({ endpoint }: S3Settings) => new URL(endpoint).host

/** Also for an answer that ends too early. */
export function unreachable(s3: S3Settings, error: unknown): S3Problem {
  if (error instanceof S3Problem) return error
  const { name, cause } = error as Error
  const code = name === 'TimeoutError' ? 'timeout' : driverCode(cause) || 'unreachable'
  return new S3Problem(`${hostOf(s3)} doesn’t answer (${code})`, code)
}
