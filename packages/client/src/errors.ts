interface Details {
  status: number
  fields?: Record<string, string> | undefined
  retryAfter?: number | undefined
  requestId?: string | undefined
  cause?: unknown
}

/** A call that did not succeed: the service refused it, or no answer of the service arrived. */
export class HoldfastError extends Error {
  /** HTTP status; 0 where no answer arrived, so that nobody knows whether a write took place. */
  readonly status: number
  /** With status 400: each wrong field (`path.to.field`) and its problem. */
  readonly fields: Readonly<Record<string, string>> | undefined
  /** Seconds to wait before trying again, where the service said so. */
  readonly retryAfter: number | undefined
  /** Names the request in the log of the server. */
  readonly requestId: string | undefined

  constructor(message: string, { status, fields, retryAfter, requestId, cause }: Details) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'HoldfastError'
    this.status = status
    this.fields = fields
    this.retryAfter = retryAfter
    this.requestId = requestId
  }
}
