interface Details {
  fields: Readonly<Record<string, string>>
  requestId: string | undefined
  retryAfterSeconds: number | undefined
}

/** A call that failed. Status 0 means that no response arrived. The message comes from the server and says what to do. */
export class CallError extends Error {
  readonly status: number
  readonly fields: Readonly<Record<string, string>>
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, message: string, details: Partial<Details> = {}) {
    super(message)
    this.name = 'CallError'
    this.status = status
    this.fields = details.fields ?? {}
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

export const isSignedOut = (error: unknown) => error instanceof CallError && error.status === 401
/** Also true when the id in the URL, sent as `idField`, isn't an id. */
export const isNotFound = (error: unknown, idField = 'id') =>
  error instanceof CallError && (error.status === 404 || (error.status === 400 && idField in error.fields))

const transient = new Set([0, 408, 502, 503, 504])

/** Failures that are worth an automatic retry. */
export const isTransient = (error: unknown) => error instanceof CallError && transient.has(error.status)

export const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : 'Something went wrong. Try again.'
