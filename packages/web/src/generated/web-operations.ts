// Written by `npm run generate` from the registry of operations; do not edit.

export interface User {
  userId: string
  /** Empty if it is damaged. */
  email: string
  /** Display name; null if not set. */
  name: string | null
  /** Whether this person set up the instance. */
  isOwner: boolean
  /** Whether the stored email address and name can't be read. Signing in with the address works; set it again to repair it. */
  isDamaged: boolean
  /** When the owner disabled this user; null if not disabled. */
  disabledAt: string | null
}

/** Input of get-setup. */
export type GetSetupInput = Record<string, never>

/** Output of get-setup. */
export interface GetSetupOutput {
  needed: boolean
}

/** Input of set-up. */
export interface SetUpInput {
  /** The setup token, from the file that the server names when it starts. Only the operator needs none. */
  token?: string | undefined
  /** Email address; case doesn't matter. */
  email: string
  /** Password, at least 8 characters of any kind; 15 or more are better. */
  password: string
  /** Name of the first vault. Default: "Main". */
  vaultName?: string | undefined
  /** Name of the first integration. Default: "First agent". */
  label?: string | undefined
  /** What the first integration's key may do. Default: "read_write". */
  preset?: 'read_only' | 'read_write' | 'admin' | undefined
  /** False: no first integration. `integrationId` and `agentKey` are then left out. Default: true. */
  withAgent?: boolean | undefined
}

/** Output of set-up. */
export interface SetUpOutput {
  userId: string
  vaultId: string
  integrationId?: string
  /** For agents; shown once. */
  agentKey?: string
  /** For the dashboard API, valid for one hour; shown once. */
  dashboardToken: string
}

/** Input of log-in. */
export interface LogInInput {
  /** Email address; case doesn't matter. */
  email: string
  /** Password. */
  password: string
  /** A code from the authenticator app or a recovery code; each works once. If the account needs one and it is missing, the answer is a 400 that names this field. */
  totp?: string | undefined
}

/** Output of log-in. */
export interface LogInOutput {
  user: User
  /** The other half of the session. Send it as the header `X-Session-Key` with every request, together with the cookie. Returned once. */
  sessionKey: string
}

/** Input of get-passkey-challenge. */
export type GetPasskeyChallengeInput = Record<string, never>

/** Output of get-passkey-challenge. */
export interface GetPasskeyChallengeOutput {
  /** The origin at which passkeys work with this server; null if they can't, because it has no host name or no TLS. */
  origin: string | null
  /** A `PublicKeyCredentialRequestOptionsJSON` of the WebAuthn standard; null if passkeys can't work. */
  options: {
    challenge: string
    rpId: string
    timeout: number
    userVerification: 'required'
  } | null
}

/** Input of log-in-with-passkey. */
export interface LogInWithPasskeyInput {
  /** `id` of the credential that the browser returned. */
  credentialId: string
  /** Its `response.clientDataJSON`. */
  clientDataJSON: string
  /** Its `response.authenticatorData`. */
  authenticatorData: string
  /** Its `response.signature`. */
  signature: string
  /** Its `response.userHandle`. */
  userHandle: string
}

/** Output of log-in-with-passkey. */
export interface LogInWithPasskeyOutput {
  user: User
  /** The other half of the session. Send it as the header `X-Session-Key` with every request, together with the cookie. Returned once. */
  sessionKey: string
}

/** Input and output of each operation, and the item type of paged ones. */
export interface PublicOperations {
  /** Check whether this instance still needs to be set up. */
  'get-setup': { input: GetSetupInput; output: GetSetupOutput }
  /** Create the owner, a vault and a key for a first agent. Works once. */
  'set-up': { input: SetUpInput; output: SetUpOutput }
  /** Sign in: set the session cookie and return the session key. Both are needed. The session ends after 12 hours without use and after 7 days at the latest. */
  'log-in': { input: LogInInput; output: LogInOutput }
  /** Get the options for `navigator.credentials.get` to sign in. They are valid for five minutes and name no account. */
  'get-passkey-challenge': { input: GetPasskeyChallengeInput; output: GetPasskeyChallengeOutput }
  /** Sign in with a passkey, which replaces password and second factor. Sets the cookie and returns the session key as log-in does. */
  'log-in-with-passkey': { input: LogInWithPasskeyInput; output: LogInWithPasskeyOutput }
}

export type PublicOperationName = keyof PublicOperations

export const publicRoutes: Readonly<Record<PublicOperationName, { method: 'GET' | 'POST'; path: string }>> = {
  'get-setup': { method: 'GET', path: '/api/setup' },
  'set-up': { method: 'POST', path: '/api/setup' },
  'log-in': { method: 'POST', path: '/api/auth/login' },
  'get-passkey-challenge': { method: 'GET', path: '/api/auth/passkeys/challenge' },
  'log-in-with-passkey': { method: 'POST', path: '/api/auth/passkeys/login' },
}

/** The record types in the stream of events. */
export const changeTypes = [
  'memories',
  'tasks',
  'notes',
  'links',
  'messages',
  'documents',
  'runs',
  'agents',
  'vaults',
  'settings',
  'webhooks',
  'account',
] as const
export type ChangeType = (typeof changeTypes)[number]

/** The changes that make an operation's response outdated. Responses of unlisted operations are not refetched. */
export const outdatedBy: Readonly<Record<string, readonly ChangeType[]>> = {
  'list-tasks': ['tasks', 'links'],
  'read-note': ['notes', 'links'],
  'list-notes': ['notes', 'links'],
  'list-folders': ['notes'],
  'get-links': ['links', 'notes', 'memories', 'tasks'],
  'read-messages': ['messages'],
  'list-active-agents': ['agents', 'runs'],
  'get-settings': ['settings'],
  'list-vaults': ['vaults', 'memories', 'notes', 'tasks'],
  'read-session': ['account'],
  'list-users': ['account'],
  'list-sessions': ['account'],
  'read-totp': ['account'],
  'list-passkeys': ['account'],
  'list-integrations': ['agents'],
  'list-keys': ['agents'],
  'list-vault-members': ['vaults', 'account'],
  'list-webhooks': ['webhooks', 'messages'],
  'list-webhook-deliveries': ['webhooks', 'messages', 'memories', 'tasks', 'notes'],
  'read-usage': ['runs', 'memories', 'links'],
  'read-system': ['settings', 'account'],
  'check-system': ['settings', 'account'],
  'list-backups': ['settings'],
  'read-encryption-keys': ['settings'],
  'count-tasks': ['tasks', 'links'],
  'read-backlinks': ['notes', 'links', 'memories'],
  'read-mentions': ['notes'],
  'read-note-versions': ['notes', 'links'],
  'list-threads': ['messages'],
  'list-documents': ['documents'],
  'read-document-versions': ['documents'],
  'list-default-documents': ['documents'],
  'read-default-document-versions': ['documents'],
  'read-graph': ['links', 'notes', 'memories', 'tasks'],
  'read-entity': ['memories', 'tasks', 'notes'],
  'list-runs': ['runs', 'memories'],
  'list-run-calls': ['runs', 'memories'],
  'list-run-turns': ['runs', 'memories'],
  'list-memories': ['memories', 'links'],
  'count-memories': ['memories', 'links'],
  'read-memory-history': ['memories', 'links'],
  'list-review': ['memories', 'notes', 'links', 'agents'],
  'list-imports': ['memories', 'tasks', 'notes', 'links', 'messages', 'documents', 'runs', 'agents', 'vaults', 'settings', 'webhooks', 'account'],
  'read-overview': ['memories', 'tasks', 'notes', 'links', 'messages', 'documents', 'runs', 'agents', 'vaults', 'settings', 'webhooks', 'account'],
  'read-trash': ['memories', 'tasks', 'notes', 'links', 'messages', 'documents', 'runs', 'agents', 'vaults', 'settings', 'webhooks', 'account'],
  'list-activity': ['memories', 'tasks', 'notes', 'links', 'messages', 'documents', 'runs', 'agents', 'vaults', 'settings', 'webhooks', 'account'],
}

/** What a new agent may do to records that someone else wrote. */
export const defaultWritePolicy = { persons: 'ask', agents: 'yes' } as const
