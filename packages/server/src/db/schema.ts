import type { Generated } from 'kysely'
import type { Sealed } from '../crypto/cell.ts'

/**
 * Rows as they lie on disk, alike in SQLite and PostgreSQL: ids are text, times are milliseconds since 1970, flags are
 * 0 or 1, and everything that people or agents wrote is `Sealed`, a branded type, so that a plain string does not
 * compile. `*Tag` columns are 128-bit keyed tags for equality look-ups. Every table is keyed by its owner first.
 */

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

export interface VaultsTable {
  id: string
  userId: string
  profile: Sealed
  /** The number of the vault's latest change; each write takes the next one under the row's lock. */
  seq: Generated<number>
  isDefault: number
  version: number
  createdAt: number
  updatedAt: number
}

/** Keys of a scope (a vault, or a user's private scope), wrapped under the owner's MEK. */
export interface VaultKeysTable {
  userId: string
  scopeId: string
  generation: number
  wrappedKey: Uint8Array
  mekVersion: number
  createdAt: number
}

export interface MemoriesTable {
  id: string
  userId: string
  vaultId: string
  type: string
  importance: number
  confidence: number
  archivedAt: number | null
  expiresAt: number | null
  occurredAt: number
  supersedesId: string | null
  supersededById: string | null
  externalTag: Uint8Array | null
  /** Sealed JSON of all that is short: summary, entities, names, reasons, metadata. */
  head: Sealed
  /** Sealed text of the content. */
  body: Sealed
  /** In the sealed cells' address; rises when they are sealed anew. */
  contentRevision: number
  version: number
  integrationId: string | null
  accessCount: number
  lastAccessedAt: number | null
  createdAt: number
  updatedAt: number
}

export interface LinksTable {
  id: string
  userId: string
  vaultId: string
  seq: number
  sourceType: string
  sourceId: string
  targetType: string
  targetId: string
  relationType: string
  label: Sealed | null
  origin: string
  createdAt: number
}

/** One row per searchable record: what search filters by is plain, what it searches is sealed in `entry`. */
export interface IndexEntriesTable {
  itemId: string
  userId: string
  vaultId: string
  seq: number
  kind: string
  type: string
  importance: number
  archived: number
  createdAt: number
  occurredAt: number
  expiresAt: number | null
  supersededAt: number | null
  /** 1 while the record has no vectors: no provider is configured, or it could not be reached yet. */
  vectorsMissing: number
  revision: number
  entry: Sealed
}

/** The index of a vault as it was at `seq`, cut into sealed segments. */
export interface IndexSnapshotsTable {
  userId: string
  vaultId: string
  seq: number
  segment: number
  segments: number
  cell: Sealed
}

export interface Tables {
  instance: InstanceTable
  users: UsersTable
  dashboardCredentials: DashboardCredentialsTable
  integrations: IntegrationsTable
  vaultGrants: VaultGrantsTable
  agentKeys: AgentKeysTable
  vaults: VaultsTable
  vaultKeys: VaultKeysTable
  memories: MemoriesTable
  links: LinksTable
  indexEntries: IndexEntriesTable
  indexSnapshots: IndexSnapshotsTable
}
