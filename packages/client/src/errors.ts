/** What is known of a call that did not succeed. */
export interface FailureDetails {
  status: number
  fields?: Record<string, string> | undefined
  retryAfter?: number | undefined
  requestId?: string | undefined
  cause?: unknown
}

/** A call that did not succeed: the service refused it, or no answer of the service arrived. Its message never holds what was sent. */
export class HoldfastError extends Error {
  override name = 'HoldfastError'
  /** HTTP status; 0 where no answer arrived, so that nobody knows whether a write took place. */
  readonly status: number
  /** Seconds to wait before trying again, where the service said so. */
  readonly retryAfter: number | undefined
  /** Names the request in the log of the server. */
  readonly requestId: string | undefined

  constructor(message: string, { status, retryAfter, requestId, cause }: FailureDetails) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.retryAfter = retryAfter
    this.requestId = requestId
  }
}

/** The call itself is wrong: 400, too large (413), or not JSON (415). */
export class BadRequestError extends HoldfastError {
  override name = 'BadRequestError'
  /** Each wrong field (`path.to.field`) and its problem. */
  readonly fields: Readonly<Record<string, string>>

  constructor(message: string, details: FailureDetails) {
    super(message, details)
    this.fields = details.fields ?? {}
  }
}

/** 401: the key is missing, unknown, expired or revoked; the service does not say which. */
export class AuthenticationError extends HoldfastError {
  override name = 'AuthenticationError'
}

/** 403: the key is good, and what it asked for is not allowed. */
export class PermissionError extends HoldfastError {
  override name = 'PermissionError'
}

/** 403: the key lacks a scope, or may not use the vault. */
export class ScopeDeniedError extends PermissionError {
  override name = 'ScopeDeniedError'
  /** `read`, `write`, `search` or `admin`; undefined where it is the vault that is denied. */
  readonly scope: string | undefined

  constructor(message: string, details: FailureDetails) {
    super(message, details)
    this.scope = /"(\w+)" permission/.exec(message)?.[1]
  }
}

/** 404: there is no such thing, or this key cannot see it. */
export class NotFoundError extends HoldfastError {
  override name = 'NotFoundError'
}

/** 409: it is not as `expectedVersion` or `expectedStatus` has it. */
export class ConflictError extends HoldfastError {
  override name = 'ConflictError'
}

/** 429: too many requests for now; `retryAfter` says for how many seconds. */
export class RateLimitError extends HoldfastError {
  override name = 'RateLimitError'
}

/** 429: the units of the month are used up. */
export class QuotaError extends RateLimitError {
  override name = 'QuotaError'
}

/** 500 and others above it: a mistake of the service, which the same call would meet again. */
export class ServerError extends HoldfastError {
  override name = 'ServerError'
}

/** 502, 503, 504: the service is away for a while. Nobody knows whether a write took place. */
export class UnavailableError extends ServerError {
  override name = 'UnavailableError'
}

/** No answer arrived. Nobody knows whether a write took place. */
export class ConnectionError extends HoldfastError {
  override name = 'ConnectionError'
}

/** No answer arrived in time. Nobody knows whether a write took place. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError'
}

/** What came to a receiver of webhooks was not signed by the service, or too long ago. */
export class WebhookVerificationError extends HoldfastError {
  override name = 'WebhookVerificationError'
}

const kinds: Record<number, typeof HoldfastError> = {
  400: BadRequestError,
  401: AuthenticationError,
  404: NotFoundError,
  409: ConflictError,
  413: BadRequestError,
  415: BadRequestError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
}

/** The error for an answer of the service. */
export function refusalOf(message: string, details: FailureDetails): HoldfastError {
  return new (kindOf(details.status, message))(message, details)
}

function kindOf(status: number, message: string): typeof HoldfastError {
  if (status === 403) return message.startsWith('SCOPE_DENIED') ? ScopeDeniedError : PermissionError
  if (status === 429) return message.startsWith('Quota exceeded') ? QuotaError : RateLimitError
  return kinds[status] ?? (status >= 500 ? ServerError : HoldfastError)
}
