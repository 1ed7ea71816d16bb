import { pino, type DestinationStream } from 'pino'

/**
 * Log lines contain ids, numbers and names from our own closed lists, never content. Only the fields below are logged. An
 * error is reduced to its class, code and stack frames, because its message may quote input.
 */
export interface LogFields {
  requestId?: string
  operation?: string
  job?: string
  status?: number
  code?: string
  ms?: number
  userId?: string
  integrationId?: string
  vaultId?: string
  table?: string
  recordId?: string
  problem?: string
  host?: string
  port?: number
  count?: number
  bytes?: number
  version?: string
  dialect?: string
  /** What to do about it. */
  advice?: string
  error?: unknown
  /** Of OpenTelemetry, under the names that its tools look for. */
  trace_id?: string
  span_id?: string
}

export interface Log {
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const out = pino(
    { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"`, messageKey: 'event' },
    destination ?? pino.destination({ dest: 1, sync: true }),
  )
  // Of a level that is off, pino's own function, which does nothing.
  const write = (to: 'debug' | 'info' | 'warn' | 'error'): Log['info'] =>
    out.isLevelEnabled(to) ? (event, fields = {}) => out[to](allowed(fields), event) : out[to]
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

const plainFields = [
  'requestId',
  'operation',
  'job',
  'status',
  'code',
  'ms',
  'userId',
  'integrationId',
  'vaultId',
  'table',
  'recordId',
  'problem',
  'host',
  'port',
  'count',
  'bytes',
  'version',
  'dialect',
  'advice',
  'trace_id',
  'span_id',
] as const satisfies (keyof LogFields)[]

// Types don't catch an object that was widened on the way here.
function allowed(fields: LogFields): Record<string, unknown> {
  const line: Record<string, unknown> = {}
  for (const name of plainFields) if (fields[name] !== undefined) line[name] = fields[name]
  if (fields.error !== undefined) line.error = describeError(fields.error)
  return line
}

function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error }
  const { code } = error as { code?: unknown }
  return {
    name: error.constructor.name,
    ...(typeof code === 'string' && /^\w{1,40}$/.test(code) && { code }),
    at: framesOf(error),
    ...(error.cause !== undefined && depth < 3 && { cause: describeError(error.cause, depth + 1) }),
  }
}

// The stack repeats the message, which may span lines and even imitate frames, so it is cut off first. If the stack
// doesn't begin with the class and this exact message (because something replaced one of them), none of its lines can be
// trusted.
function framesOf({ stack, message }: { stack?: unknown; message: unknown }): string[] {
  if (typeof stack !== 'string') return []
  const headerEnd = message === '' ? '\n' : `: ${String(message)}\n`
  const at = stack.indexOf(headerEnd)
  if (at === -1 || !/^[\w$]*( \[\w+\])?$/.test(stack.slice(0, at))) return []
  return stack
    .slice(at + headerEnd.length)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, 8)
}
