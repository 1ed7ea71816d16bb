import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { invalid } from '../core/errors.ts'
import { errorResponse } from './responses.ts'

/**
 * Answers what is no request of HTTP at all, and what did not arrive in time, in the shape of all other refusals. Node tells of
 * them before there is a request or an answer, so that this one is written by hand; the connection ends with it.
 */
export function answerBrokenRequest(error: { code?: string }, socket: Socket, headers: Record<string, string>): void {
  // The caller is gone, or an answer is under way already.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy()
    return
  }
  const status = statusOf(error.code)
  const body = JSON.stringify(errorResponse(invalid({ '': problems[status] })).body)
  const lines = Object.entries({
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'))
}

const problems = {
  400: 'the request is malformed',
  408: 'the request did not arrive in time',
  431: 'the headers are too large',
} as const

function statusOf(code: string | undefined): keyof typeof problems {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408
  return code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
}
