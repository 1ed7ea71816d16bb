import type { Sealed } from '../../crypto/cell.ts'

/** An import that has written something. */
export interface ImportsTable {
  userId: string
  vaultId: string
  importId: string
  /** Sealed: what kind of source it read, and its name. */
  origin: Sealed | null
  startedAt: number
  lastAt: number
  revertedAt: number | null
}

/** A record that an import created, so that the import can be reverted. */
export interface ImportedRecordsTable {
  userId: string
  vaultId: string
  importId: string
  recordId: string
  kind: string
  /** The record's version after the import. */
  version: number
}

/** A record of a reverted import, with the version in which it was archived or moved to the trash. */
export interface RevertedRecordsTable {
  userId: string
  vaultId: string
  recordId: string
  version: number
}
