/** What an import has made, so that it can be taken back. */
export interface ImportedRecordsTable {
  userId: string
  vaultId: string
  importId: string
  recordId: string
  kind: string
  /** Of the record as the import left it. */
  version: number
}

/** Of an import that was taken back: as which version the record was archived or trashed. */
export interface RevertedRecordsTable {
  userId: string
  vaultId: string
  recordId: string
  version: number
}

/** An import that has written something. */
export interface ImportsTable {
  userId: string
  vaultId: string
  importId: string
  /** Sealed: what it read, and what that was called. */
  origin: Uint8Array | null
  startedAt: number
  lastAt: number
  revertedAt: number | null
}
