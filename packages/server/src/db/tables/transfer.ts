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
