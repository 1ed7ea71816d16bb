import type { z } from 'zod'
import { version } from '../core/program.ts'

/** Stable: scripts rely on them. */
export const exitCodes = { success: 0, failure: 1, usage: 2, refused: 3, notFound: 4, unavailable: 5 } as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Ends a command with a message on stderr. `next` says what to do about it. */
export class CommandError extends Error {
  readonly exitCode: ExitCode
  readonly next: string | undefined

  constructor(exitCode: ExitCode, message: string, next?: string) {
    super(message)
    this.name = 'CommandError'
    this.exitCode = exitCode
    this.next = next
  }
}

/** The exit code for the status of a call, whether it ran over HTTP or in this process. */
export function exitCodeOf(status: number): ExitCode {
  if (status === 400 || status === 413) return exitCodes.usage
  if (status === 401 || status === 403) return exitCodes.refused
  if (status === 404) return exitCodes.notFound
  return status === 429 || status === 503 ? exitCodes.unavailable : exitCodes.failure
}

/** The error that a call ended with, without what only programs need, and as a sentence. */
export function refusedCall(status: number, error: string, next?: string): CommandError {
  const message = error.replace(/^Validation failed: /, '')
  return new CommandError(exitCodeOf(status), /[.?!]$/.test(message) ? message : `${message}.`, next)
}

/** Parses an answer. The server may have another version than this command line. */
export function readAnswer<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const { data, error } = schema.safeParse(answer)
  if (error === undefined) return data
  const other =
    typeof answer === 'object' && answer !== null && 'version' in answer ? ` (${String(answer.version)})` : ''
  throw new CommandError(
    exitCodes.failure,
    `This command line (${version}) cannot read the server's answer: the server has a different version${other}.`,
    'Use the command line from the server’s checkout, or restart the server after an upgrade.',
  )
}
