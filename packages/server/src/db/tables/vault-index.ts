import type { Sealed } from '../../crypto/cell.ts'

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
  /** A removed link keeps its row, so indexes learn of the removal. Adding it again reuses the row as a new link. */
  removedAt: number | null
  externalTag: Uint8Array | null
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
  /** 1 while the record waits for vectors of the configured model. Nothing waits if no model is configured. */
  vectorsMissing: number
  /** The last embedding model that received the record. If the record has vectors, they are from this model. */
  vectorModel: string | null
  revision: number
  entry: Sealed
}

/** A record that was deleted permanently, together with its entry, or a message. Tells indexes to forget it, and checks not to miss it. Kept as long as the vault. */
export interface IndexRemovalsTable {
  userId: string
  vaultId: string
  seq: number
  itemId: string
}

/** The index of a vault at change `seq`, cut into sealed segments. */
export interface IndexSnapshotsTable {
  userId: string
  vaultId: string
  seq: number
  segment: number
  segments: number
  cell: Sealed
}
