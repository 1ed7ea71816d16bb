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
  /** When the present secret of a connection ends. Null for keys that people copy. */
  secretExpiresAt: number | null
}

/** A program that registered itself to ask people for access. It belongs to nobody. */
export interface OauthClientsTable {
  id: string
  createdAt: number
  expiresAt: number
  metadata: Sealed
}

/** What makes an agent key, with the same id, a connection of a program. */
export interface OauthGrantsTable {
  userId: string
  id: string
  integrationId: string
  codeHash: Uint8Array
  codeExpiresAt: number
  codeUsedAt: number | null
  familyHash: Uint8Array | null
  refreshHash: Uint8Array | null
  request: Sealed
}
