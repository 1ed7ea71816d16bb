/**
 * The only error that operations throw on purpose. Codes are for programs and logs; only `api/payloads.ts` maps them to
 * statuses. Messages are sent to the caller unchanged, so they never quote content or keys.
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

/** Why a call was refused, where the code alone doesn't say it. For metrics. */
export const refusals = [
  'agent_key',
  'dashboard_session',
  'operator_token',
  'setup_token',
  'password',
  'passkey',
  'rate_limit',
  'quota',
  'login_throttle',
  'too_many_requests',
  'too_many_writes',
  'too_many_logins',
] as const
export type Refusal = (typeof refusals)[number]

export type FieldErrors = Record<string, string>

interface Details {
  fields?: FieldErrors
  retryAfterSeconds?: number
  refusal?: Refusal
  cause?: unknown
}

export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly fields: FieldErrors | undefined
  readonly retryAfterSeconds: number | undefined
  readonly refusal: Refusal | undefined

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'ServiceError'
    this.code = code
    this.fields = details.fields
    this.retryAfterSeconds = details.retryAfterSeconds
    this.refusal = details.refusal
  }
}

/** A request with invalid fields. The message repeats the first problem, for agents that read only the message. */
export function invalid(fields: FieldErrors): ServiceError {
  const [first] = Object.entries(fields)
  const problem = first === undefined ? 'bad request' : first[0] === '' ? first[1] : `${first[0]}: ${first[1]}`
  return new ServiceError('invalid', `Validation failed: ${problem}`, { fields })
}

/** The same text for missing, malformed, unknown, revoked and expired credentials, so callers can't tell them apart. */
export const unauthenticated = (what: keyof typeof credentials = 'agent key') =>
  new ServiceError('unauthenticated', `Invalid or missing ${what}`, { refusal: credentials[what] })

const credentials = {
  'agent key': 'agent_key',
  'dashboard session': 'dashboard_session',
  'operator token': 'operator_token',
  'setup token': 'setup_token',
} as const

/** The same text for an unknown address and a wrong password. */
export const wrongLogIn = () =>
  new ServiceError('unauthenticated', 'Invalid email or password', { refusal: 'password' })

/** The same text for a passkey that is unknown, removed or not valid. */
export const wrongPasskey = () =>
  new ServiceError('unauthenticated', "This passkey isn't registered here", { refusal: 'passkey' })

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

/** Also returned for things that belong to other users or are in vaults that the key can't access. */
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
    | 'Proposal'
    | 'Invitation'
    | 'Member'
    | 'Route',
) => new ServiceError('not_found', `${thing} not found`)

/** The caller asked for a check that failed (`expectedVersion`), or the server can't do this in its current state. */
export const conflict = (message: string) => new ServiceError('conflict', message)

export const tooLarge = (limitBytes: number) =>
  new ServiceError('too_large', `Request body is larger than ${limitBytes} bytes`)

export const notJson = () => new ServiceError('not_json', 'Send the body as Content-Type: application/json')

export const rateLimited = (retryAfterSeconds: number, refusal: Refusal = 'rate_limit') =>
  new ServiceError('rate_limited', 'Too many requests', { retryAfterSeconds, refusal })

/** An outage. It is never reported as an empty result. */
export const unavailable = (reason: string, { cause }: { cause?: unknown } = {}) =>
  new ServiceError('unavailable', `Temporarily unavailable: ${reason}`, { retryAfterSeconds: 5, cause })

/** A rotation is deleting the key that the call seals with. */
export const formerKeys = () => unavailable('the keys of this call were replaced; try again')

/** Looks the same to callers, but nothing is broken: there is too much load. */
export const overloaded = (reason: string, retryAfterSeconds: number, refusal: Refusal = 'too_many_requests') =>
  new ServiceError('overloaded', `Temporarily unavailable: ${reason}`, { retryAfterSeconds, refusal })
