import type { Sealed } from '../../crypto/cell.ts'

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
  /** 1 while the record waits for vectors of the configured model. Where none is configured nothing waits. */
  vectorsMissing: number
  /** The embedding model that has seen the record last: its vectors are of it, if it gave any. */
  vectorModel: string | null
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

/** A record that was deleted for good: what indexes have to learn, since its entry is gone. Kept as long as the vault. */
export interface IndexRemovalsTable {
  userId: string
  vaultId: string
  seq: number
  itemId: string
}
