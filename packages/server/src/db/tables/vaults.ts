import type { Sealed } from '../../crypto/cell.ts'

export interface VaultsTable {
  id: string
  userId: string
  profile: Sealed
  /** The number of the vault's latest change. Each write takes the next one under the row's lock. */
  seq: number
  /** The lowest generation of the vault's key that may still seal. Writes check it under the row's lock. */
  minGeneration: number
  /** When its erasure began; null otherwise. Without keys and without this, its keys were lost. */
  erasedAt: number | null
  /** Messages that were created before were deleted by retention; null if none were. */
  messagesPurgedTo: number | null
  isDefault: number
  /** Sealed JSON of the settings that differ from the defaults; null if all are defaults. */
  settings: Sealed | null
  settingsVersion: number
  version: number
  createdAt: number
  updatedAt: number
}

/** A key of a scope (a vault, or a user's private scope), wrapped under the owner's MEK. */
export interface VaultKeysTable {
  userId: string
  scopeId: string
  generation: number
  wrappedKey: Uint8Array
  mekVersion: number
  createdAt: number
  /** From when on this generation seals: when every call knows it. */
  sealsFrom: number
  /** About how many cells it has sealed. */
  seals: number
  /** The scope's tag keys. Each generation but the first has them, so they outlive the generation that they come from. */
  wrappedWords: Uint8Array | null
  wrappedExact: Uint8Array | null
  /** While rows are sealed again under this generation: how many the scope has, and how many of them are done. */
  rowsTotal: number | null
  rowsDone: number | null
  /** When a rotation last met something damaged, which keeps this key from being replaced or deleted. */
  stuckAt: number | null
}

/**
 * What a check remembers of some records of a vault, in the order of their keys: those after (`fromAt`, `fromId`), up to where the next row
 * begins. Only checks write it.
 */
export interface VaultDigestsTable {
  userId: string
  vaultId: string
  /** One of `digestKinds`. */
  kind: string
  fromAt: number
  fromId: string
  revision: number
  /** Sealed: for each record its id, its version and a keyed hash of its plain columns. */
  cell: Sealed
}

/** Someone who may use a vault of someone else. `userId` is the vault's owner. */
export interface VaultMembersTable {
  userId: string
  vaultId: string
  memberId: string
  /** One of `memberRoles`. An unknown one allows nothing. */
  role: string
  joinedAt: number
}

/** An offer to become a member. `userId` is the vault's owner. */
export interface VaultInvitationsTable {
  userId: string
  vaultId: string
  id: string
  /** Whose address it was when they were invited, and who may accept; null if nobody here had it, so nobody may. */
  invitedId: string | null
  role: string
  /** The owner, or the member with the role `admin` who invites. */
  invitedBy: string
  invitedAt: number
  /** The address, sealed under the instance key. */
  email: Sealed
}

/** A text that a vault gives to its agents, one of each type. */
export interface DocumentsTable {
  id: string
  userId: string
  /** The scope: the vault, or the user's own id for their defaults in all vaults. */
  vaultId: string
  documentType: string
  inheritMode: string
  agentEditable: number
  appendOnly: number
  /** The version of the template that it started from. */
  templateVersion: number
  /** Sealed JSON: content and author. */
  body: Sealed
  version: number
  createdAt: number
  updatedAt: number
}

/** A former text of a document. */
export interface DocumentVersionsTable {
  userId: string
  vaultId: string
  documentId: string
  version: number
  body: Sealed
  createdAt: number
  /** Of the agent that wrote this version; null if a person did, or an earlier release stored it. */
  integrationId: string | null
  /** What its text counts as (`provenanceOf`); `unknown` if an earlier release stored it. */
  provenance: string
  /** Tag of the run whose change replaced this version. */
  replacedInRun: Uint8Array | null
}

/** How many records of a kind a vault held when it was last measured, and the bytes of their sealed parts. */
export interface VaultSizesTable {
  userId: string
  vaultId: string
  kind: string
  records: number
  bytes: number
}

/** Up to which change a vault was measured. */
export interface VaultMeasuresTable {
  userId: string
  vaultId: string
  seq: number
  measuredAt: number
}
