import { ServiceError } from '../core/errors.ts'
import type { Log, LogFields } from '../core/log.ts'
import { errorResponse } from './payloads.ts'

/** Logs a failed request. Other mistakes of callers are not logged; those of known callers are in the activity. */
export type LogFailure = (error: unknown, request: { requestId: string; operation: string }) => void

interface FailureLog {
  logFailure: LogFailure
  /** Logs what was only counted so far. */
  flush(): void
}

const quietMs = 60_000

/**
 * Outages and bugs get a line each. Refused callers (wrong credentials, missing permissions, foreign hosts and pages, too much at once) get
 * a line at once for the first of each operation and reason, then one a minute with how many more there were: they could otherwise fill
 * the disk.
 * `countError` gets every error.
 */
export function createFailureLog(log: Log, countError: (error: unknown) => void): FailureLog {
  const kinds = new Map<string, { count: number; line: LogFields; timer: NodeJS.Timeout }>()

  function write(line: LogFields, count: number): void {
    log[line['status'] === 503 ? 'warn' : 'info']('requests refused', { ...line, count })
  }

  function countRefusal(request: { requestId: string; operation: string }, status: number, code: string): void {
    const name = `${request.operation} ${code}`
    const line = { ...request, status, code }
    const kind = kinds.get(name)
    if (kind === undefined) {
      write(line, 1)
      watch(name, line)
    } else {
      kind.count++
      kind.line = line
    }
  }

  function watch(name: string, line: LogFields): void {
    const timer = setTimeout(() => endMinute(name), quietMs).unref()
    kinds.set(name, { count: 0, line, timer })
  }

  function endMinute(name: string): void {
    const { count = 0, line = {} } = kinds.get(name) ?? {}
    kinds.delete(name)
    if (count === 0) return
    write(line, count)
    watch(name, line)
  }

  return {
    logFailure(error, request) {
      countError(error)
      const { status } = errorResponse(error)
      if (error instanceof ServiceError && (status === 401 || status === 403 || error.code === 'overloaded'))
        countRefusal(request, status, error.code === 'overloaded' ? (error.refusal ?? error.code) : error.code)
      else if (status >= 500) log.error('request failed', { ...request, status, error })
    },
    flush() {
      for (const { count, line, timer } of kinds.values()) {
        clearTimeout(timer)
        if (count > 0) write(line, count)
      }
      kinds.clear()
    },
  }
}
