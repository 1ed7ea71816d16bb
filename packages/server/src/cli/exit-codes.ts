/** What scripts can rely on. */
export const exitCodes = { success: 0, failure: 1, usage: 2, refused: 3, notFound: 4, unavailable: 5 } as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** A command that must end with a message on stderr; `next` says what to do about it. */
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

/** The same for a call that was answered through HTTP and one that ran in this process. */
export function exitCodeOf(status: number): ExitCode {
  if (status === 400 || status === 413) return exitCodes.usage
  if (status === 401 || status === 403) return exitCodes.refused
  if (status === 404) return exitCodes.notFound
  return status === 429 || status === 503 ? exitCodes.unavailable : exitCodes.failure
}
