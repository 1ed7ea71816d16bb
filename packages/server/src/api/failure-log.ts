import { ServiceError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { errorResponse } from './payloads.ts'

/** Logs a failed request. Other mistakes of callers are not logged; those of known callers are in the activity. */
export type LogFailure = (error: unknown, request: { requestId: string; operation: string }) => void

const quietMs = 60_000

/**
 * Outages and bugs get a line each. Refused callers (wrong credentials, missing permissions, foreign hosts and pages) get one line a minute
 * for each operation and reason, with how many there were since the line before: strangers could otherwise fill the disk.
 */
export function createFailureLog(log: Log, now: () => number = () => performance.now()): LogFailure {
  const kinds = new Map<string, { count: number; loggedAt: number }>()

  return (error, request) => {
    const { status } = errorResponse(error)
    if (error instanceof ServiceError && (status === 401 || status === 403)) {
      const name = `${request.operation} ${error.code}`
      const kind = kinds.get(name) ?? { count: 0, loggedAt: -Infinity }
      kinds.set(name, kind)
      kind.count++
      if (now() - kind.loggedAt < quietMs) return
      log.info('requests refused', { ...request, status, code: error.code, count: kind.count })
      Object.assign(kind, { count: 0, loggedAt: now() })
    } else if (status >= 500) {
      const level = error instanceof ServiceError && error.code === 'overloaded' ? 'warn' : 'error'
      log[level]('request failed', { ...request, status, error })
    }
  }
}
