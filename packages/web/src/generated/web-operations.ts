// Written by `npm run generate` from the registry of operations; do not edit.

export interface User {
  userId: string
  email: string
  /** Display name; null if not set. */
  name: string | null
  /** Whether this person set up the instance. */
  isOwner: boolean
}

/** Input of get-setup. */
export type GetSetupInput = Record<string, never>

/** Output of get-setup. */
export interface GetSetupOutput {
  needed: boolean
}

/** Input of setup. */
export interface SetupInput {
  /** The setup token, from the file that the server names when it starts. */
  token: string
  /** E-mail address; case doesn't matter. */
  email: string
  /** Password, at least 8 characters of any kind; 15 or more are better. */
  password: string
  /** Name of the first vault. Default: "Main". */
  vaultName?: string | undefined
  /** Name of the first integration. Default: "First agent". */
  label?: string | undefined
  /** What the first integration's key may do. Default: "admin". */
  preset?: 'read_only' | 'read_write' | 'admin' | undefined
}

/** Output of setup. */
export interface SetupOutput {
  userId: string
  vaultId: string
  integrationId: string
  /** For agents; shown once. */
  agentKey: string
  /** For the dashboard API; shown once. */
  dashboardToken: string
}

/** Input of login. */
export interface LoginInput {
  /** E-mail address; case doesn't matter. */
  email: string
  /** Password. */
  password: string
  /** A code from the authenticator app or a recovery code; each works once. If the account needs one and it is missing, the answer is a 400 that names this field. */
  totp?: string | undefined
}

/** Output of login. */
export interface LoginOutput {
  user: User
}

/** Input of passkey-challenge. */
export type PasskeyChallengeInput = Record<string, never>

/** Output of passkey-challenge. */
export interface PasskeyChallengeOutput {
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

/** Input of passkey-login. */
export interface PasskeyLoginInput {
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

/** Output of passkey-login. */
export interface PasskeyLoginOutput {
  user: User
}

/** Input and output of each operation, and the item type of paged ones. */
export interface PublicOperations {
  /** Check whether this instance still needs to be set up. */
  'get-setup': { input: GetSetupInput; output: GetSetupOutput }
  /** Create the owner, a vault and a key for a first agent, with the one-time setup token. Works once. */
  'setup': { input: SetupInput; output: SetupOutput }
  /** Sign in: set the session cookie, which expires after 12 hours without use and after 7 days at the latest. */
  'login': { input: LoginInput; output: LoginOutput }
  /** Get the options for `navigator.credentials.get` to sign in. They are valid for five minutes and name no account. */
  'passkey-challenge': { input: PasskeyChallengeInput; output: PasskeyChallengeOutput }
  /** Sign in with a passkey, which replaces password and second factor. Sets the session cookie as login does. */
  'passkey-login': { input: PasskeyLoginInput; output: PasskeyLoginOutput }
}

export type PublicOperationName = keyof PublicOperations

export const publicRoutes: Readonly<Record<PublicOperationName, { method: 'GET' | 'POST'; path: string }>> = {
  'get-setup': { method: 'GET', path: '/api/setup' },
  'setup': { method: 'POST', path: '/api/setup' },
  'login': { method: 'POST', path: '/api/auth/login' },
  'passkey-challenge': { method: 'GET', path: '/api/auth/passkeys/challenge' },
  'passkey-login': { method: 'POST', path: '/api/auth/passkeys/login' },
}

/** What the stream of events reports as changed. */
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

/** The changes that make an operation's answer outdated; nothing that is not listed changes while it is shown. */
export const outdatedBy: Readonly<Record<string, readonly ChangeType[]>> = {
  'list-tasks': ['tasks', 'links'],
  'read-note': ['notes', 'links'],
  'list-notes': ['notes', 'links'],
  'list-folders': ['notes'],
  'get-links': ['links', 'notes', 'memories', 'tasks'],
  'read-messages': ['messages'],
  'list-active-agents': ['agents', 'runs'],
  'list-vaults': ['vaults', 'memories', 'notes', 'tasks'],
  'session': ['account'],
  'list-sessions': ['account'],
  'read-totp': ['account'],
  'list-passkeys': ['account'],
  'list-integrations': ['agents'],
  'list-keys': ['agents'],
  'list-webhooks': ['webhooks', 'messages'],
  'list-webhook-deliveries': ['webhooks', 'messages'],
  'read-usage': ['runs'],
  'read-usage-calls': ['runs'],
  'read-usage-memories': ['runs', 'memories', 'links'],
  'read-usage-storage': ['runs'],
  'system': ['settings', 'account'],
  'check-system': ['settings', 'account'],
  'list-backups': ['settings'],
  'read-root-key': ['agents'],
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
  'list-runs': ['runs', 'memories'],
  'list-run-calls': ['runs', 'memories'],
  'list-run-turns': ['runs', 'memories'],
  'list-memories': ['memories', 'links'],
  'count-memories': ['memories', 'links'],
  'read-memory-history': ['memories', 'links'],
  'list-review': ['memories', 'links', 'agents'],
  'list-imports': ['memories', 'tasks', 'notes', 'links', 'messages', 'documents', 'runs', 'agents', 'vaults', 'settings', 'webhooks', 'account'],
  'read-overview': ['memories', 'tasks', 'notes', 'links', 'messages', 'documents', 'runs', 'agents', 'vaults', 'settings', 'webhooks', 'account'],
  'read-trash': ['memories', 'tasks', 'notes', 'links', 'messages', 'documents', 'runs', 'agents', 'vaults', 'settings', 'webhooks', 'account'],
  'list-activity': ['memories', 'tasks', 'notes', 'links', 'messages', 'documents', 'runs', 'agents', 'vaults', 'settings', 'webhooks', 'account'],
}
