import type { Sealed } from '../../crypto/cell.ts'

export interface IntegrationsTable {
  id: string
  userId: string
  profile: Sealed
  profileRevision: number
  preset: string
  restrictToVault: number
  primaryVaultId: string | null
  isActive: number
  wrappedMek: Uint8Array | null
  mekVersion: number
  nextWrappedMek: Uint8Array | null
  version: number
  createdAt: number
  updatedAt: number
}

/** A vault that an integration may use. */
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
