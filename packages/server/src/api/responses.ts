import { ServiceError, type ErrorCode } from '../core/errors.ts'

/** The only place that knows statuses. */
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

/** What the caller is told. Anything but a ServiceError is our own mistake: 500, one constant text, the cause in the log. */
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

/** The statuses that a route may answer with, for the API description. */
export const errorStatuses = (codes: readonly ErrorCode[]) =>
  [...new Set(codes.map((code) => statuses[code]))].toSorted((a, b) => a - b)
