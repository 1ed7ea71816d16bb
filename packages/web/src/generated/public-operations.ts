// Written by `npm run generate` from the registry of operations; do not edit.

export interface User {
  userId: string
  email: string
  /** The one who set this instance up. */
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
  /** The set-up token, from the file that the server names at its start. */
  token: string
  /** E-mail address; upper and lower case count as the same. */
  email: string
  /** Password, at least 8 characters of any kind; 15 or more are better. */
  password: string
  /** Name of the first vault. Default: "Main". */
  vaultName?: string | undefined
  /** What the first integration is called. Default: "First agent". */
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
  /** E-mail address; upper and lower case count as the same. */
  email: string
  /** Password. */
  password: string
  /** The code of the second factor, or a recovery code; each counts once. Where it is needed and missing, the answer is 400 and `fields` names it. */
  totp?: string | undefined
}

/** Output of login. */
export interface LoginOutput {
  user: User
}

/** What each operation takes and answers; where it answers in pages, what an item of them is. */
export interface PublicOperations {
  /** Whether this instance still waits for its owner. */
  'get-setup': { input: GetSetupInput; output: GetSetupOutput }
  /** Make the owner, a vault, and a key for a first agent, once, with the one-time token of the start. */
  'setup': { input: SetupInput; output: SetupOutput }
  /** Sign in: sets the session cookie, which ends after 12 hours without use and after 7 days in any case. */
  'login': { input: LoginInput; output: LoginOutput }
}

export type PublicOperationName = keyof PublicOperations

export const publicRoutes: Readonly<Record<PublicOperationName, { method: 'GET' | 'POST'; path: string }>> = {
  'get-setup': { method: 'GET', path: '/api/setup' },
  'setup': { method: 'POST', path: '/api/setup' },
  'login': { method: 'POST', path: '/api/auth/login' },
}

/** What the stream of events tells of. */
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
