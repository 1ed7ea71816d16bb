import type { Sealed } from '../../crypto/cell.ts'

/** One row: which instance this is, and how to tell that the right root key was given. */
export interface InstanceTable {
  id: string
  createdAt: number
  rootKeyId: string
  rootKeyCheck: Uint8Array
  wrappedInstanceKey: Uint8Array
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
