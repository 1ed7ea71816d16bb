import type { Sealed } from '../../crypto/cell.ts'

/** One row: which instance this is, and how to tell that the right root key was given. */
export interface InstanceTable {
  id: string
  createdAt: number
  rootKeyId: string
  rootKeyCheck: Uint8Array
  wrappedInstanceKey: Uint8Array
  /** When the root key took the place of another; null where it is the first. */
  rootKeySince: number | null
  /** What it took the place of, while there may be wraps of that one. */
  formerRootKeyId: string | null
}

/** A server that runs on this database beside others, and the root keys that it has. */
export interface ServersTable {
  id: string
  /** Of its machine and process, for people. */
  name: string
  rootKeyIds: string
  seenAt: number
}

export interface UsersTable {
  id: string
  emailTag: Uint8Array
  profile: Sealed
  passwordHash: string
  isOwner: number
  wrappedMek: Uint8Array
  mekVersion: number
  createdAt: number
}

/** Sessions (cookie) and tokens (`hfd_`) of the dashboard API. */
export interface DashboardCredentialsTable {
  id: string
  userId: string
  kind: 'session' | 'token'
  secretHash: Uint8Array
  createdAt: number
  lastUsedAt: number
  expiresAt: number | null
  /** Of a session: browser and kind of address that it was made from. */
  client: Sealed | null
}

/** What the log-in of a person asks for beside the password, once it is confirmed. */
export interface SecondFactorsTable {
  userId: string
  id: string
  secret: Sealed
  createdAt: number
  confirmedAt: number | null
  /** The step of the last code that was taken. */
  lastStep: number
}

/** Those that were not used yet. */
export interface RecoveryCodesTable {
  userId: string
  codeHash: Uint8Array
  createdAt: number
}

/** A key of a person's device, which signs them in. */
export interface PasskeysTable {
  userId: string
  id: string
  credentialTag: Uint8Array
  /** What the device calls it, its public half, and how it is reached. */
  credential: Sealed
  name: Sealed
  /** How often it has signed, where the device counts. */
  counter: number
  createdAt: number
  lastUsedAt: number | null
}

/** What a passkey has answered, until nothing would take it any more. */
export interface SpentChallengesTable {
  userId: string
  challengeHash: Uint8Array
  expiresAt: number
}

export interface IntegrationsTable {
  id: string
  userId: string
  profile: Sealed
  preset: string
  restrictToVault: number
  primaryVaultId: string | null
  isActive: number
  wrappedMek: Uint8Array | null
  mekVersion: number
  version: number
  createdAt: number
  updatedAt: number
}

export interface VaultGrantsTable {
  userId: string
  integrationId: string
  vaultId: string
  preset: string | null
}

export interface AgentKeysTable {
  id: string
  userId: string
  integrationId: string
  keyHash: Uint8Array
  lastFour: string
  label: Sealed | null
  vaultId: string | null
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  lastUsedAt: number | null
}
