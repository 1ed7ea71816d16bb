/**
 * The one error that operations throw on purpose. Codes are for code and logs; `api/responses.ts` alone turns
 * them into statuses. A message is sent to the caller as it stands, so it never quotes content or keys.
 */
export type ErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'scope_denied'
  | 'vault_denied'
  | 'inactive_integration'
  | 'encryption_not_configured'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'not_json'
  | 'rate_limited'
  | 'unavailable'
  | 'overloaded'

export type FieldErrors = Record<string, string>

interface Details {
  fields?: FieldErrors
  retryAfterSeconds?: number
  cause?: unknown
}

export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly fields: FieldErrors | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'ServiceError'
    this.code = code
    this.fields = details.fields
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** A request whose fields are wrong. The first problem is repeated in the message, so that an agent that reads only that can act. */
export function invalid(fields: FieldErrors): ServiceError {
  const [first] = Object.entries(fields)
  const problem = first === undefined ? 'bad request' : first[0] === '' ? first[1] : `${first[0]}: ${first[1]}`
  return new ServiceError('invalid', `Validation failed: ${problem}`, { fields })
}

/** One text for missing, malformed, unknown, revoked and expired credentials, so that none can be told from another. */
export const unauthenticated = (
  what: 'agent key' | 'dashboard session' | 'operator token' | 'set-up token' = 'agent key',
) => new ServiceError('unauthenticated', `Invalid or missing ${what}`)

/** One text for an e-mail that nobody has and for a wrong password. */
export const wrongLogIn = () => new ServiceError('unauthenticated', 'Invalid e-mail or password')

/** One text for a passkey that is unknown, was removed, or has not proven what it should. */
export const wrongPasskey = () => new ServiceError('unauthenticated', 'This passkey opens nothing here')

export const missingScope = (scope: string) =>
  new ServiceError('scope_denied', `SCOPE_DENIED: this key lacks the "${scope}" permission`)

export const vaultDenied = () =>
  new ServiceError('vault_denied', 'SCOPE_DENIED: this key has no access to the requested vault')

export const inactiveIntegration = () => new ServiceError('inactive_integration', 'Integration is inactive')

export const encryptionNotConfigured = () =>
  new ServiceError(
    'encryption_not_configured',
    'Integration encryption is not configured. Re-create the integration from the dashboard.',
  )

export const forbidden = (message: string) => new ServiceError('forbidden', message)

export const alreadySetUp = () => forbidden('Holdfast is already set up')

/** Also the answer for things of other users and in vaults that the key cannot see. */
export const notFound = (
  thing:
    | 'Memory'
    | 'Task'
    | 'Note'
    | 'Folder'
    | 'Message'
    | 'Node'
    | 'Run'
    | 'Turn'
    | 'Vault'
    | 'Version'
    | 'Integration'
    | 'Key'
    | 'Link'
    | 'User'
    | 'Session'
    | 'Passkey'
    | 'Webhook'
    | 'Delivery'
    | 'Backup'
    | 'Route',
  hint?: string,
) => new ServiceError('not_found', `${thing} not found${hint === undefined ? '' : `; ${hint}`}`)

/** Where the caller asked for a check (`expectedVersion`), or what runs here is in no state for it. */
export const conflict = (message: string) => new ServiceError('conflict', message)

export const tooLarge = (limitBytes: number) =>
  new ServiceError('too_large', `Request body is larger than ${limitBytes} bytes`)

export const notJson = () => new ServiceError('not_json', 'Send the body as Content-Type: application/json')

export const rateLimited = (retryAfterSeconds: number) =>
  new ServiceError('rate_limited', 'Too many requests', { retryAfterSeconds })

/** An outage, never passed off as an empty result. */
export const unavailable = (reason: string, { cause }: { cause?: unknown } = {}) =>
  new ServiceError('unavailable', `Temporarily unavailable: ${reason}`, { retryAfterSeconds: 5, cause })

/** The same for callers; nothing is broken, there is only too much to do. */
export const overloaded = (reason: string, retryAfterSeconds: number) =>
  new ServiceError('overloaded', `Temporarily unavailable: ${reason}`, { retryAfterSeconds })
