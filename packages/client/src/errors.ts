/** Details of a failed call. */
export interface FailureDetails {
  status: number
  fields?: Record<string, string> | undefined
  retryAfter?: number | undefined
  requestId?: string | undefined
  cause?: unknown
}

/** A failed call: the server rejected it, or no answer arrived. The message never contains what was sent. */
export class HoldfastError extends Error {
  override name = 'HoldfastError'
  /** HTTP status; 0 if no answer arrived. Then it is unknown whether a write happened. */
  readonly status: number
  /** Seconds to wait before a retry, if the server said so. */
  readonly retryAfter: number | undefined
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined

  constructor(message: string, { status, retryAfter, requestId, cause }: FailureDetails) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.retryAfter = retryAfter
    this.requestId = requestId
  }
}

/** The call is invalid (400), too large (413), or not JSON (415). */
export class BadRequestError extends HoldfastError {
  override name = 'BadRequestError'
  /** The invalid fields (`path.to.field`) and their problems. */
  readonly fields: Readonly<Record<string, string>>

  constructor(message: string, details: FailureDetails) {
    super(message, details)
    this.fields = details.fields ?? {}
  }
}

/** 401: the key is missing, unknown, expired or revoked. The server does not say which. */
export class AuthenticationError extends HoldfastError {
  override name = 'AuthenticationError'
}

/** 403: the key is valid, but the call is not allowed. */
export class PermissionError extends HoldfastError {
  override name = 'PermissionError'
}

/** 403: the key lacks a scope, or may not use the vault. */
export class ScopeDeniedError extends PermissionError {
  override name = 'ScopeDeniedError'
  /** `read`, `write`, `search` or `admin`; undefined if the vault is denied. */
  readonly scope: string | undefined

  constructor(message: string, details: FailureDetails) {
    super(message, details)
    this.scope = /"(\w+)" permission/.exec(message)?.[1]
  }
}

/** 404: the record doesn't exist, or this key can't see it. */
export class NotFoundError extends HoldfastError {
  override name = 'NotFoundError'
}

/** 409: the record doesn't match `expectedVersion` or `expectedStatus`. */
export class ConflictError extends HoldfastError {
  override name = 'ConflictError'
}

/** 429: too many requests. `retryAfter` says how many seconds to wait. */
export class RateLimitError extends HoldfastError {
  override name = 'RateLimitError'
}

/** 429: the monthly quota is used up. */
export class QuotaError extends RateLimitError {
  override name = 'QuotaError'
}

/** 500 and above: a fault in the server. The same call would fail again. */
export class ServerError extends HoldfastError {
  override name = 'ServerError'
}

/** 502, 503, 504: the server is temporarily unavailable. It is unknown whether a write happened. */
export class UnavailableError extends ServerError {
  override name = 'UnavailableError'
}

/** No answer arrived. It is unknown whether a write happened. */
export class ConnectionError extends HoldfastError {
  override name = 'ConnectionError'
}

/** The call timed out. It is unknown whether a write happened. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError'
}

/** A webhook delivery was not signed with the secret, or is too old. */
export class WebhookVerificationError extends HoldfastError {
  override name = 'WebhookVerificationError'
}

const errorClasses: Record<number, typeof HoldfastError> = {
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

/** Creates the error for an answer of the server. */
export function createError(message: string, details: FailureDetails): HoldfastError {
  return new (errorClassFor(details.status, message))(message, details)
}

function errorClassFor(status: number, message: string): typeof HoldfastError {
  if (status === 403) return message.startsWith('SCOPE_DENIED') ? ScopeDeniedError : PermissionError
  if (status === 429) return message.startsWith('Quota exceeded') ? QuotaError : RateLimitError
  return errorClasses[status] ?? (status >= 500 ? ServerError : HoldfastError)
}
