import { ServiceError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { errorResponse } from './responses.ts'

/** What the operator has to know of: outages and our own mistakes, not what callers did wrong. */
export function logFailure(log: Log, error: unknown, request: { requestId: string; operation: string }): void {
  const { status } = errorResponse(error)
  if (status < 500) return
  const level = error instanceof ServiceError && error.code === 'overloaded' ? 'warn' : 'error'
  log[level]('request failed', { ...request, status, error })
}
